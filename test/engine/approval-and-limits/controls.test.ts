import t from 'tap'
import type { SetControls } from '../../../engine/approval-and-limits/commands.ts'
import { controlsOf } from '../../../engine/approval-and-limits/controls.ts'
import type { Standing } from '../../../engine/people/standing.ts'
import type { ChangeId, PersonId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { longStanding } from '../standing.ts'
import { account, newWorld } from '../world.ts'

const ana = { kind: 'PERSON', id: 'per_ana' } as const
const bia = { kind: 'PERSON', id: 'per_bia' } as const
const changeId = (n: number) => `chg_${String(n).padStart(26, '0')}` as ChangeId

const askedBy = (name: string) => ({
  actor: { kind: 'PERSON', id: null, name } as const,
  sessionId: null,
  keyId: null,
  ip: null,
  userAgent: null,
  action: 'test',
  requestId: null,
})

const opened = async () => {
  const world = newWorld()
  await world.open()
  let made = 0
  return {
    ...world,
    set: (wanted: SetControls['wanted'], { hasApprover = true, isPreview = false } = {}) =>
      world.execute({
        type: 'SetControls',
        accountId: account,
        by: ana,
        audit: askedBy('Ana'),
        wanted,
        idOfChange: changeId(++made),
        hasApprover,
        isPreview,
      }),
    decide: (by: typeof ana | typeof bia, n: number, isApproved = true, standing: Standing = longStanding) =>
      world.execute({
        type: 'DecideControlChange',
        accountId: account,
        by,
        audit: askedBy('Bia'),
        changeId: changeId(n),
        isApproved,
        standing,
      }),
    dropChangesOf: (personId: string) =>
      world.execute({
        type: 'DropControlChangesOf',
        accountId: account,
        by: bia,
        personId: personId as PersonId,
      }),
    openAs: (companyType: 'MEI' | 'OTHER', revision: number) =>
      world.execute({
        type: 'OpenAccount',
        accountId: account,
        by: { kind: 'OPERATOR', id: null },
        profile: { ...world.account().profile, companyType, revision },
      }),
    now: () => controlsOf(world.account()),
    pending: () => world.account().controls.pending,
    /** What the notices say that the newest entry has raised. */
    notices: () =>
      world.told.at(-1)!.steps.flatMap(({ event }) => {
        if (event.type !== 'NoticeRaised' || event.notice.kind !== 'LIMIT_CHANGED') return []
        const { objectId, details } = event.notice
        return [{ objectId, ...details }]
      }),
    change: (n: number) => world.memory.find('controlChange', changeId(n))?.state,
  }
}

t.test('an account begins with the limits of the specification, and an MEI with less at night', async (t) => {
  const { now } = await opened()
  t.match(now(), { enabled: true, thresholdCents: 500_000, pixNightCents: 2_000_000, required: 1 })
  const mei = { controls: { own: {}, pending: null }, profile: { companyType: 'MEI' } } as const
  t.equal(controlsOf(mei).pixNightCents, 100_000)
})

t.test('what is stricter counts at once, whatever it is', async (t) => {
  const { set, now, pending } = await opened()
  await set({ enabled: false }, { hasApprover: false })
  const stricter = {
    thresholdCents: toCents(1),
    required: 3,
    expiresAfterHours: 1,
    pixDayCents: toCents(0),
  }
  t.match(await set(stricter), { accepted: true })
  t.match(now(), { ...stricter, enabled: true })
  t.ok(pending(), 'what was pending before still is')
})

t.test('what is looser counts a day after another person has approved it', async (t) => {
  const { set, decide, now, pass, shard, settle, change } = await opened()
  const { pixDayCents } = now()
  await set({ pixDayCents: toCents(2 * pixDayCents), tedDayCents: toCents(5) })
  t.equal(now().tedDayCents, 5, 'the stricter part at once')
  t.equal(now().pixDayCents, pixDayCents)
  t.match(await decide(ana, 1), { rejection: { reason: 'OWN_REQUEST' } })
  t.match(await decide(bia, 1), { accepted: true, state: { status: 'SCHEDULED', decidedBy: 'per_bia' } })
  t.match(await decide(bia, 1), { rejection: { reason: 'INVALID_STATE' } })
  pass(24 * 3_600_000 - 1)
  shard.tick()
  await settle()
  t.equal(now().pixDayCents, pixDayCents)
  pass(1)
  shard.tick()
  await settle()
  t.equal(now().pixDayCents, 2 * pixDayCents)
  t.equal(change(1)!.status, 'EFFECTIVE')
})

t.test('whoever manages limits is told of each step of a change, in the entry of the step', async (t) => {
  const { set, decide, notices, pass, shard, settle, told } = await opened()
  const byAna = { by: 'Ana', effectiveAt: null }
  const looser = { fields: 'pixDayAmount', objectId: changeId(1) }
  await set({ pixDayCents: toCents(99_000_000), tedDayCents: toCents(5), nightStartsAt: '20:00' })
  t.strictSame(notices(), [
    { ...looser, ...byAna, stage: 'REQUESTED' },
    { objectId: null, ...byAna, stage: 'CHANGED', fields: 'tedDayAmount' },
  ])
  const effectiveAt = '2026-11-21T12:00:00.000Z'
  await decide(bia, 1)
  t.strictSame(notices(), [{ ...looser, stage: 'APPROVED', by: 'Bia', effectiveAt }])
  pass(24 * 3_600_000)
  shard.tick()
  await settle()
  t.strictSame(notices(), [{ ...looser, stage: 'EFFECTIVE', by: null, effectiveAt }])
  await set({ expiresAfterHours: 100, required: 3 }, { hasApprover: false })
  t.match(notices(), [
    { stage: 'REQUESTED', fields: 'expiresAfterHours', effectiveAt: '2026-11-22T12:00:00.000Z' },
    { stage: 'CHANGED', fields: 'required' },
  ])
  await decide(ana, 2, false)
  t.match(notices(), [{ stage: 'REJECTED', by: 'Bia', fields: 'expiresAfterHours', effectiveAt: null }])
  const entries = told.length
  await set({ tedDayCents: toCents(5) })
  t.equal(told.length, entries, 'what changes nothing is no news')
})

t.test('an approver counts whose role was there before, or was confirmed by a second person', async (t) => {
  const { set, decide, told, now } = await opened()
  await set({ pixDayCents: toCents(99_000_000) })
  const later = { sinceMs: Date.UTC(2026, 10, 20, 12, 0, 1), isConfirmed: false }
  const entries = told.length
  t.match(await decide(bia, 1, true, later), { rejection: { reason: 'APPROVER_TOO_NEW' } })
  t.equal(told.length, entries)
  t.match(await decide(bia, 1, true, { ...later, isConfirmed: true }), { state: { status: 'SCHEDULED' } })
  t.equal(now().pixDayCents, 10_000_000)
})

t.test('what a person wants looser who may not any more ends, unless another has approved it', async (t) => {
  const { set, decide, dropChangesOf, change, pending } = await opened()
  await set({ pixDayCents: toCents(99_000_000) })
  await dropChangesOf('per_bia')
  t.equal(change(1)!.status, 'PENDING_APPROVAL', 'another person’s')
  await dropChangesOf('per_ana')
  t.match(change(1), { status: 'REJECTED', decidedBy: null })
  t.equal(pending(), null)
  await set({ pixDayCents: toCents(99_000_000) }, { hasApprover: false })
  await dropChangesOf('per_ana')
  t.equal(change(2)!.status, 'REJECTED', 'a lone manager’s')
  await set({ pixDayCents: toCents(99_000_000) })
  await decide(bia, 3)
  await dropChangesOf('per_ana')
  t.equal(change(3)!.status, 'SCHEDULED', 'two people wanted it')
})

t.test('no bound of a single transfer is the loosest', async (t) => {
  const { set, now, pending } = await opened()
  t.equal(now().pixTransferCents, null)
  await set({ pixTransferCents: toCents(1_500_000) })
  t.equal(now().pixTransferCents, 1_500_000, 'a bound counts at once')
  await set({ pixTransferCents: null, tedTransferCents: toCents(5) })
  t.match(now(), { pixTransferCents: 1_500_000, tedTransferCents: 5 })
  t.strictSame(pending()!.changes, { pixTransferCents: null })
})

t.test('a lone manager waits a day, too', async (t) => {
  const { set, change, pending } = await opened()
  await set({ nightStartsAt: '22:00' }, { hasApprover: false })
  t.match(change(1), { status: 'SCHEDULED', effectiveAtMs: Date.UTC(2026, 10, 21, 12) })
  t.equal(pending()!.effectiveAtMs, change(1)!.effectiveAtMs)
})

t.test('one change waits at a time; it can be taken back, and a stricter value ends it', async (t) => {
  const { set, decide, change, pending } = await opened()
  await set({ pixDayCents: toCents(99_000_000) })
  t.match(await set({ tedDayCents: toCents(99_000_000) }), {
    rejection: { reason: 'CHANGE_PENDING', changeId: changeId(1) },
  })
  t.match(await decide(ana, 1, false), { accepted: true, state: { status: 'REJECTED' } })
  t.equal(pending(), null)
  await set({ pixDayCents: toCents(99_000_000) })
  await set({ pixDayCents: toCents(1) })
  t.equal(change(3)!.status, 'SUPERSEDED')
  t.equal(pending(), null)
  t.match(await decide(bia, 7), { rejection: { reason: 'NOT_FOUND' } })
})

t.test('a preview decides and changes nothing, even where it would create something', async (t) => {
  const { set, journal, now } = await opened()
  const before = [journal.appended(), now()]
  t.match(await set({ pixDayCents: toCents(99_000_000) }, { isPreview: true }), { accepted: true })
  t.strictSame([journal.appended(), now()], before)
})

t.test('a reset of the Sandbox forgets a change, and no value', async (t) => {
  const { set, execute, now, pending, change } = await opened()
  await set({ pixDayCents: toCents(99_000_000), tedDayCents: toCents(5) })
  await execute({ type: 'ClearSandbox', accountId: account, by: ana })
  t.equal(now().tedDayCents, 5)
  t.equal(pending(), null)
  t.equal(change(1), undefined)
})

t.test('a company that is an MEI no longer keeps the night limit of one until people raise it', async (t) => {
  const { openAs, now, set } = await opened()
  await openAs('MEI', 2)
  t.equal(now().pixNightCents, 100_000)
  await openAs('OTHER', 3)
  t.equal(now().pixNightCents, 100_000, 'a change of the profile raises no limit')
  await set({ pixNightCents: toCents(2_000_000) })
  t.equal(now().pixNightCents, 100_000, 'it waits as any increase does')
  await set({ pixNightCents: toCents(90_000) })
  await openAs('MEI', 4)
  t.equal(now().pixNightCents, 90_000, 'what was set stays')
})
