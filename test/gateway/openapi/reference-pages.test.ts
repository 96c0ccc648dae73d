import t from 'tap'
import { openReference } from '../../../gateway/openapi/reference-pages.ts'

t.test('the OpenAPI document is built once, and again only after a failure', async (t) => {
  const builds = [Promise.reject(new Error('no thread')), Promise.resolve('{}')]
  let built = 0
  const page = openReference(() => builds[built++]!)
  const document = () => page({ path: '/openapi.json', headers: {} })

  t.equal(built, 0, 'a start does not wait for it')
  await t.rejects(Promise.resolve(document()), { message: 'no thread' })
  t.match(await document(), { status: 200, body: '{}' })
  t.match(await document(), { status: 200, body: '{}' })
  t.equal(built, 2)
})
