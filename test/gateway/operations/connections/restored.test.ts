import t from 'tap'
import type { CompanyConnection } from '../../../../engine/companies/connection.ts'
import { railConnectionOf } from '../../../../engine/connections/rail-connection.ts'
import type { ConnectionId } from '../../../../engine/shared/ids.ts'
import { openRails } from '../../../../gateway/operations/connections/rails.ts'
import { liveState } from '../../../engine/connections/live.ts'
import { companyId } from '../../../engine/world.ts'
import { someSettings } from '../../providers/made-up-bank.ts'
import { newOperator } from '../operator.ts'

const place = { company: companyId, environment: 'production' }

/** A company with an active connection, whose directory can be put back to a moment before while its account goes on. */
const restorable = async () => {
  const operator = await newOperator()
  const { operate, directory, world } = operator
  const { id } = await operate('connections create', {
    ...place,
    provider: 'made-up-bank',
    settings: someSettings,
  })
  const byId = directory.connections.byId as Map<ConnectionId, CompanyConnection>
  const applied = directory.connections.applied as Map<ConnectionId, number>
  return {
    ...operator,
    id: id as ConnectionId,
    does: (name: string, more: object = {}) => operate(`connections ${name}`, { id, ...more }),
    stored: () => byId.get(id)!,
    known: () => liveState(world).rails?.find(({ connectionId }) => connectionId === id),
    takesMoney: () => railConnectionOf(liveState(world), 'PIX') !== null,
    /** What brings the directory back to this moment. */
    moment: () => {
      const [connection, revision] = [byId.get(id)!, applied.get(id)]
      return (): void => {
        byId.set(id, connection)
        if (revision === undefined) applied.delete(id)
        else applied.set(id, revision)
      }
    },
    /** What a process does that starts. */
    start: () => openRails(operator.railsOptions),
  }
}

const active = async () => {
  const found = await restorable()
  await found.does('verify')
  await found.does('activate')
  return found
}

t.test('a retired connection stays so where the directory was restored to before', async (t) => {
  const { does, moment, start, id, stored, known, takesMoney, faults } = await active()
  const before = moment()
  await does('retire')
  before()
  t.equal(stored().state, 'ACTIVE')
  await start().apply(id)
  t.match(stored(), { state: 'RETIRED', former: null })
  t.match(known(), { state: 'RETIRED' })
  t.equal(takesMoney(), false)
  t.strictSame(faults, [`${id} is behind its account`])
  await t.rejects(does('resume'), /is RETIRED/)
})

t.test('and where people change it before a process has compared the two', async (t) => {
  const { does, moment, stored, known } = await active()
  const before = moment()
  await does('retire')
  before()
  // The operations' own process compared them before the restore: this is what comes without a comparison first.
  await does('suspend')
  await does('resume').catch(() => undefined)
  t.match(stored(), { state: 'RETIRED' })
  t.match(known(), { state: 'RETIRED' })
})

t.test('a suspended one takes no money until a person resumes it', async (t) => {
  const { does, moment, start, id, stored, known, takesMoney, facts } = await active()
  const before = moment()
  await does('suspend')
  before()
  await start().apply(id)
  t.match(stored(), { state: 'SUSPENDED', suspension: 'DATA_RESTORED' })
  t.match(known(), { state: 'SUSPENDED', revision: stored().revision })
  t.match(facts.findLast(({ type }) => type === 'ConnectionCaughtUp')?.audit, {
    changes: [
      { field: 'status', before: 'ACTIVE', after: 'SUSPENDED' },
      { field: 'suspension', before: null, after: 'DATA_RESTORED' },
    ],
  })
  t.equal(takesMoney(), false)
  t.match(await does('resume'), { status: 'ACTIVE', suspendedBecause: null })
  t.equal(takesMoney(), true, 'what a person decides later counts')
})

t.test('one whose rotation is lost waits for a person, and takes the next one', async (t) => {
  const { does, moment, start, id, stored, takesMoney } = await active()
  const before = moment()
  await does('rotate', { settings: { clientSecret: 'the next secret' } })
  before()
  await start().apply(id)
  t.match(stored(), { state: 'SUSPENDED', suspension: 'DATA_RESTORED' })
  t.match(await does('rotate', { settings: { clientSecret: 'the next secret' } }), { status: 'SUSPENDED' })
  t.equal(takesMoney(), false, 'a rotation alone resumes only what waited for a certificate')
  await does('resume')
  t.equal(takesMoney(), true)
})

t.test('one that the directory has as a draft once more stops, and is not lost', async (t) => {
  const { does, moment, start, id, stored, known } = await restorable()
  const before = moment()
  await does('verify')
  await does('activate')
  before()
  t.equal(stored().state, 'DRAFT')
  start().applyMissing()
  await start().apply(id)
  t.match(stored(), { state: 'SUSPENDED', suspension: 'DATA_RESTORED' })
  t.match(known(), { state: 'SUSPENDED' })
})

t.test('an account that was restored to before has what the directory says', async (t) => {
  const { does, start, id, stored, known, world, faults } = await active()
  const wasActive = known()!
  await does('suspend')
  const account = liveState(world) as unknown as { rails: unknown }
  account.rails = [wasActive]
  await start().apply(id)
  t.match(known(), { state: 'SUSPENDED', revision: stored().revision })
  await does('retire')
  account.rails = []
  await start().apply(id)
  t.match(known(), { state: 'RETIRED' }, 'refunds of what came by it find it')
  t.strictSame(faults, [])
})

t.test('what the directory has stopped is stopped before a start takes anything new', async (t) => {
  const { does, moment, start, stored, known, takesMoney, world, id, commit } = await active()
  const wasActive = known()!
  await does('suspend')
  const account = liveState(world) as unknown as { rails: unknown }
  account.rails = [wasActive]
  await commit(() => ({ type: 'ConnectionApplied', id, revision: wasActive.revision, atMs: world.now() }))
  t.equal(takesMoney(), true)
  await start().stopFirst()
  t.match(known(), { state: 'SUSPENDED', revision: stored().revision })
  const before = moment()
  await does('resume')
  before()
  await start().stopFirst()
  t.equal(takesMoney(), true, 'it waits for nothing else')
})

t.test('where both are as they were, a start changes nothing', async (t) => {
  const { start, id, world, facts } = await active()
  const [entries, before] = [world.journal.appended(), facts.length]
  await start().apply(id)
  t.strictSame([world.journal.appended(), facts.length], [entries, before])
})
