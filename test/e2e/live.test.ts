import t, { type Test } from 'tap'
import { type Listened, listenTo } from './event-source.ts'
import { posted, until } from './service.ts'
import type { DirectMember } from './sign-in-directly.ts'
import { type StoryPlan, type StoryWorld, shareService, startForStory } from './stories.ts'
import { transports } from './transports.ts'

const owner = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const

/** Two companies with a person each, and no endpoint anywhere. */
const plan = (endsInMs?: number): StoryPlan => ({
  people: [{ roles: owner, ...(endsInMs && { endsInMs }) }],
  others: [{ name: 'Outra Loja', people: [{ roles: owner }] }],
})

const worldOf = (t: Test, { service, company, members, others }: StoryWorld) => {
  const open: Listened[] = []
  t.teardown(() => {
    for (const { close } of open) close()
  })
  const listen = async ({ headers }: DirectMember, lastEventId?: string): Promise<Listened> => {
    const listened = await listenTo(`${service.origin}/v1/live`, headers, lastEventId)
    open.push(listened)
    return listened
  }
  const [person, stranger] = [members[0]!, others[0]!.members[0]!]
  const charge = () => posted(person.call, '/v1/pix/charges', { amount: 100 })
  return { service, company, person, stranger, listen, charge }
}

/** A service of its own, in which the session of the first person is still good once it has started, and ends soon. */
const startWithShortSession = async (t: Test, env: Record<string, string>) => {
  for (let endsInMs = 10_000; ; endsInMs *= 2) {
    const world = worldOf(t, await startForStory(t, plan(endsInMs), { env }))
    const short = await world.listen(world.person)
    if (short.status === 200) return { ...world, short }
    await world.service.kill('SIGKILL')
  }
}

for (const TRANSPORT of transports) {
  const { story: storyIn } = shareService(t, { env: { TRANSPORT } })
  const story = (
    title: string,
    tell: (t: Test, world: ReturnType<typeof worldOf>) => Promise<unknown>,
  ): void => storyIn(`${TRANSPORT}: ${title}`, plan(), (t, world) => tell(t, worldOf(t, world)))

  story(
    'each person hears of the own company, whichever worker has the connection',
    async (t, { service, person, stranger, listen, charge }) => {
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

  story(
    'a connection that broke resumes, one that is too late starts over',
    async (t, { person, listen, charge }) => {
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
    },
  )

  t.test(`${TRANSPORT}: a stream ends with the session, the membership, and the service`, async (t) => {
    const { service, person, stranger, listen, short } = await startWithShortSession(t, { TRANSPORT })
    const [long, silent] = [await listen(stranger), await listen(stranger)]
    t.equal(short.status, 200)
    // A quiet connection is kept, and says so.
    await Promise.all([long.comment(), silent.comment()])
    t.equal(await short.ended, true, 'the session has reached its end')
    t.equal((await listen(person)).status, 401)

    const stopped = service.kill('SIGTERM')
    t.equal(await long.ended, true)
    t.equal(await stopped, 0)
  })

  story(
    'a stream ends when the company is suspended',
    async (t, { service, company, person, stranger, listen }) => {
      const [mine, others] = [await listen(person), await listen(stranger)]
      await service.operate('companies suspend', { id: company.id })
      t.equal(await mine.ended, true)
      const charged = await posted(stranger.call, '/v1/pix/charges', { amount: 5 })
      t.equal((await others.event()).data.id, charged.id)
      t.equal((await listen(person)).status, 404)
    },
  )
}
