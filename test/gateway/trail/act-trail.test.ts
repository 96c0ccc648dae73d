import t from 'tap'
import { evolveSessions, factsOf, newSessions } from '../../../engine/people/evolve.ts'
import type { SessionFact } from '../../../engine/people/session.ts'
import { newActTrail } from '../../../gateway/trail/act-trail.ts'
import { openDesk, tokenOf } from '../operations/people/desk.ts'

const roles = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const

/** A member of two companies ends its other sessions three times, while the clock stands. */
const threeActs = async () => {
  const desk = openDesk()
  const companies = [await desk.newCompany('Azul'), await desk.newCompany('Verde')]
  const { by } = await desk.member(companies[0]!, 'ana@example.com', roles)
  await desk.operate('team invite', { company: companies[1], email: 'ana@example.com', roles })
  const token = tokenOf(desk.mails, 'ana@example.com')
  await desk.operate('invitations accept', { token, password: 'ana@example.com tem senha' }, desk.stranger)
  for (let n = 0; n < 3; n++) await desk.operate('me end-others', {}, by)
  return { desk, accountIds: companies.map((id) => `${id}/PRODUCTION`) }
}

const settled = async (): Promise<void> => {
  for (let n = 0; n < 50; n++) await new Promise(setImmediate)
}

/** A node that begins with what the log has, and what it tells whom. */
const newNode = (facts: readonly SessionFact[], away: ReadonlySet<string> = new Set()) => {
  const trail = newActTrail()
  const told: (readonly [string, number])[] = []
  const stored: SessionFact[] = []
  trail.open({
    record: async (accountId, { sequence }) => {
      if (away.has(accountId)) throw new Error('no owner')
      told.push([accountId, sequence])
    },
    append: async (decide) => {
      for (const fact of decide() ?? []) {
        stored.push(fact)
        trail.apply(fact)
      }
    },
    realNow: () => 0,
    onTrouble: () => undefined,
    pause: () => new Promise(() => undefined),
  })
  facts.forEach(trail.apply)
  return { trail, told, stored }
}

t.test('every company of a person is told its acts in order, under numbers that grow', async (t) => {
  const { desk, accountIds } = await threeActs()
  const { trail, told, stored } = newNode(factsOf(desk.sessions))
  trail.report()
  await settled()
  const nowMs = desk.now()
  for (const accountId of accountIds)
    t.strictSame(
      told.filter(([id]) => id === accountId).map(([, sequence]) => sequence),
      [nowMs, nowMs + 1, nowMs + 2],
    )
  t.strictSame(stored.at(-1), { type: 'ActsRecorded', upTo: nowMs + 2 })
  const count = stored.length
  trail.report()
  await settled()
  t.equal(stored.length, count, 'nothing is left to tell')
})

t.test(
  'what one account is not told yet waits over a start, and the number goes on from the last',
  async (t) => {
    const { desk, accountIds } = await threeActs()
    const [near, far] = accountIds as [string, string]
    const first = newNode(factsOf(desk.sessions), new Set([far]))
    first.trail.report()
    await settled()
    t.equal(first.told.filter(([id]) => id === near).length, 3)
    for (const fact of first.stored) evolveSessions(desk.sessions, fact)
    t.equal(desk.sessions.acts.size, 3)

    const again = newNode(factsOf(desk.sessions))
    again.trail.report()
    await settled()
    t.equal(again.told.filter(([id]) => id === far).length, 3)
    for (const fact of again.stored) evolveSessions(desk.sessions, fact)
    const kept = factsOf(desk.sessions).reduce(evolveSessions, newSessions())
    t.equal(kept.acts.size, 0)
    t.equal(kept.lastAct, desk.now() + 2)
  },
)

t.test('what is told while it is stored how far it was told is stored as well', async (t) => {
  const { desk } = await threeActs()
  const trail = newActTrail()
  const stored: number[] = []
  const [first, ...later] = [...desk.sessions.acts.values()]
  const queued = (act: typeof first): SessionFact => ({ type: 'ActQueued', act: act! })
  trail.open({
    record: async () => undefined,
    append: async (decide) => {
      // Others are queued and told before the fact is on disk.
      for (const act of stored.length === 0 ? later : []) trail.apply(queued(act))
      trail.report()
      await settled()
      for (const fact of decide() ?? []) {
        if (fact.type === 'ActsRecorded') stored.push(fact.upTo)
        trail.apply(fact)
      }
    },
    realNow: () => 0,
    onTrouble: (error) => t.fail(String(error)),
  })
  trail.apply(queued(first))
  trail.report()
  // Each time that it is stored takes as long as this by itself.
  for (let n = 0; n < 10; n++) await settled()
  t.equal(stored.at(-1), later.at(-1)!.sequence)
})
