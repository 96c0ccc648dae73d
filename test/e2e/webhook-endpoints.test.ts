import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Stripe from 'stripe'
import t, { type Test } from 'tap'
import type { DirectoryFact } from '../../engine/companies/directory.ts'
import { openFactLog } from '../../persistence/journal/fact-log.ts'
import { killAndRestart } from './kill-and-restart.ts'
import {
  type Call,
  type Heard,
  newMerchant,
  type Service,
  startReceiver,
  startService,
  until,
} from './service.ts'
import { streams } from './streams.ts'

/** A merchant's server that answers when it is told to. */
const startHeldReceiver = async (t: Test) => {
  const heard: Heard[] = []
  const held: ServerResponse[] = []
  const wake: (() => void)[] = []
  let answer: number | null = null
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      heard.push({ headers: request.headers, body, event: JSON.parse(body) })
      if (answer === null) held.push(response)
      else response.writeHead(answer).end()
      for (const resolve of wake.splice(0)) resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/held`,
    heard,
    count: async (count: number): Promise<void> => {
      while (heard.length < count) await new Promise<void>((resolve) => wake.push(resolve))
    },
    /** Answers those that wait, each as it is told; later ones at once, with the last of these. */
    release: (...statuses: readonly number[]): void => {
      answer = statuses.at(-1)!
      held.splice(0).forEach((response, n) => void response.writeHead(statuses[n] ?? answer!).end())
    },
    hold: (): void => {
      answer = null
    },
  }
}

const created = (call: Call, amount = 1000) => call('POST', '/v1/pix/charges', { amount })

/** The deliveries of an endpoint, the newest first. */
const deliveriesOf = async (service: Service, id: string): Promise<any[]> =>
  (await service.operate('webhooks deliveries', { id })).data

const statusesOf = async (service: Service, id: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { status } of await deliveriesOf(service, id)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Until the deliveries are like that; the test's own time limit is the bound. */
const untilStatuses = (service: Service, id: string, wanted: Record<string, number>) =>
  until(async () => {
    const found = await statusesOf(service, id)
    return (
      Object.keys(found).length === Object.keys(wanted).length &&
      Object.entries(wanted).every(([status, count]) => found[status] === count)
    )
  })

const verifies = ({ body, headers }: Heard, secret: string): boolean => {
  try {
    new Stripe('sk_test_unused').webhooks.constructEvent(body, String(headers['service-signature']), secret)
    return true
  } catch {
    return false
  }
}

for (const [name, streamEnv] of streams) {
  t.test(`${name}: a new URL and a new secret hold for what waits for its attempt, too`, async (t) => {
    const service = await startService(t, { env: await streamEnv(t) })
    const { company, call } = await newMerchant(service)
    const [held, other] = [await startHeldReceiver(t), await startReceiver(t)]
    const of = { company: company.id, environment: 'sandbox', events: 'payment.created' }
    const endpoint = await service.operate('webhooks create', { ...of, url: held.url })
    await Promise.all(Array.from({ length: 6 }, () => created(call)))
    // An attempt that is held for ten seconds is over: what happens meanwhile must be no process that has to start first.
    await held.count(2)
    await untilStatuses(service, endpoint.id, { PENDING: 6 })
    t.equal(held.heard.length, 2, 'the others wait: it has not answered yet')
    t.ok(held.heard.every((one) => verifies(one, endpoint.secret)))

    const moved = await service.operate('webhooks update', { id: endpoint.id, url: other.url })
    t.match(moved, { id: endpoint.id, url: other.url, events: ['payment.created'], status: 'ENABLED' })
    const rotated = await service.operate('webhooks rotate', { id: endpoint.id })
    held.release(200)
    for (const one of await other.count(4)) {
      t.ok(verifies(one, rotated.secret))
      t.notOk(verifies(one, endpoint.secret))
      t.notMatch(one.headers['service-signature'], /v1=.*v1=/)
    }
    t.equal(held.heard.length, 2)
    await untilStatuses(service, endpoint.id, { SUCCEEDED: 6 })
    t.strictSame(
      (await deliveriesOf(service, endpoint.id)).map(({ attempts }) => attempts[0].url).sort(),
      [held.url, held.url, other.url, other.url, other.url, other.url].sort(),
      'D27: each attempt says where it went',
    )
    const updated = await service.command('webhooks', 'update', endpoint.id, '--url', other.url)
    t.strictSame(updated, { ...moved, updatedAt: updated.updatedAt })

    // What is known is known after a start.
    await service.kill('SIGTERM')
    const again = await startService(t, { dataDir: service.dataDir, env: await streamEnv(t) })
    await again.operate('webhooks test', { id: endpoint.id, type: 'payment.created' })
    const heard = await other.count(5)
    t.ok(verifies(heard.at(-1)!, rotated.secret))
  })

  t.test(`${name}: a disabled endpoint hears nothing, and what waited for it is cancelled`, async (t) => {
    const service = await startService(t, { env: await streamEnv(t) })
    const { company, call } = await newMerchant(service)
    const receiver = await startHeldReceiver(t)
    const of = { company: company.id, environment: 'sandbox', url: receiver.url }
    const endpoint = await service.operate('webhooks create', { ...of, events: 'payment.created' })
    receiver.release(500)
    for (let n = 0; n < 3; n++) await created(call)
    await untilStatuses(service, endpoint.id, { RETRYING: 3 })
    receiver.hold()
    await Promise.all(Array.from({ length: 9 }, () => created(call)))
    await receiver.count(3 + 2)
    // An event that the stream brings after that is no delivery at all.
    await until(async () => (await deliveriesOf(service, endpoint.id)).length === 12)
    t.match(await service.operate('webhooks disable', { id: endpoint.id }), { status: 'DISABLED' })
    await untilStatuses(service, endpoint.id, { CANCELLED: 12 })
    // The first of those that are under way is taken, and the delivery says so.
    receiver.release(204, 503)
    await untilStatuses(service, endpoint.id, { SUCCEEDED: 1, CANCELLED: 11 })
    t.match(await service.command('webhooks', 'disable', endpoint.id), { status: 'DISABLED' })
    await until(async () => {
      const attempts = (await deliveriesOf(service, endpoint.id)).flatMap(({ attempts }) => attempts)
      return attempts.length === receiver.heard.length
    })
    const heardBefore = receiver.heard.length
    t.ok(heardBefore <= 3 + 8, 'no attempt but those that had a slot')
    for (const name of ['test', 'resend'])
      await t.rejects(
        service.operate(`webhooks ${name}`, {
          id: name === 'test' ? endpoint.id : (await deliveriesOf(service, endpoint.id))[0].id,
        }),
        /is disabled: enable it first/,
      )

    const missed = await created(call)
    t.match(await service.command('webhooks', 'enable', endpoint.id), { status: 'ENABLED' })
    const heardLater = await created(call)
    await receiver.count(heardBefore + 1)
    t.equal(receiver.heard.at(-1)!.event.data.id, heardLater.body.id)
    t.equal((await deliveriesOf(service, endpoint.id)).length, 13, 'nothing of the time in between')

    const span = ['--from', new Date(Date.now() - 3_600_000).toISOString()]
    const replayed = await service.command('webhooks', 'replay', endpoint.id, ...span)
    t.match(replayed, { object: 'replay', events: 14, after: null })
    await receiver.count(heardBefore + 1 + replayed.count)
    t.ok(
      receiver.heard.some(({ event }) => event.data.id === missed.body.id),
      'but a replay has it',
    )
    const bodies = new Map<string, Set<string>>()
    for (const { body, event } of receiver.heard)
      bodies.set(event.id, (bodies.get(event.id) ?? new Set()).add(body))
    t.ok(
      [...bodies.values()].every(({ size }) => size === 1),
      'one event is the same bytes, however often',
    )
    t.equal(bodies.size, 14)
    await t.rejects(
      service.command('webhooks', 'replay', endpoint.id, '--from', 'soon'),
      /from must be a date/,
    )
  })
}

t.test(
  'a deleted endpoint frees its place; what a crash leaves between is done at the next start',
  async (t) => {
    const env = {}
    let service = await startService(t, { env })
    const { company, call } = await newMerchant(service)
    const receiver = await startReceiver(t, () => 503)
    const of = { company: company.id, environment: 'sandbox', url: receiver.url, events: 'payment.created' }
    const endpoints: { id: string }[] = []
    for (let n = 0; n < 20; n++) endpoints.push(await service.operate('webhooks create', of))
    await t.rejects(service.operate('webhooks create', of), /at most 20 endpoints/)
    await created(call)
    for (const { id } of endpoints) await untilStatuses(service, id, { RETRYING: 1 })

    const [first, second, third] = endpoints as [{ id: string }, { id: string }, { id: string }]
    t.match(await service.command('webhooks', 'delete', first.id), { status: 'DELETED' })
    await service.operate('webhooks create', of)
    await untilStatuses(service, first.id, { CANCELLED: 1 })

    // As if the process had ended right behind the fact of the directory.
    await service.kill('SIGKILL')
    const directory = openFactLog<DirectoryFact>(join(service.dataDir, 'directory'))
    await directory.append(() => ({ type: 'EndpointDeleted', id: second.id as never, atMs: Date.now() }))
    await directory.append(() => ({ type: 'EndpointDisabled', id: third.id as never, atMs: Date.now() }))
    await directory.close()
    service = await startService(t, { dataDir: service.dataDir, env })
    for (const { id } of [second, third]) await untilStatuses(service, id, { CANCELLED: 1 })
    t.match(await statusesOf(service, endpoints[3]!.id), { RETRYING: 1 })

    service = await killAndRestart(t, service, env, 'after it was cancelled')
    for (const { id } of [first, second, third]) t.strictSame(await statusesOf(service, id), { CANCELLED: 1 })
    t.equal((await service.operate('webhooks list', {})).data.length, 19)
    t.equal((await service.command('webhooks', 'list', '--deleted')).data.length, 21)
    await t.rejects(service.command('webhooks', 'enable', first.id), /was deleted/)
    t.equal((await service.command('webhooks', 'failures')).total, 0)
  },
)
