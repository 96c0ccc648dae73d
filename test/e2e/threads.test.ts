import t from 'tap'
import { client } from '../gateway/wire/wire.ts'
import { newMerchant, programOf, startService } from './service.ts'

const env = { WORKERS: '2', SHARDS: '2', RATE_LIMIT: '0' }

const chargeOf = (secret: string, key: string): string => {
  const body = '{"amount":1990}'
  return (
    `POST /v1/pix/charges HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nIdempotency-Key: ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}

t.test(
  'clients that vanish while their charges wait for the flush: each charge is there, once',
  async (t) => {
    const service = await startService(t, { env })
    const { call, key } = await newMerchant(service)
    const port = Number(new URL(service.origin).port)
    const keys = Array.from({ length: 40 }, (_, n) => `vanished-${n}`)
    const clients = keys.map((name) => {
      const vanishing = client(port)
      vanishing.send(chargeOf(key.secret, name))
      return vanishing
    })
    // An answer to the last one: by then the others have at least been read.
    await clients.at(-1)!.answer('POST')
    for (const vanishing of clients) vanishing.destroy()
    for (const name of keys)
      t.equal(
        (await call('POST', '/v1/pix/charges', { amount: 1990 }, { 'Idempotency-Key': name })).status,
        201,
      )
    t.equal((await call('GET', '/v1/pix/charges')).body.pagination.total, keys.length)
    t.equal(await service.kill('SIGTERM'), 0)
  },
)

t.test(
  'a client that reads nothing holds up nobody, and gets the whole of its answer once it reads',
  async (t) => {
    const service = await startService(t, { env })
    const { call, key } = await newMerchant(service)
    for (let n = 0; n < 100; n += 20)
      await Promise.all(
        Array.from({ length: 20 }, () =>
          call('POST', '/v1/pix/charges', { amount: 1990, description: 'x'.repeat(140) }),
        ),
      )
    const port = Number(new URL(service.origin).port)
    const slow = Array.from({ length: 8 }, () => {
      const reader = client(port)
      reader.pause()
      reader.send(
        `GET /v1/pix/charges?pageSize=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret}\r\n\r\n`,
      )
      return reader
    })
    for (let n = 0; n < 20; n++) t.equal((await call('POST', '/v1/pix/charges', { amount: 1 })).status, 201)
    for (const reader of slow) {
      reader.resume()
      const { status, body } = await reader.answer()
      t.equal(status, 200)
      t.equal(JSON.parse(body).data.length, 100)
      reader.destroy()
    }
  },
)

for (const index of [0, 1])
  t.test(
    `thread ${index} that fails ends the service in order, and what was answered is there`,
    async (t) => {
      const program = programOf('failing-main')
      const service = await startService(t, { env, program })
      const { key } = await newMerchant(service)
      const ended = new Promise<number | null>((resolve) => service.process.once('exit', resolve))
      const answered: string[] = []
      const create = async (n: number): Promise<void> => {
        for (let at = 0; ; at++) {
          const name = `charge-${n}-${at}`
          const response = await fetch(`${service.origin}/v1/pix/charges`, {
            method: 'POST',
            headers: {
              Authorization: `Bearer ${key.secret}`,
              'Content-Type': 'application/json',
              'Idempotency-Key': name,
            },
            body: '{"amount":1990}',
          }).catch(() => null)
          if (response === null) return
          if (response.status === 201) answered.push(name)
          if (answered.length === 100) service.process.send!(index)
        }
      }
      await Promise.all(Array.from({ length: 16 }, (_, n) => create(n)))
      t.equal(await ended, 1)
      t.match(service.log(), /a worker failed; the service stops/)
      t.match(service.log(), /as the test said/)

      const again = await startService(t, { env, dataDir: service.dataDir })
      for (const name of answered) {
        const response = await fetch(`${again.origin}/v1/pix/charges`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${key.secret}`,
            'Content-Type': 'application/json',
            'Idempotency-Key': name,
          },
          body: '{"amount":1990}',
        })
        t.equal(response.headers.get('idempotent-replayed'), 'true', name)
      }
    },
  )
