import t from 'tap'
import { originOfRequests } from '../../../gateway/api/public-origin.ts'
import type { Audience } from '../../../gateway/openapi/audience.ts'
import { openReference } from '../../../gateway/openapi/reference-pages.ts'

const noOrigin = (): string => ''

t.test('the OpenAPI document is built once, and again only after a failure', async (t) => {
  const builds = [Promise.reject(new Error('no thread')), Promise.resolve('{}')]
  let built = 0
  const page = openReference(() => builds[built++]!, noOrigin)
  const document = () => page({ path: '/openapi.json', query: '', headers: {} })

  t.equal(built, 0, 'a start does not wait for it')
  await t.rejects(Promise.resolve(document()), { message: 'no thread' })
  t.match(await document(), { status: 200, body: '{}' })
  t.match(await document(), { status: 200, body: '{}' })
  t.equal(built, 2)
})

t.test('each audience has a document of its own, and an unknown one is told which there are', async (t) => {
  const built: Audience[] = []
  const build = async (audience: Audience) => {
    built.push(audience)
    return audience
  }
  const page = openReference(build, noOrigin)
  const document = (query: string) => page({ path: '/openapi.json', query, headers: {} })
  t.match(await document(''), { body: 'all' })
  t.match(await document('audience=keys'), { body: 'keys' })
  t.match(await document('audience=keys&x=1'), { body: 'keys' })
  t.strictSame(built, ['all', 'keys'])
  t.match(await document('audience=key'), { status: 400, body: /all, keys/ })
})

t.test('the server is PUBLIC_URL, or the host that was asked, and never what a host cannot be', async (t) => {
  const document = '{"servers":[{"url":"/","description":"here"}]}'
  const serverFor = async (publicUrl: string, isTls: boolean, host?: string) => {
    const page = openReference(async () => document, originOfRequests({ publicUrl, isTls }))
    const headers = host === undefined ? {} : { host }
    const response = await page({ path: '/openapi.json', query: '', headers })
    return JSON.parse(String(response!.body)).servers[0].url
  }
  t.equal(await serverFor('https://pay.example.com', false, '10.0.0.1:8080'), 'https://pay.example.com')
  t.equal(await serverFor('', false, '127.0.0.1:8080'), 'http://127.0.0.1:8080')
  t.equal(await serverFor('', true, '[::1]:8443'), 'https://[::1]:8443')
  t.equal(await serverFor('', false, 'Pay.Example.com'), 'http://pay.example.com')
  for (const host of ['a"b', 'a/b', 'user@a', 'a b', "a$'b", '', undefined])
    t.equal(await serverFor('', false, host), '/', String(host))
})

t.test('the Postman collection calls the service from which it came', async (t) => {
  const baseUrlFrom = async (host: string) => {
    const page = openReference(async () => '{}', originOfRequests({ publicUrl: '', isTls: false }))
    const response = await page({ path: '/postman.json', query: '', headers: { host } })
    const { variable } = JSON.parse(String(response!.body)) as { variable: { key: string; value: string }[] }
    return variable.find(({ key }) => key === 'baseUrl')!.value
  }
  t.equal(await baseUrlFrom('10.0.0.7:9090'), 'http://10.0.0.7:9090')
  t.equal(await baseUrlFrom('no host'), 'http://127.0.0.1:8080')
})
