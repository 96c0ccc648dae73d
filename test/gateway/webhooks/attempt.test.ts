import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import t, { type Test } from 'tap'
import type { Traceparent } from '../../../engine/shared/traceparent.ts'
import type { Address } from '../../../gateway/webhooks/address.ts'
import { type AttemptsOptions, openAttempts, type Target } from '../../../gateway/webhooks/attempt.ts'
import { openConnector } from '../../../gateway/webhooks/connect.ts'
import { fixture, httpReceiver, httpsReceiver, onRequest, tcpReceiver } from './receivers.ts'

const secret = 'whsec_b3RoZXIgcGVvcGxlIGNhbm5vdCBndWVzcyB0aGlz'
const body = Buffer.from(JSON.stringify({ id: 'evt_1', data: { note: 'ação </b> 🎉 \u2028' } }))
const nowMs = 1_790_000_000_000

const attemptsOf = (t: Test, options: Partial<AttemptsOptions> = {}) => {
  const attempts = openAttempts({
    realNow: () => nowMs,
    certificateAuthorities: [fixture('receiver-authority.pem')],
    ...options,
  })
  t.teardown(attempts.close)
  return attempts
}

const to = (url: string, target: Partial<Target> = {}): Target => ({
  endpointId: 'whk_1',
  url,
  environment: 'SANDBOX',
  secret,
  eventId: 'evt_1',
  eventType: 'payment.approved',
  deliveryId: 'dlv_1',
  body,
  ...target,
})

const four = (address: string): Address => ({ address, family: 4 })

t.test('one attempt is one signed POST that an independent verifier accepts', async (t) => {
  const { port, requests } = await httpReceiver(t)
  const outcome = await attemptsOf(t).attempt(to(`http://127.0.0.1:${port}/hook?a=b`))
  t.match(outcome, { startedAtMs: nowMs, statusCode: 200, error: null, responseSnippet: 'ok' })
  t.ok(Number.isInteger(outcome.latencyMs) && outcome.latencyMs >= 0)
  const { headers, body: sent } = requests[0]!
  t.equal(outcome.signature, headers['service-signature'], 'what was sent is on the record')
  t.match(headers, {
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'service-event': 'payment.approved',
    'service-delivery': 'dlv_1',
    'service-environment': 'SANDBOX',
    'accept-encoding': 'identity',
    'content-length': String(body.length),
  })
  const signature = String(headers['service-signature'])
  t.match(new Stripe('sk_test').webhooks.constructEvent(sent, signature, secret, 300, undefined, nowMs), {
    id: 'evt_1',
  })
  t.throws(() =>
    new Stripe('sk_test').webhooks.constructEvent(sent, signature, 'whsec_other', 300, undefined, nowMs),
  )
})

t.test('the trace of what an event tells goes with it, where there is one', async (t) => {
  const { port, requests } = await httpReceiver(t)
  const attempts = attemptsOf(t)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' as Traceparent
  await attempts.attempt(to(`http://127.0.0.1:${port}/`, { traceparent }))
  await attempts.attempt(to(`http://127.0.0.1:${port}/`))
  t.strictSame(
    requests.map(({ headers }) => headers.traceparent),
    [traceparent, undefined],
  )
})

t.test('W4: the bytes sent are the bytes signed, and Content-Length counts bytes', async (t) => {
  const { port, requests } = await httpReceiver(t)
  const attempts = attemptsOf(t)
  await attempts.attempt(to(`http://127.0.0.1:${port}/`))
  t.strictSame(requests[0]!.body, body)
  t.not(body.length, body.toString('utf8').length)
  t.equal(requests[0]!.headers['content-length'], String(body.length))
})

t.test('D1: every 2xx is a success', async (t) => {
  for (const statusCode of [200, 201, 204, 299]) {
    const { port } = await httpReceiver(t, (_, response) => response.writeHead(statusCode).end())
    t.match(await attemptsOf(t).attempt(to(`http://127.0.0.1:${port}/`)), { statusCode, error: null })
  }
})

t.test('other answers are recorded with their status and the start of their body', async (t) => {
  for (const statusCode of [400, 404, 410, 429, 500, 503]) {
    const { port } = await httpReceiver(t, (_, response) =>
      response.writeHead(statusCode).end('é'.repeat(2_000)),
    )
    const outcome = await attemptsOf(t).attempt(to(`http://127.0.0.1:${port}/`))
    t.match(outcome, { statusCode, error: null, responseSnippet: 'é'.repeat(512) })
  }
})

t.test('a body that is no text stays under 1 KiB as text', async (t) => {
  const { port } = await httpReceiver(t, (_, response) => response.end(Buffer.alloc(1024, 0xff)))
  const { responseSnippet } = await attemptsOf(t).attempt(to(`http://127.0.0.1:${port}/`))
  t.match(responseSnippet, /^\ufffd{341}$/)
})

t.test('D3: 1xx is no answer', async (t) => {
  for (const statusCode of [100, 102, 103, 199]) {
    const { port } = await tcpReceiver(t, (socket) =>
      onRequest(socket, () => socket.end(`HTTP/1.1 ${statusCode} Interim\r\n\r\n`)),
    )
    const outcome = await attemptsOf(t).attempt(to(`http://127.0.0.1:${port}/`))
    t.match(outcome, { statusCode: null, error: 'CONNECTION' }, String(statusCode))
  }
})

t.test('an answer after 1xx counts, and the connection is as good as before', async (t) => {
  for (const interim of ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n']) {
    const { port, sockets } = await tcpReceiver(t, (socket) =>
      onRequest(socket, async () => {
        socket.write(interim.repeat(2))
        await sleep(20)
        socket.write(`${interim}HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok`)
      }),
    )
    const attempts = attemptsOf(t)
    for (const _ of [1, 2]) {
      const outcome = await attempts.attempt(to(`http://127.0.0.1:${port}/`))
      t.match(outcome, { statusCode: 201, error: null, responseSnippet: 'ok' })
    }
    t.equal(sockets.length, 1)
  }
})

t.test('endless 1xx end at the deadline', async (t) => {
  const { port, sockets } = await tcpReceiver(t, (socket) =>
    onRequest(socket, () => {
      const dripping = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10)
      socket.on('close', () => clearInterval(dripping))
    }),
  )
  const attempts = attemptsOf(t, { limits: { deadlineMs: 150 } })
  t.match(await attempts.attempt(to(`http://127.0.0.1:${port}/`)), { statusCode: null, error: 'TIMEOUT' })
  await closed(sockets)
})

t.test('D7: an answer just before the deadline is a success', async (t) => {
  const { port } = await httpReceiver(t, (_, response) => void setTimeout(() => response.end('late'), 400))
  // Far beyond the answer: a machine that stalls for a second is not what is tested.
  const attempts = attemptsOf(t, { limits: { deadlineMs: 10_000 } })
  const outcome = await attempts.attempt(to(`http://127.0.0.1:${port}/`))
  t.match(outcome, { statusCode: 200, error: null })
  t.ok(outcome.latencyMs >= 390)
})

t.test(
  'D9: a body that drips for ever does not delay the result, and its socket ends at the deadline',
  async (t) => {
    const { port, sockets } = await httpReceiver(t, (_, response) => {
      response.write('start')
      const dripping = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(dripping))
    })
    const attempts = attemptsOf(t, { limits: { deadlineMs: 400, bodyWaitMs: 50 } })
    const outcome = await attempts.attempt(to(`http://127.0.0.1:${port}/`))
    t.match(outcome, { statusCode: 200, error: null, responseSnippet: /^start/ })
    t.notOk(sockets[0]!.destroyed, 'the result is there before the end of the body')
    await closed(sockets)
  },
)

t.test('a lingering body gives way when the endpoint has all the connections that it may have', async (t) => {
  const { port, sockets } = await httpReceiver(t, (_, response) => void response.write('start'))
  const attempts = attemptsOf(t, { limits: { perEndpointMax: 2, bodyWaitMs: 10 } })
  for (const _ of [1, 2, 3, 4, 5]) {
    t.match(await attempts.attempt(to(`http://127.0.0.1:${port}/`)), { statusCode: 200, error: null })
  }
  await closed(sockets.slice(0, 3))
  t.strictSame(
    sockets.map((socket) => socket.destroyed),
    [true, true, true, false, false],
  )
})

t.test('D10: a header that drips times out in total', async (t) => {
  const { port, sockets } = await tcpReceiver(t, (socket) =>
    onRequest(socket, () => {
      const text = `HTTP/1.1 200 OK\r\nX-Slow: ${'x'.repeat(1_000)}`
      let at = 0
      const dripping = setInterval(() => socket.write(text[at++]!), 10)
      socket.on('close', () => clearInterval(dripping))
    }),
  )
  const attempts = attemptsOf(t, { limits: { deadlineMs: 150 } })
  const outcome = await attempts.attempt(to(`http://127.0.0.1:${port}/`))
  t.match(outcome, { statusCode: null, error: 'TIMEOUT' })
  t.ok(outcome.latencyMs >= 140 && outcome.latencyMs < 10_000, 'sooner than the header ends')
  await closed(sockets)
})

t.test(
  'D12: who accepts TCP and never TLS, or TLS and never answers, times out and keeps nothing',
  async (t) => {
    const silent = await tcpReceiver(t, (socket) => void socket.resume())
    const deaf = await httpsReceiver(t, 'receiver-trusted.pem', {}, () => undefined)
    const attempts = attemptsOf(t, { limits: { deadlineMs: 200, perEndpointMax: 1 } })
    for (const { port, sockets } of [silent, deaf]) {
      for (const _ of [1, 2]) {
        t.match(await attempts.attempt(to(`https://127.0.0.1:${port}/`)), {
          statusCode: null,
          error: 'TIMEOUT',
        })
      }
      await closed(sockets)
      t.equal(sockets.length, 2, 'the slot was free again')
    }
    t.equal(deaf.requests.length, 2)
  },
)

t.test('D13: of an endless body little is read and less is kept', async (t) => {
  const { port, sockets } = await httpReceiver(t, (_, response) => {
    const pour = (): boolean => response.write(Buffer.alloc(64 * 1024, 'x'))
    response.on('drain', pour)
    pour()
  })
  const outcome = await attemptsOf(t).attempt(to(`http://127.0.0.1:${port}/`))
  t.match(outcome, { statusCode: 200, error: null, responseSnippet: 'x'.repeat(1024) })
  await closed(sockets)
  const { bytesWritten } = sockets[0]!
  t.ok(
    bytesWritten < 32 * 1024 * 1024,
    `${bytesWritten} bytes left the receiver, most for buffers of the kernel`,
  )
})

t.test('D15: 20 KiB of response headers are no answer', async (t) => {
  const { port, sockets } = await httpReceiver(t, (_, response) => {
    for (let n = 0; n < 20; n++) response.setHeader(`X-Large-${n}`, 'x'.repeat(1024))
    response.end('ok')
  })
  t.match(await attemptsOf(t).attempt(to(`http://127.0.0.1:${port}/`)), {
    statusCode: null,
    error: 'CONNECTION',
  })
  await closed(sockets)
})

t.test('D16: garbage is no answer; a body cut short after 200 is a success', async (t) => {
  const garbage = await tcpReceiver(t, (socket) =>
    onRequest(socket, () => socket.end('SSH-2.0-OpenSSH_9.6\r\n')),
  )
  const attempts = attemptsOf(t)
  t.match(await attempts.attempt(to(`http://127.0.0.1:${garbage.port}/`)), {
    statusCode: null,
    error: 'CONNECTION',
  })
  const short = await tcpReceiver(t, (socket) =>
    onRequest(socket, () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort')),
  )
  t.match(await attempts.attempt(to(`http://127.0.0.1:${short.port}/`)), {
    statusCode: 200,
    error: null,
    responseSnippet: 'short',
  })
})

t.test('a receiver with a certificate for its name is answered, by name and by address', async (t) => {
  const { port, requests } = await httpsReceiver(t, 'receiver-trusted.pem')
  const attempts = attemptsOf(t, { resolve: async () => [four('127.0.0.1')] })
  for (const host of ['localhost', 'receiver.example', '127.0.0.1']) {
    t.match(await attempts.attempt(to(`https://${host}:${port}/`)), { statusCode: 200, error: null }, host)
  }
  t.equal(requests.length, 3)
})

t.test(
  'D18: expired, self-signed, wrong name, unknown authority, TLS 1.0, no TLS: nothing is sent',
  async (t) => {
    const bad = [
      await httpsReceiver(t, 'receiver-expired.pem'),
      await httpsReceiver(t, 'receiver-self-signed.pem'),
      await httpsReceiver(t, 'receiver-other-name.pem'),
      await httpsReceiver(t, 'receiver-trusted.pem', {
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      }),
      await httpReceiver(t),
    ]
    const attempts = attemptsOf(t)
    for (const { port, requests } of bad) {
      t.match(await attempts.attempt(to(`https://localhost:${port}/`)), { statusCode: null, error: 'TLS' })
      t.equal(requests.length, 0)
    }
    const trusted = await httpsReceiver(t, 'receiver-trusted.pem')
    const usual = openAttempts({ realNow: () => nowMs })
    t.match(await usual.attempt(to(`https://localhost:${trusted.port}/`)), {
      statusCode: null,
      error: 'TLS',
    })
    t.equal(trusted.requests.length, 0)
  },
)

t.test(
  'D19: a name without addresses is a DNS failure; one that is never answered ends at the deadline',
  async (t) => {
    const url = 'https://gone.example.com/'
    t.match(await attemptsOf(t, { resolve: async () => [] }).attempt(to(url)), {
      statusCode: null,
      error: 'DNS',
    })
    const silent = attemptsOf(t, {
      resolve: () => new Promise(() => undefined),
      // Nothing else keeps this program alive meanwhile.
      later: (ms, callback) => void setTimeout(callback, ms),
      limits: { deadlineMs: 100 },
    })
    t.match(await silent.attempt(to(url)), { statusCode: null, error: 'TIMEOUT' })
  },
)

t.test('nobody listening is a connection failure', async (t) => {
  const { port } = await httpReceiver(t)
  const gone = await unusedPort()
  const attempts = attemptsOf(t)
  t.match(await attempts.attempt(to(`http://127.0.0.1:${gone}/`)), { statusCode: null, error: 'CONNECTION' })
  t.match(await attempts.attempt(to(`http://localhost:${port}/`)), { statusCode: 200, error: null })
  t.match(await attempts.attempt(to(`http://localhost:${gone}/`)), { statusCode: null, error: 'CONNECTION' })
})

t.test(
  'S10: a name that leads to 127.0.0.1 by the time of delivery is blocked, with no connection',
  async (t) => {
    const { port, sockets } = await httpReceiver(t)
    for (const answer of [[four('127.0.0.1')], [four('8.8.8.8'), four('127.0.0.1')]]) {
      const attempts = attemptsOf(t, { resolve: async () => answer })
      for (const url of ['https://hooks.example.com/', 'https://hooks.example.com:8443/']) {
        const outcome = await attempts.attempt(to(url, { environment: 'PRODUCTION' }))
        t.match(outcome, { statusCode: null, error: 'BLOCKED_ADDRESS' })
      }
    }
    const sandbox = attemptsOf(t, { resolve: async () => [four('169.254.169.254'), four('127.0.0.1')] })
    t.match(await sandbox.attempt(to(`http://hooks.example.com:${port}/`)), { error: 'BLOCKED_ADDRESS' })
    t.equal(sockets.length, 0)
  },
)

t.test(
  'S11: a connection goes only to what was vetted for its own attempt, also when one is kept',
  async (t) => {
    const first = await httpReceiver(t)
    const second = await httpReceiver(t, undefined, '::1', first.port)
    const answers: Address[][] = [[four('127.0.0.1')], [{ address: '::1', family: 6 }], [four('127.0.0.1')]]
    let asked = 0
    const attempts = attemptsOf(t, { resolve: async () => answers[asked++]! })
    for (const received of [
      [1, 0],
      [1, 1],
      [2, 1],
    ]) {
      t.match(await attempts.attempt(to(`http://two.example.com:${first.port}/`)), { statusCode: 200 })
      t.strictSame([first.requests.length, second.requests.length], received)
    }
    t.equal(asked, 3, 'one answer of DNS per attempt, for vetting and connecting')
  },
)

t.test('S17: a redirect is recorded and never followed', async (t) => {
  const inside = await httpReceiver(t)
  for (const statusCode of [301, 302, 303, 307, 308]) {
    const { port } = await httpReceiver(t, (_, response) =>
      response
        .writeHead(statusCode, { Location: `http://127.0.0.1:${inside.port}/latest/meta-data` })
        .end('moved'),
    )
    const outcome = await attemptsOf(t).attempt(to(`http://127.0.0.1:${port}/`))
    t.match(outcome, { statusCode, error: 'REDIRECT', responseSnippet: 'moved' })
  }
  t.equal(inside.sockets.length, 0)
})

t.test('S22: an address as host is vetted before connecting, and again on the socket', async (t) => {
  const { port, sockets, requests } = await httpReceiver(t)
  const attempts = attemptsOf(t)
  const production = to(`https://127.0.0.1:8443/`, { environment: 'PRODUCTION' })
  t.match(await attempts.attempt(production), { statusCode: null, error: 'BLOCKED_ADDRESS' })
  t.match(await attempts.attempt(to('http://0.0.0.0/')), { statusCode: null, error: 'BLOCKED_ADDRESS' })
  t.equal(sockets.length, 0)

  // Node asks no lookup for an address; without the second look this would reach the receiver.
  const elsewhere = { hostname: '127.0.0.1', port, secure: false, addresses: [four('127.0.0.2')] }
  const failure = await new Promise((resolve) => openConnector()(elsewhere, () => undefined, resolve))
  t.match(failure, { attemptError: 'BLOCKED_ADDRESS' })
  await closed(sockets)
  t.equal(requests.length, 0)
})

t.test('connections are kept and used again, at most so many per endpoint', async (t) => {
  const { port, sockets, requests } = await httpReceiver(
    t,
    (_, response) => void setTimeout(() => response.end('ok'), 5),
  )
  const attempts = attemptsOf(t)
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, () => attempts.attempt(to(`http://127.0.0.1:${port}/`))),
  )
  t.ok(outcomes.every(({ statusCode }) => statusCode === 200))
  t.equal(requests.length, 40)
  t.equal(sockets.length, 8)
  await attempts.attempt(to(`http://127.0.0.1:${port}/`, { endpointId: 'whk_2' }))
  t.equal(sockets.length, 9, 'endpoints share nothing')
})

t.test('what waits for a connection beyond its deadline is never sent', async (t) => {
  const { port, requests } = await httpReceiver(t, (_, response) => {
    if (requests.length === 1) response.end('ok')
    else secondCame()
  })
  let secondCame = (): void => undefined
  const second = new Promise<void>((resolve) => {
    secondCame = resolve
  })
  // Time goes on when the test says so, and not when a loaded machine takes long.
  let timeMs = 0
  const timers: { readonly atMs: number; readonly callback: () => void }[] = []
  const attempts = attemptsOf(t, {
    monotonicMs: () => timeMs,
    later: (ms, callback) => void timers.push({ atMs: timeMs + ms, callback }),
    limits: { perEndpointMax: 1 },
  })
  const outcomes = [1, 2, 3].map(() => attempts.attempt(to(`http://127.0.0.1:${port}/`)))
  t.equal((await outcomes[0]!).error, null)
  await second
  timeMs = 10_000
  for (const { atMs, callback } of timers.splice(0)) if (atMs <= timeMs) callback()
  t.strictSame([(await outcomes[1]!).error, (await outcomes[2]!).error], ['TIMEOUT', 'TIMEOUT'])
  t.equal(requests.length, 2, 'the second was sent and ran out of time, the third was not')
})

t.test('idle connections beyond the bound are closed, the longest unused first', async (t) => {
  const { port, sockets } = await httpReceiver(t)
  const attempts = attemptsOf(t, { limits: { idleMax: 2 } })
  for (const endpointId of ['whk_1', 'whk_2', 'whk_1', 'whk_3']) {
    t.match(await attempts.attempt(to(`http://127.0.0.1:${port}/`, { endpointId })), { statusCode: 200 })
  }
  t.equal(sockets.length, 3)
  await closed(sockets.slice(1, 2))
  t.notOk(sockets[0]!.destroyed || sockets[2]!.destroyed)
})

t.test('a kept connection that the receiver has closed is replaced', async (t) => {
  const { port, sockets } = await tcpReceiver(t, (socket) =>
    onRequest(socket, () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', () =>
        setTimeout(() => socket.destroy(), 5),
      )
    }),
  )
  const attempts = attemptsOf(t)
  for (const n of [1, 2, 3]) {
    t.match(await attempts.attempt(to(`http://127.0.0.1:${port}/`)), { statusCode: 200, error: null })
    await closed(sockets.slice(0, n))
  }
  t.equal(sockets.length, 3)
})

t.test('an answer with Connection: close is followed by a new connection, also at once', async (t) => {
  const { port, sockets } = await httpReceiver(t, (_, response) =>
    response.setHeader('Connection', 'close').end('ok'),
  )
  const attempts = attemptsOf(t)
  for (const _ of [1, 2, 3]) {
    t.match(await attempts.attempt(to(`http://127.0.0.1:${port}/`)), { statusCode: 200, error: null })
  }
  t.equal(sockets.length, 3)
})

t.test('a request that a kept connection does not answer is sent once more, on a new one', async (t) => {
  const { port, sockets, received } = await fickleReceiver(t, (count) => (count === 1 ? ok : null))
  const attempts = attemptsOf(t)
  for (const _ of [1, 2, 3, 4])
    t.match(await attempts.attempt(to(`http://127.0.0.1:${port}/`)), { statusCode: 200, error: null })
  t.equal(sockets.length, 4, 'each is answered once, and closed by the next request')
  t.equal(received.length, 7)
  for (const n of [1, 3, 5]) t.equal(received[n], received[n + 1], 'it is the same, signature included')
})

t.test('so is a request over TLS', async (t) => {
  const served = new WeakSet<object>()
  const { port, sockets, requests } = await httpsReceiver(
    t,
    'receiver-trusted.pem',
    {},
    (request, response) => {
      if (served.has(request.socket)) request.socket.destroy()
      else response.end('ok')
      served.add(request.socket)
    },
  )
  const attempts = attemptsOf(t)
  for (const _ of [1, 2, 3])
    t.match(await attempts.attempt(to(`https://127.0.0.1:${port}/`)), { statusCode: 200, error: null })
  t.strictSame([sockets.length, requests.length], [3, 5])
})

t.test('several kept connections that are closed cost no attempt either', async (t) => {
  let count = 0
  const { port, sockets, received } = await fickleReceiver(t, (ofSocket) => {
    count++
    if (count === 8) for (const socket of sockets) socket.write(ok)
    if (count <= 8) return ''
    return ofSocket === 1 ? ok : null
  })
  const attempts = attemptsOf(t)
  const eight = () =>
    Promise.all(Array.from({ length: 8 }, () => attempts.attempt(to(`http://127.0.0.1:${port}/`))))
  t.ok((await eight()).every(({ error }) => error === null))
  t.equal(sockets.length, 8)
  t.ok((await eight()).every(({ error }) => error === null))
  t.equal(received.length, 24)
  t.equal(sockets.length, 16, 'never more than eight of them open')
})

t.test('a repeat that fails is a failed attempt', async (t) => {
  let count = 0
  const { port, received } = await fickleReceiver(t, () => (++count === 1 ? ok : null))
  const attempts = attemptsOf(t)
  t.match(await attempts.attempt(to(`http://127.0.0.1:${port}/`)), { statusCode: 200, error: null })
  t.match(await attempts.attempt(to(`http://127.0.0.1:${port}/`)), { statusCode: null, error: 'CONNECTION' })
  t.equal(received.length, 3)
})

t.test('nothing is sent again on a new connection, or once an answer has begun', async (t) => {
  const first = await fickleReceiver(t, () => null)
  const attempts = attemptsOf(t)
  t.match(await attempts.attempt(to(`http://127.0.0.1:${first.port}/`)), { error: 'CONNECTION' })
  t.equal(first.received.length, 1)
  for (const begun of ['H', 'HTTP/1.1 100 Continue\r\n\r\n']) {
    const { port, received } = await fickleReceiver(t, (count, socket) => {
      if (count === 1) return ok
      socket.end(begun)
      return ''
    })
    const target = to(`http://127.0.0.1:${port}/`, { endpointId: `whk_${begun}` })
    t.match(await attempts.attempt(target), { statusCode: 200 })
    t.match(await attempts.attempt(target), { statusCode: null, error: 'CONNECTION' })
    t.equal(received.length, 2)
  }
})

t.test('a repeat has the rest of the ten seconds, and is not made after them', async (t) => {
  let timeMs = 0
  const timers: (() => void)[] = []
  let count = 0
  let thirdCame = (): void => undefined
  const third = new Promise<void>((resolve) => {
    thirdCame = resolve
  })
  const { port, received } = await fickleReceiver(t, () => {
    count++
    if (count === 3) thirdCame()
    if (count === 1) return ok
    return count === 2 ? null : ''
  })
  const attempts = attemptsOf(t, {
    monotonicMs: () => timeMs,
    later: (_, callback) => void timers.push(callback),
  })
  t.match(await attempts.attempt(to(`http://127.0.0.1:${port}/`)), { statusCode: 200 })
  timeMs = 20_000
  for (const callback of timers.splice(0)) callback()
  const outcome = attempts.attempt(to(`http://127.0.0.1:${port}/`))
  await third
  timeMs = 30_000
  for (const callback of timers.splice(0)) callback()
  t.match(await outcome, { statusCode: null, error: 'TIMEOUT', latencyMs: 10_000 })
  t.equal(received.length, 3)
})

t.test('a connection is kept no longer than the bound, whatever the receiver offers', async (t) => {
  const { port, sockets } = await httpReceiver(t, (_, response) => {
    response.setHeader('Connection', 'keep-alive').setHeader('Keep-Alive', 'timeout=300').end('ok')
  })
  await attemptsOf(t, { limits: { idleMs: 50 } }).attempt(to(`http://127.0.0.1:${port}/`))
  await closed(sockets)
  t.equal(sockets.length, 1)
})

t.test('a connection is not used once the receiver may close it', async (t) => {
  const { port, sockets } = await httpReceiver(t, (_, response) => {
    response.setHeader('Connection', 'keep-alive').setHeader('Keep-Alive', 'timeout=5').end('ok')
  })
  let timeMs = 0
  const attempts = attemptsOf(t, { monotonicMs: () => timeMs })
  for (const [afterMs, opened] of [
    [0, 1],
    [3_999, 1],
    [4_000, 2],
  ] as const) {
    timeMs += afterMs
    t.match(await attempts.attempt(to(`http://127.0.0.1:${port}/`)), { statusCode: 200 })
    t.equal(sockets.length, opened)
  }
})

t.test('an endpoint that is moved is found at its new URL, and has no more connections by it', async (t) => {
  const { port, sockets } = await httpReceiver(t)
  const elsewhere = await httpReceiver(t)
  const attempts = attemptsOf(t)
  for (const url of [`http://127.0.0.1:${port}/a`, `http://127.0.0.1:${port}/b`])
    t.match(await attempts.attempt(to(url)), { statusCode: 200, url })
  t.equal(sockets.length, 1)
  await attempts.attempt(to(`http://127.0.0.1:${elsewhere.port}/`))
  t.equal(elsewhere.requests.length, 1)
})

t.test('closing ends the kept connections', async (t) => {
  const { port, sockets } = await httpReceiver(t)
  const attempts = attemptsOf(t)
  await attempts.attempt(to(`http://127.0.0.1:${port}/`))
  attempts.close()
  await closed(sockets)
  t.equal(sockets.length, 1)
})

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** A receiver that writes what `answer` gives to the requests of a socket; at null it closes the socket without a word. */
const fickleReceiver = async (t: Test, answer: (count: number, socket: Socket) => string | null) => {
  const received: string[] = []
  const receiver = await tcpReceiver(t, (socket) =>
    onRequest(socket, (count, text) => {
      received.push(text)
      const answered = answer(count, socket)
      if (answered === null) socket.destroy()
      else socket.write(answered)
    }),
  )
  return { ...receiver, received }
}

const closed = async (sockets: readonly Socket[]): Promise<void> => {
  for (const socket of sockets) {
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  }
}

const unusedPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
