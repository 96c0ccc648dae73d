import { createHash } from 'node:crypto'
import t from 'tap'
import { type AuditEntry, hashOfEntry } from '../../../engine/audit/audit-entry.ts'
import type { AuditSource } from '../../../engine/audit/commands.ts'
import { newChainCheck } from '../../../engine/audit/verify.ts'
import type { AuditAsker, AuditDraft } from '../../../engine/shared/audit.ts'
import { auditEntry } from '../../../gateway/resources/account/audit.ts'
import { aCoupon, anEdit, aPlan } from '../billing/catalog.ts'
import { aCharge, account, aPayment, aRefund, key, newWorld } from '../world.ts'

const asker: AuditAsker = {
  actor: { kind: 'PERSON', id: 'per_1', name: 'Ana' },
  sessionId: 'ses_1',
  keyId: null,
  ip: '192.0.2.7',
  userAgent: 'Mozilla/5.0',
  action: 'updatePlan',
  requestId: 'req_1',
}

const aDraft = (changes: Partial<AuditDraft> = {}): AuditDraft => ({
  ...asker,
  atMs: Date.UTC(2026, 10, 20),
  object: { type: 'api_key', id: 'key_1' },
  changes: [],
  result: 'DONE',
  code: null,
  ...changes,
})

const told = (sequence: number | null, draft: AuditDraft = aDraft(), log: AuditSource['log'] = 'DIRECTORY') =>
  ({
    type: 'RecordAudit',
    accountId: account,
    by: key,
    source: sequence === null ? null : { log, sequence },
    draft,
  }) as const

type World = ReturnType<typeof newWorld>

const everyEntry = { page: 1, pageSize: 100, asOf: null, from: null, to: null } as const
const noFilter = { actor: null, action: null, objectId: null } as const
const entriesOf = async (world: World, filter: object = {}): Promise<readonly AuditEntry[]> => {
  const { rows } = await world.shard.query({
    type: 'ListAudit',
    accountId: account,
    ...everyEntry,
    ...noFilter,
    ...filter,
  })
  return rows
}
const verifiedIn = (world: World) => world.shard.query({ type: 'VerifyAudit', accountId: account })

t.test('what a person changes and who it was are one entry of the journal', async (t) => {
  const world = newWorld()
  await world.open()
  const plan = aPlan()
  await world.execute({ ...plan, audit: { ...asker, action: 'createPlan' } })
  const before = world.journal.appended()
  await world.execute({ ...anEdit(plan.planId, { name: 'Novo' }), audit: asker })
  t.equal(world.journal.appended(), before + 1)
  t.strictSame(
    world.journal.at(before + 1).events.map(({ type }) => type),
    ['PlanChanged', 'AuditRecorded', 'AuditChained'],
  )
  const [changed, created] = await entriesOf(world)
  t.match(changed, {
    ...asker,
    object: { type: 'plan', id: plan.planId },
    changes: [{ field: 'name', before: plan.terms.name, after: 'Novo' }],
    result: 'DONE',
    previousHash: created!.hash,
  })
  t.equal(created!.previousHash, null)
  t.ok(
    created!.changes.some(
      ({ field, before, after }) => field === 'amount' && before === null && after !== null,
    ),
  )
})

t.test('what is refused, changes nothing, or is not asked to be recorded, has no entry', async (t) => {
  const world = newWorld()
  await world.open()
  const plan = aPlan()
  await world.execute(plan)
  await world.execute({ ...anEdit(aPlan().planId, {}), audit: asker })
  const charge = await world.accepted(aCharge())
  await world.accepted(aPayment(charge.id))
  t.strictSame(await entriesOf(world), [])
})

t.test('a repeated request with the same key has one entry', async (t) => {
  const world = newWorld()
  await world.open()
  const charge = await world.accepted(aCharge())
  await world.accepted(aPayment(charge.id))
  const refund = {
    ...aRefund(charge.id, 100),
    audit: asker,
    idempotency: { key: 'k', fingerprint: 'f' },
  }
  const [first, again] = [await world.execute(refund), await world.execute(refund)]
  t.match(
    [first, again],
    [
      { accepted: true, replayed: false },
      { accepted: true, replayed: true },
    ],
  )
  const entries = await entriesOf(world)
  t.equal(entries.length, 1)
  t.match(entries[0], { object: { type: 'transaction', id: charge.id } })
})

t.test('what the directory tells twice, and what it told before, has one entry', async (t) => {
  const world = newWorld()
  await world.open()
  for (const sequence of [3, 5, 3, 5]) await world.execute(told(sequence))
  await world.execute(told(null))
  await world.execute(told(null))
  t.equal((await entriesOf(world)).length, 4)
  for (const sequence of [4, 6, 4, 6]) await world.execute(told(sequence, aDraft(), 'SESSIONS'))
  t.equal((await entriesOf(world)).length, 6, 'each log has its own numbers')
})

t.test('the hash is that of the entry as the API shows it, as canonical JSON', async (t) => {
  const world = newWorld()
  await world.open()
  await world.execute(told(1, aDraft({ changes: [{ field: 'ção', before: null, after: '"\u2028🦜' }] })))
  const { hash, ...view } = auditEntry.view((await entriesOf(world))[0]!)
  const canonical = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
    if (value === null || typeof value !== 'object') return JSON.stringify(value)
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
  }
  t.equal(createHash('sha256').update(canonical(view)).digest('hex'), hash)
})

t.test('entries are found by actor, action, object and day', async (t) => {
  const world = newWorld()
  await world.open()
  const byKey: AuditAsker['actor'] = { kind: 'KEY', id: 'key_9', name: 'Loja' }
  await world.execute(told(1, aDraft({ action: 'keys roll' })))
  await world.execute(told(2, aDraft({ actor: byKey, object: { type: 'plan', id: 'pln_1' } })))
  await world.execute(told(3, aDraft({ atMs: Date.UTC(2026, 10, 22, 12) })))
  const counted = async (filter: object) => (await entriesOf(world, filter)).length
  t.equal(await counted({ actor: 'KEY' }), 1)
  t.equal(await counted({ actor: 'key_9' }), 1)
  t.equal(await counted({ actor: 'per_1' }), 2)
  t.equal(await counted({ action: 'keys roll' }), 1)
  t.equal(await counted({ action: 'keys' }), 0)
  t.equal(await counted({ objectId: 'key_1' }), 2)
  t.equal(await counted({ objectId: 'key_1', action: 'keys roll' }), 1)
  t.equal(await counted({ from: '2026-11-22', to: '2026-11-22' }), 1)
})

t.test('a reset of the Sandbox leaves the log, and is in it', async (t) => {
  const world = newWorld()
  await world.open()
  await world.execute({ ...aCoupon(), audit: asker })
  await world.execute({
    type: 'ClearSandbox',
    accountId: account,
    by: key,
    audit: { ...asker, action: 'resetSandbox' },
  })
  await world.execute(told(1))
  t.equal(world.memory.list(account, 'coupon', { offset: 0, limit: 1 }).total, 0)
  t.strictSame((await entriesOf(world)).map(({ action }) => action).sort(), [
    'resetSandbox',
    'updatePlan',
    'updatePlan',
  ])
  t.match(await verifiedIn(world), { entries: 3, brokenAt: null })
  const again = newWorld(
    undefined,
    undefined,
    [...world.journal.replay(0)].map(({ record }) => record),
  )
  t.match(await verifiedIn(again), await verifiedIn(world))
})

t.test('whatever is changed in a chain is found, and where', async (t) => {
  const world = newWorld()
  await world.open()
  for (let sequence = 1; sequence <= 5; sequence++) await world.execute(told(sequence))
  const { entries, headHash } = await verifiedIn(world)
  const chain = (await entriesOf(world)).toSorted((a, b) => a.number - b.number)
  const checked = (changed: readonly AuditEntry[], end: string | null = headHash) => {
    const check = newChainCheck()
    changed.forEach(check.add)
    return check.end(entries, end)
  }
  const id = chain[2]!.id
  t.equal(checked(chain), null)
  t.equal(checked(chain.toReversed()), null)
  t.strictSame(checked(chain.with(2, { ...chain[2]!, ip: '192.0.2.8' })), {
    number: 3,
    id,
    reason: 'CHANGED',
  })
  const forged = { ...chain[2]!, ip: '192.0.2.8' }
  const rehashed = { ...forged, hash: hashOfEntry(forged) }
  t.strictSame(checked(chain.with(2, rehashed)), { number: 4, id: chain[3]!.id, reason: 'UNLINKED' })
  t.strictSame(checked(chain.toSpliced(2, 1)), { number: 3, id: null, reason: 'MISSING' })
  t.strictSame(checked(chain.slice(0, 4)), { number: 5, id: null, reason: 'MISSING' })
  t.strictSame(checked(chain, 'ab'), { number: 5, id: chain[4]!.id, reason: 'UNLINKED' })
})
