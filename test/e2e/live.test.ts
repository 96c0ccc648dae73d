import t, { type Test } from 'tap'
import { type Listened, listenTo } from './event-source.ts'
import { newMerchant, posted, startService, until } from './service.ts'
import { type DirectMember, signInDirectly } from './sign-in-directly.ts'
import { transports } from './transports.ts'

const owner = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const

/** Two companies with a person each, and no endpoint anywhere. */
const openWorld = async (t: Test, TRANSPORT: string, sessionEndsInMs?: number) => {
  const first = await startService(t, { env: { TRANSPORT } })
  const own = await newMerchant(first)
  const other = await newMerchant(first, { name: 'Outra Loja' })
  const started = await signInDirectly(
    t,
    first,
    [
      { companyId: own.company.id, roles: owner, ...(sessionEndsInMs && { endsInMs: sessionEndsInMs }) },
      { companyId: other.company.id, roles: owner },
    ],
    { env: { TRANSPORT } },
  )
  const { service, members } = started
  const open: Listened[] = []
  t.teardown(() => {
    for (const { close } of open) close()
  })
  const listen = async ({ headers }: DirectMember, lastEventId?: string): Promise<Listened> => {
    const listened = await listenTo(`${service.origin}/v1/live`, headers, lastEventId)
    open.push(listened)
    return listened
  }
  const [person, stranger] = members as [DirectMember, DirectMember]
  const charge = () => posted(person.call, '/v1/pix/charges', { amount: 100 })
  return { service, own, person, stranger, listen, charge }
}

for (const transport of transports) {
  t.test(
    `${transport}: each person hears of the own company, whichever worker has the connection`,
    async (t) => {
      const { service, person, stranger, listen, charge } = await openWorld(t, transport)
      const streams = await Promise.all(Array.from({ length: 5 }, () => listen(person)))
      const elsewhere = await listen(stranger)
      for (const { status, headers } of streams) {
        t.equal(status, 200)
        t.equal(headers['content-type'], 'text/event-stream')
        t.equal(headers['cache-control'], 'no-store')
        t.notOk(headers['set-cookie'])
      }
      const charged = await charge()
      for (const stream of streams) {
        const event = await stream.event(({ data }) => data.type === 'payment.pending')
        t.match(event, {
          type: 'message',
          id: /^evt_/,
          data: { object: 'transaction', id: charged.id, version: charged.version },
        })
      }
      const others = await posted(stranger.call, '/v1/pix/charges', { amount: 5 })
      t.equal((await elsewhere.event()).data.id, others.id, 'the first that it hears is its own')

      service.expectLimit('RATE_LIMITED')
      const sixth = await listen(person)
      t.match(sixth, { status: 429, headers: { 'retry-after': '15' } })
      streams[0]!.close()
      await until(async () => (await listen(person)).status === 200)
    },
  )

  t.test(`${transport}: a connection that broke resumes, one that is too late starts over`, async (t) => {
    const { person, listen, charge } = await openWorld(t, transport)
    const first = await listen(person)
    const one = await charge()
    await first.event(({ data }) => data.id === one.id && data.type === 'payment.pending')
    first.close()
    const missed = [await charge(), await charge()]
    const second = await listen(person, first.lastEventId())
    const ids = new Set<string>()
    for (; ids.size < missed.length; ) ids.add((await second.event()).data.id)
    t.strictSame(
      [...ids],
      missed.map(({ id }) => id),
      'those it missed, and no other',
    )
    await second.event(({ data }) => data.id === missed[1].id && data.type === 'payment.pending')
    const resumed = await listen(person, second.lastEventId())
    const last = await charge()
    t.equal((await resumed.event()).data.id, last.id)

    const late = await listen(person, 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV')
    t.match(await late.event(), { type: 'reset', data: {} })
    const next = await charge()
    t.equal((await late.event()).data.id, next.id)
  })

  t.test(`${transport}: a stream ends with the session, the membership, and the service`, async (t) => {
    const { service, person, stranger, listen } = await openWorld(t, transport, 25_000)
    const [short, long, silent] = [await listen(person), await listen(stranger), await listen(stranger)]
    t.equal(short.status, 200)
    // A quiet connection is kept, and says so.
    await Promise.all([long.comment(), silent.comment()])
    t.equal(await short.ended, true, 'the session has reached its end')
    t.equal((await listen(person)).status, 401)

    const stopped = service.kill('SIGTERM')
    t.equal(await long.ended, true)
    t.equal(await stopped, 0)
  })

  t.test(`${transport}: a stream ends when the company is suspended`, async (t) => {
    const { service, own, person, stranger, listen } = await openWorld(t, transport)
    const [mine, others] = [await listen(person), await listen(stranger)]
    await service.operate('companies suspend', { id: own.company.id })
    t.equal(await mine.ended, true)
    const charged = await posted(stranger.call, '/v1/pix/charges', { amount: 5 })
    t.equal((await others.event()).data.id, charged.id)
    t.equal((await listen(person)).status, 404)
  })
}
