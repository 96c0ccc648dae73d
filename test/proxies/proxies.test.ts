import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import t, { type Test } from 'tap'
import type { HttpRequest, HttpResponse } from '../../gateway/wire/transport.ts'
import { whyNotUws } from '../../gateway/wire/uws-builds.ts'
import { type TransportName, transportOf } from '../gateway/wire/transports.ts'
import { serve, sleep } from '../gateway/wire/wire.ts'
import { configurations, startReverseProxy } from './proxy.ts'

/** Real proxies, configured as the documentation prints it and as they come, in front of each transport that loads here. */
const transports: readonly TransportName[] = [
  'node',
  ...(whyNotUws('@trufflesuite/uws-js-unofficial') === null ? (['uws-20.30'] as const) : []),
]

const speaksHttp10 = ['nginx by default', 'HAProxy with a check over HTTP/1.0']

const exportBytes = 20_000_000
const piece = Buffer.alloc(50_000, 'x')

/** Health checks, an export of 20 MB, live updates that are made when the test says so, and an echo of everything else. */
const newAnswers = () => {
  const heard: (() => void)[] = []
  const answer = ({ verb, path, body }: HttpRequest): HttpResponse => {
    const headers = { 'Content-Type': 'text/plain' }
    if (path === '/healthz' || path === '/readyz') return { status: 200, headers, body: 'well' }
    if (path === '/export') {
      let left = exportBytes / piece.length
      return { status: 200, headers, body: { next: async () => (left-- > 0 ? piece : null) } }
    }
    if (path === '/live') {
      let n = 0
      const next = async () => {
        n += 1
        if (n === 1) return 'event: first\n\n'
        if (n > 2) return null
        await new Promise<void>((resolve) => void heard.push(resolve))
        return 'event: second\n\n'
      }
      return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: { next } }
    }
    return { status: verb === 'POST' ? 201 : 200, headers, body: `${verb} ${path} ${body.toString()}` }
  }
  return { answer, goOn: () => heard.shift()!() }
}

const newClient = (t: Test, origin: string) => {
  const isSecure = origin.startsWith('https')
  const agent = isSecure
    ? new HttpsAgent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
    : new HttpAgent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const open = (method: string, path: string, body = ''): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = body === '' ? {} : { 'Content-Length': String(body.length) }
      const asked = (isSecure ? requestHttps : requestHttp)(
        `${origin}${path}`,
        { method, agent, headers },
        resolve,
      )
      asked.once('error', reject)
      asked.end(body)
    })
  const call = async (method: string, path: string, body = '') => {
    const response = await open(method, path, body)
    return { status: response.statusCode!, body: Buffer.concat(await response.toArray()).toString() }
  }
  return { open, call }
}

const limits = { urlBytesMax: 8192, headerBytesMax: 16_384, bodyBytesMax: 65_536 } as never
const takesHttp10 = (verb: string, path: string): boolean =>
  verb !== 'POST' && /^\/(healthz|readyz)$/.test(path)

for (const transport of transports)
  for (const [name, configuration] of Object.entries(configurations)) {
    const isPrinted = name.endsWith('printed')
    // To HTTP/1.0 the build of 2023 has no answer.
    if (transport !== 'node' && speaksHttp10.includes(name)) continue
    if (name === 'nginx by default') {
      t.test(`${name} before ${transport}: only health checks are answered`, async (t) => {
        const { listener, port } = await serve(transportOf(transport), { limits, takesHttp10 })
        const { call } = newClient(t, (await startReverseProxy(t, configuration, port)).origin)
        for (const path of ['/healthz', '/readyz']) t.equal((await call('GET', path)).status, 200)
        t.match(await call('POST', '/charges', '{}'), { status: 505, body: 'refused 505' })
        t.equal((await call('GET', '/charges')).status, 505)
        await listener.close(0)
      })
      continue
    }

    t.test(`${name} before ${transport}`, async (t) => {
      const { answer, goOn } = newAnswers()
      const options = { limits, takesHttp10, handle: answer }
      const first = await serve(transportOf(transport), options)
      const { origin } = await startReverseProxy(t, configuration, first.port)
      const { call, open } = newClient(t, origin)
      // The proxy's own check may not have been made yet.
      while ((await call('GET', '/readyz')).status !== 200) await sleep(20)

      for (let n = 0; n < 20; n++) {
        t.strictSame(await call('POST', `/charges/${n}`, '{"amount":1990}'), {
          status: 201,
          body: `POST /charges/${n} {"amount":1990}`,
        })
        t.strictSame(await call('GET', `/charges/${n}`), { status: 200, body: `GET /charges/${n} ` })
      }
      // The build of 2023 reads no head above 4 KB that comes in several packets.
      if (transport === 'node')
        t.equal((await call('GET', `/long?${'x'.repeat(7000)}`)).status, 200, 'a long URL gets through')
      t.equal((await call('POST', '/large', 'x'.repeat(65_536))).status, 201, 'the largest body gets through')
      t.equal((await call('GET', '/export')).body.length, exportBytes)

      if (isPrinted) {
        const live = await open('GET', '/live')
        const updates = live[Symbol.asyncIterator]()
        t.equal(
          String((await updates.next()).value),
          'event: first\n\n',
          'it arrives before the next one is made',
        )
        goOn()
        t.equal(String((await updates.next()).value), 'event: second\n\n')
        t.equal((await updates.next()).done, true)
      }

      // A restart: what is in flight arrives whole, and the next requests reach the service that listens then.
      const slow = await open('GET', '/export')
      const other = newClient(t, origin)
      const closing = first.listener.close(60_000)
      let received = 0
      for await (const chunk of slow) received += (chunk as Buffer).length
      t.equal(received, exportBytes, 'an export in flight arrives whole')
      await closing
      const second = await serve(transportOf(transport), { ...options, port: first.port })
      const statuses = new Set<number>()
      for (;;) {
        const { status } = await other.call('POST', '/charges/after', '{}')
        statuses.add(status)
        if (status === 201) break
        await sleep(50)
      }
      t.strictSame(
        [...statuses].filter((status) => ![201, 502, 503].includes(status)),
        [],
      )
      for (let n = 0; n < 5; n++) t.equal((await other.call('POST', '/charges/again', '{}')).status, 201)
      await second.listener.close(0)
    })
  }
