import t from 'tap'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import { limitUsage } from '../../../engine/money-out/limits.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { PersonId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { longStanding } from '../standing.ts'
import { aChargeback } from '../story.ts'
import { aCardPayment, account } from '../world.ts'
import { ana, bia, caio, moneyStory } from './transfer-story.ts'

// Each story begins on Friday, 20 November 2026, a holiday, at 09:00 in São Paulo; a beneficiary that has cooled off makes it Saturday.

const day = (text: string) => text as CalendarDate

t.test('a PIX costs nothing, and is reserved in the entry that asks the bank', async (t) => {
  const { known, creating, shard, journal, settle, transfer, balances, eventsOf } = await moneyStory(1_000)
  const command = creating(30_000, { beneficiaryId: await known() })
  const reply = shard.execute(command)
  journal.flush()
  t.match(await reply, { accepted: true, state: { status: 'PROCESSING', version: 2 } })
  t.match(balances(), { available: 70_000n, blocked: 30_000n, paidOut: 0n, fees: 0n })
  t.match(transfer(command.transferId).railId, /^E99999999\d{12}\w{11}$/)
  await settle()
  t.match(balances(), { available: 70_000n, blocked: 0n, paidOut: 30_000n, fees: 0n })
  t.equal(ledgerSum(balances()), 0n)
  t.equal(transfer(command.transferId).status, 'COMPLETED')
  t.strictSame(eventsOf(command.transferId), ['transfer.scheduled', 'transfer.completed'])
})

t.test('a TED costs 5 reais, and what fails is back to the centavo', async (t) => {
  const { known, sends, advance, balances, eventsOf } = await moneyStory(1_000)
  const beneficiaryId = await known()
  const nowhere = await known({ bankCode: '000' })
  await advance('P1D')
  t.match(await sends(30_000, { beneficiaryId }, { kind: 'TED' }), { status: 'COMPLETED', feeCents: 500 })
  const paid = { available: 69_500n, blocked: 0n, paidOut: 30_000n, fees: 500n }
  t.match(balances(), paid)
  const failed = await sends(30_000, { beneficiaryId: nowhere }, { kind: 'TED' })
  t.match(failed, { status: 'FAILED', failureReason: 'ACCOUNT_NOT_FOUND', providerCode: 'AC03', counts: [] })
  t.match(balances(), paid, 'as before')
  t.strictSame(eventsOf(failed.id), ['transfer.scheduled', 'transfer.failed'])
})

t.test('a TED runs on business days from 06:30 to 17:00', async (t) => {
  const { known, sends, advance, transfer } = await moneyStory()
  const to = { beneficiaryId: await known() }
  const runsAt = async (scheduledFor: CalendarDate | null = null) =>
    new Date((await sends(100, to, { kind: 'TED', scheduledFor })).runsAtMs).toISOString()
  t.equal(await runsAt(), '2026-11-23T09:30:00.000Z', 'on a Saturday: Monday 06:30 in São Paulo')
  t.equal(await runsAt(day('2026-12-25')), '2026-12-28T09:30:00.000Z', 'Christmas is a Friday')
  await advance('P2D')
  t.equal(await runsAt(), '2026-11-23T12:00:00.000Z', 'on Monday at 09:00: at once')
  await advance('PT7H59M')
  t.match(await sends(200, to, { kind: 'TED' }), { status: 'COMPLETED' })
  await advance('PT1M')
  const late = await sends(300, to, { kind: 'TED' })
  t.match(late, { status: 'SCHEDULED', runsAtMs: Date.UTC(2026, 10, 24, 9, 30) })
  await advance('P1D')
  t.match(transfer(late.id), { status: 'COMPLETED' })
})

t.test('a PIX that is scheduled runs at 08:00 of its day, and is planned until then', async (t) => {
  const { known, sends, advance, transfer, planned, balances, refusal } = await moneyStory(1_000)
  const to = { beneficiaryId: await known() }
  const made = await sends(40_000, to, { scheduledFor: day('2026-11-25') })
  t.match(made, { status: 'SCHEDULED', runsAtMs: Date.UTC(2026, 10, 25, 11) })
  t.equal(planned(), 40_000n)
  t.equal(balances().available, 100_000n, 'nothing is reserved')
  await advance('P5D')
  t.equal(transfer(made.id).status, 'COMPLETED')
  t.equal(planned(), 0n)
  t.match(await refusal(1, to, { scheduledFor: day('2026-11-01') }), { reason: 'SCHEDULED_IN_THE_PAST' })
  t.match(await refusal(1, to, { scheduledFor: day('2027-11-27') }), {
    reason: 'SCHEDULED_TOO_FAR',
    days: 365,
  })
})

t.test('above the threshold another person approves, never the creator, and each once', async (t) => {
  const { known, sends, approve, eventsOf, planned, balances } = await moneyStory()
  const to = { beneficiaryId: await known() }
  t.match(
    await sends(500_000, to, { scheduledFor: day('2026-12-01') }),
    { approvalsRequired: 1 },
    'unpaid yet',
  )
  t.match(await sends(100_000, to), { status: 'COMPLETED', approvalReasons: [] })
  t.match(await sends(500_000, to), { status: 'COMPLETED' }, 'the threshold itself')
  const { id, ...waits } = await sends(500_001, to)
  t.match(waits, { status: 'PENDING_APPROVAL', approvalsRequired: 1, approvalReasons: ['AMOUNT'] })
  t.equal(planned(), 1_000_001n)
  const { available } = balances()
  t.match(await approve(id, ana), { reason: 'OWN_REQUEST' })
  t.match(await approve(id, bia), {
    status: 'COMPLETED',
    decisions: [{ personId: 'per_bia', decision: 'APPROVED' }],
  })
  t.equal(available - balances().available, 500_001n)
  t.strictSame(eventsOf(id), ['transfer.pending_approval', 'transfer.scheduled', 'transfer.completed'])
  t.match(await approve(id, caio), { reason: 'INVALID_STATE' })
})

t.test('as many approve as there are, and two different ones where two must', async (t) => {
  const { known, sends, approve, execute } = await moneyStory()
  const to = { beneficiaryId: await known() }
  t.match(await sends(600_000, to, { othersCount: 0 }), { status: 'COMPLETED' }, 'a lone owner')
  const setting = { type: 'SetControls', accountId: account, by: ana, hasApprover: true } as const
  await execute({
    ...setting,
    wanted: { required: 2 },
    idOfChange: 'chg_00000000000000000000000001' as never,
  })
  t.match(await sends(600_001, to, { othersCount: 1 }), { approvalsRequired: 1 })
  const { id } = await sends(600_002, to)
  t.match(await approve(id, bia), { status: 'PENDING_APPROVAL' })
  t.match(await approve(id, bia), { reason: 'ALREADY_DECIDED' })
  t.match(await approve(id, caio), { status: 'COMPLETED' })
})

t.test('what one person sends in a day adds up: the fifth of 4,500 reais waits', async (t) => {
  const { known, sends, advance } = await moneyStory()
  const to = { beneficiaryId: await known() }
  await sends(1, to)
  for (let n = 1; n <= 4; n++) t.match(await sends(450_000, to), { status: 'COMPLETED' })
  const fifth = await sends(450_000, to)
  t.match(fifth, { status: 'PENDING_APPROVAL', approvalReasons: ['PERSON_DAY'] })
  t.match(await sends(450_000, to, { by: bia }), { status: 'COMPLETED' }, 'another person')
  await advance('P1D')
  t.match(await sends(450_000, to), { status: 'COMPLETED' }, 'another day')
})

t.test('scheduling does not evade the sum of a day, and what is cancelled is taken back', async (t) => {
  const { known, sends, execute } = await moneyStory()
  const to = { beneficiaryId: await known() }
  await sends(1, to)
  const scheduledFor = day('2026-11-30')
  const planned = []
  for (let n = 1; n <= 4; n++) planned.push(await sends(450_000, to, { scheduledFor }))
  t.match(await sends(450_000, to, { scheduledFor }), { status: 'PENDING_APPROVAL' })
  const { id: transferId } = planned[0]!
  await execute({ type: 'CancelMoneyOut', accountId: account, by: ana, transferId })
  t.match(await sends(450_000, to, { scheduledFor }), { status: 'SCHEDULED' })
})

t.test(
  'a transfer that nobody approves ends: rejected, cancelled, too late, or its creator has left',
  async (t) => {
    const { known, sends, execute, advance, transfer, planned, eventsOf } = await moneyStory()
    const to = { beneficiaryId: await known() }
    const waiting = async (n: number) => (await sends(600_000 + n, to)).id
    const about = (transferId: Awaited<ReturnType<typeof waiting>>) => ({
      accountId: account,
      by: bia,
      transferId,
    })
    const rejected = await waiting(1)
    const decider = { personId: bia.id as PersonId, name: 'Bia', standing: longStanding }
    await execute({ type: 'RejectMoneyOut', ...about(rejected), ...decider, reason: 'Não conheço' })
    t.match(transfer(rejected), {
      status: 'CANCELLED',
      cancelReason: 'REJECTED',
      decisions: [{ decision: 'REJECTED', reason: 'Não conheço' }],
    })
    const cancelled = await waiting(2)
    await execute({ type: 'CancelMoneyOut', ...about(cancelled) })
    t.equal(transfer(cancelled).cancelReason, 'CANCELLED')
    t.match(await execute({ type: 'CancelMoneyOut', ...about(cancelled) }), {
      rejection: { reason: 'INVALID_STATE' },
    })
    const left = await waiting(3)
    const ofOther = (await sends(600_009, to, { by: bia })).id
    const planned3 = (await sends(5, to, { scheduledFor: day('2026-12-01') })).id
    await execute({
      type: 'StopMoneyOutOf',
      kind: 'transfer',
      accountId: account,
      by: bia,
      personId: ana.id as PersonId,
    })
    t.equal(transfer(left).cancelReason, 'CREATOR_REMOVED')
    t.equal(transfer(ofOther).status, 'PENDING_APPROVAL', 'another person’s')
    t.equal(transfer(planned3).status, 'PENDING_APPROVAL', 'one that nobody had to approve')
    await advance('PT71H59M')
    t.equal(transfer(ofOther).status, 'PENDING_APPROVAL')
    await advance('PT1M')
    t.match(transfer(ofOther), { status: 'CANCELLED', cancelReason: 'APPROVAL_EXPIRED' })
    t.equal(planned(), 5n)
    t.strictSame(eventsOf(left), ['transfer.pending_approval'], 'no event says so')
  },
)

t.test('limits count by the company’s day, and the night has its own across midnight', async (t) => {
  const { known, sends, refusal, advance, now, account: state } = await moneyStory(300_000)
  const to = { beneficiaryId: await known() }
  const lone = { othersCount: 0 }
  const exceeded = (limit: string, remainingCents: number) => ({
    reason: 'LIMIT_EXCEEDED',
    limit,
    remainingCents,
  })
  await advance('PT10H59M')
  t.match(await sends(100, to, lone), { status: 'COMPLETED' }, '19:59: it is day')
  await advance('PT1H1M')
  t.match(await refusal(2_000_001, to, lone), exceeded('pixNightCents', 2_000_000), '21:00')
  t.match(await sends(1_500_000, to, lone), { status: 'COMPLETED' })
  await advance('PT4H')
  t.match(await refusal(500_001, to, lone), exceeded('pixNightCents', 500_000), 'the same night, 01:00')
  await advance('PT4H59M')
  t.match(await refusal(500_001, to, lone), exceeded('pixNightCents', 500_000), '05:59')
  const usage = () => limitUsage(state(), now() + state().clockOffsetMs)
  t.match(usage(), { pixDayCents: 0, pixNightCents: 1_500_000 })
  await advance('PT1M')
  t.match(await sends(2_000_001, to, lone), { status: 'COMPLETED' }, '06:00')
  t.match(usage(), { pixDayCents: 2_000_001, pixNightCents: 0 })
  t.match(await refusal(8_000_000, to, lone), exceeded('pixDayCents', 7_999_999))
  t.match(await sends(8_000_000, to, { ...lone, scheduledFor: day('2026-11-23') }), { status: 'SCHEDULED' })
})

// In New York clocks go from 02:00 to 03:00 on Sunday, 14 March 2027.
t.test('nights and hours are those that clocks show, also on a day on which they are changed', async (t) => {
  const { known, sends, refusal, advance, transfer } = await moneyStory(
    300_000,
    undefined,
    'America/New_York',
  )
  const to = { beneficiaryId: await known() }
  const lone = { othersCount: 0 }
  const planned = await sends(100, to, { scheduledFor: day('2027-03-14') })
  t.equal(new Date(planned.runsAtMs).toISOString(), '2027-03-14T12:00:00.000Z', '08:00 in summer')
  await advance('P112D')
  await advance('PT21H59M')
  const night = { reason: 'LIMIT_EXCEEDED', limit: 'pixNightCents' }
  const endsAtMs = Date.UTC(2027, 2, 14, 10)
  t.match(await refusal(2_000_001, to, lone), { ...night, resetsAtMs: endsAtMs }, '05:59')
  await advance('PT1M')
  t.match(await sends(2_000_001, to, lone), { status: 'COMPLETED' }, '06:00')
  await advance('PT13H59M')
  t.match(transfer(planned.id), { status: 'COMPLETED' })
  t.match(await sends(2_000_001, to, lone), { status: 'COMPLETED' }, '19:59')
  await advance('PT1M')
  t.match(await refusal(2_000_001, to, lone), night, '20:00')
})

t.test('what fails is given back, and the company’s own document has no night', async (t) => {
  const { known, sends, refusal, advance } = await moneyStory(300_000)
  const to = { beneficiaryId: await known() }
  const nowhere = { beneficiaryId: await known({ bankCode: '000' }) }
  const own = { beneficiaryId: await known({ document: '00000000000191', account: '1' }) }
  const lone = { othersCount: 0 }
  await advance('PT13H')
  t.match(await sends(2_000_000, nowhere, lone), { status: 'FAILED' })
  t.match(await sends(2_000_000, to, lone), { status: 'COMPLETED' })
  t.match(await refusal(1, to, lone), { reason: 'LIMIT_EXCEEDED' })
  t.match(await sends(3_000_000, own, lone), { status: 'COMPLETED' })
})

t.test('an approver counts whose role was there before, or was confirmed by a second person', async (t) => {
  const { known, sends, approve, advance, now, transfer } = await moneyStory()
  const to = { beneficiaryId: await known() }
  await sends(1, to)
  await advance('P30D')
  const { id } = await sends(600_000, to)
  const later = { sinceMs: now() + 1, isConfirmed: false }
  t.match(await approve(id, bia, later), { reason: 'APPROVER_TOO_NEW' }, 'made for what waits already')
  t.equal(transfer(id).status, 'PENDING_APPROVAL')
  t.strictSame(transfer(id).decisions, [])
  t.match(await approve(id, bia, { ...later, isConfirmed: true }), { status: 'COMPLETED' })
  const { id: next } = await sends(600_001, to)
  t.match(await approve(next, bia, { sinceMs: now(), isConfirmed: false }), { status: 'COMPLETED' })
})

t.test('what a person has scheduled who may not send any more waits for another', async (t) => {
  const {
    known,
    sends,
    approve,
    execute,
    advance,
    transfer,
    eventsOf,
    planned,
    told,
    account: state,
  } = await moneyStory()
  const to = { beneficiaryId: await known() }
  await sends(1, to)
  const scheduledFor = day('2026-12-01')
  const alone = await sends(1_000, to, { scheduledFor })
  const late = await sends(2_000, to, { scheduledFor })
  const approved = await sends(600_000, to, { scheduledFor })
  await approve(approved.id)
  const ofBia = await sends(3_000, to, { scheduledFor, by: bia })
  const stop = (person: typeof ana) =>
    execute({
      type: 'StopMoneyOutOf',
      kind: 'transfer',
      accountId: account,
      by: caio,
      personId: person.id as PersonId,
    })
  await stop(ana)
  t.match(transfer(alone.id), {
    status: 'PENDING_APPROVAL',
    approvalsRequired: 1,
    approvalReasons: ['CREATOR_REMOVED'],
    approvalEndsAtMs: alone.runsAtMs,
  })
  t.strictSame(transfer(alone.id).counts, [])
  t.equal(transfer(approved.id).status, 'SCHEDULED', 'another person stands behind it')
  t.equal(transfer(ofBia.id).status, 'SCHEDULED', 'another person’s')
  t.equal(planned(), 606_000n, 'all of it is still planned')
  t.equal(state().moneyOut?.sums['person per_ana']?.cents, 600_001, 'and counts no more for a day')
  t.strictSame(eventsOf(alone.id), ['transfer.scheduled', 'transfer.pending_approval'])
  const notices = told
    .at(-1)!
    .steps.flatMap(({ event }) => (event.type === 'NoticeRaised' ? [event.notice.kind] : []))
  t.strictSame(notices, ['TRANSFER_PENDING', 'TRANSFER_PENDING'])
  t.match(await approve(alone.id, ana), { reason: 'OWN_REQUEST' }, 'back again or not')
  t.match(await approve(alone.id, bia), { status: 'SCHEDULED', approvalEndsAtMs: null })
  await stop(ana)
  t.equal(transfer(alone.id).status, 'SCHEDULED', 'told twice')
  await advance('P12D')
  t.match(transfer(late.id), { status: 'CANCELLED', cancelReason: 'APPROVAL_EXPIRED' })
  t.match(
    [alone, approved, ofBia].map(({ id }) => transfer(id).status),
    ['COMPLETED', 'COMPLETED', 'COMPLETED'],
  )
  t.equal(planned(), 0n)
})

t.test('an approval that funds or limits do not allow is refused, and the transfer waits', async (t) => {
  const { known, sends, approve, transfer, planned, execute, receive, balances } = await moneyStory(6_000)
  const to = { beneficiaryId: await known() }
  await sends(1, to)
  const { id } = await sends(550_000, to)
  await sends(100_000, to, { by: bia })
  t.match(await approve(id), { reason: 'INSUFFICIENT_BALANCE' })
  t.match(transfer(id), { status: 'PENDING_APPROVAL', decisions: [] })
  t.equal(planned(), 550_000n)
  await receive(1_000_000)
  const bound = { type: 'SetControls', accountId: account, by: bia, hasApprover: true } as const
  const idOfChange = 'chg_00000000000000000000000001' as never
  await execute({ ...bound, idOfChange, wanted: { pixDayCents: toCents(600_000) } })
  t.match(await approve(id), { reason: 'LIMIT_EXCEEDED', limit: 'pixDayCents', remainingCents: 499_999 })
  t.match(transfer(id), { status: 'PENDING_APPROVAL', decisions: [] })
  const { id: small } = await sends(499_000, to, { by: caio, othersCount: 1 })
  t.equal(transfer(small).status, 'COMPLETED')
  t.equal(balances().blocked, 0n)
})

t.test('a single transfer has a bound of its own, where one is set', async (t) => {
  const { known, sends, refusal, execute } = await moneyStory()
  const to = { beneficiaryId: await known() }
  await sends(1, to)
  const idOfChange = 'chg_00000000000000000000000001' as never
  const wanted = { pixTransferCents: toCents(1_500), tedTransferCents: toCents(2_000) }
  await execute({ type: 'SetControls', accountId: account, by: bia, hasApprover: true, wanted, idOfChange })
  t.match(await refusal(1_501, to), {
    reason: 'LIMIT_EXCEEDED',
    limit: 'pixTransferCents',
    remainingCents: 1_500,
    resetsAtMs: null,
  })
  t.match(await sends(1_500, to), { status: 'COMPLETED', limitLeftCents: 9_998_499 })
  t.match(await sends(1_500, to), { status: 'COMPLETED' }, 'nothing adds up')
  t.match(await refusal(2_001, to, { kind: 'TED' }), { limit: 'tedTransferCents' })
  t.match(await sends(2_000, to, { kind: 'TED' }), { status: 'SCHEDULED' })
})

t.test('a payee has no night a day after another person who manages limits trusts it', async (t) => {
  const { known, refusal, sends, advance, execute, now } = await moneyStory(300_000)
  const beneficiaryId = await known()
  const manages = { sinceMs: 0, isConfirmed: false }
  const trust = (by: typeof ana, change: object = {}) =>
    execute({
      type: 'ChangeBeneficiary',
      accountId: account,
      by,
      beneficiaryId,
      trusted: true,
      standing: null,
      hasOther: true,
      ...change,
    })
  t.match(await trust(ana), { state: { trusted: false, trustAskedBy: 'per_ana' } })
  t.match(await trust(ana, { standing: manages }), { state: { trusted: false } }, 'twice the same person')
  t.match(await trust(caio), { state: { trusted: false, trustAskedBy: 'per_ana' } }, 'manages no limits')
  const tooNew = { sinceMs: now() + 1, isConfirmed: false }
  t.match(await trust(bia, { standing: tooNew }), { state: { trusted: false, trustAskedBy: 'per_ana' } })
  t.match(await trust(bia, { standing: manages }), { state: { trusted: true, trustAskedBy: null } })
  await advance('PT13H')
  const to = { beneficiaryId }
  const lone = { othersCount: 0 }
  const night = { reason: 'LIMIT_EXCEEDED', limit: 'pixNightCents' }
  t.match(await refusal(2_000_001, to, lone), night, 'although it is registered for long')
  await advance('PT10H59M')
  await advance('PT1H')
  t.match(await refusal(2_000_001, to, lone), 'accepted', 'the next day')
  await advance('PT12H')
  t.match(await sends(2_000_001, to, lone), { status: 'COMPLETED' }, 'the next night')
  t.match(await trust(caio, { trusted: false }), { state: { trusted: false, trustedFromMs: null } })
  t.match(await refusal(2_000_001, to, lone), night, 'to end trust one is enough, at once')
  t.match(await trust(bia, { hasOther: false }), { state: { trusted: true } }, 'nobody else manages limits')
  t.match(await refusal(2_000_001, to, lone), night, 'a day later here, too')
})

t.test('what a person wants to be trusted who may not any more is forgotten', async (t) => {
  const { known, execute, memory } = await moneyStory()
  const beneficiaryId = await known()
  const target = { accountId: account, by: ana, beneficiaryId } as const
  await execute({ type: 'ChangeBeneficiary', ...target, trusted: true, standing: null, hasOther: true })
  const stop = (personId: string) =>
    execute({ type: 'StopTrustOf', accountId: account, by: bia, personId: personId as PersonId })
  await stop('per_caio')
  t.equal(memory.find('beneficiary', beneficiaryId)!.state.trustAskedBy, 'per_ana')
  await stop('per_ana')
  t.equal(memory.find('beneficiary', beneficiaryId)!.state.trustAskedBy, null)
})

t.test('all new payees together get at most 1,000 reais in any 24 hours', async (t) => {
  const { register, known, lookUp, refusal, sends, advance, execute } = await moneyStory()
  const nowhere = await register({ bankCode: '000', account: '9' })
  const beneficiaryId = await register()
  const to = { beneficiaryId }
  const cooling = { reason: 'BENEFICIARY_COOLING_OFF', limitCents: 100_000 }
  t.match(await refusal(100_001, to), { ...cooling, availableAtMs: Date.UTC(2026, 10, 21, 12) })
  t.match(await sends(60_000, to), { status: 'COMPLETED' })
  t.match(await refusal(40_001, to), cooling, 'the sum')
  const looked = async () => ({ lookupId: await lookUp('maria@example.com') })
  t.match(await refusal(40_001, await looked()), { ...cooling, availableAtMs: null }, 'another payee')
  t.match(
    await refusal(40_001, { beneficiaryId: await register({ account: '2' }) }),
    cooling,
    'its other account',
  )
  await execute({ type: 'RemoveBeneficiary', accountId: account, by: ana, beneficiaryId })
  const again = { beneficiaryId: await register() }
  t.match(await refusal(40_001, again), cooling, 'registered anew')
  t.match(await sends(40_000, { beneficiaryId: nowhere }), { status: 'FAILED' }, 'which gives it back')
  await advance('PT12H')
  t.match(await sends(30_000, again), { status: 'COMPLETED' }, 'at 21:00')
  await advance('PT4H')
  t.match(await refusal(10_001, again), cooling, 'midnight is past')
  t.match(await refusal(10_001, again, { scheduledFor: day('2026-11-21') }), cooling, 'at 08:00')
  await advance('PT7H59M')
  t.match(await refusal(10_001, again), cooling, 'a minute before')
  await advance('PT1M')
  t.match(await sends(100_001, to).catch(String), /INACTIVE/)
  t.match(
    await sends(70_000, await looked()),
    { status: 'COMPLETED' },
    'the first is a day old, the second is not',
  )
  t.match(await refusal(1, await looked()), cooling)
  t.match(await sends(100_001, again), { status: 'COMPLETED' }, 'this one has cooled off')
  t.ok(await known({ account: '3' }))
})

t.test('a payee that was never paid needs approval above 1,000 reais', async (t) => {
  const { known, sends } = await moneyStory()
  const to = { beneficiaryId: await known() }
  t.match(await sends(100_001, to), { status: 'PENDING_APPROVAL', approvalReasons: ['NEW_BENEFICIARY'] })
  t.match(await sends(100_000, to), { status: 'COMPLETED', isFirst: true })
  t.match(await sends(100_001, to), { status: 'COMPLETED', isFirst: false })
})

t.test('a look-up is good for ten minutes, one person and one transfer', async (t) => {
  const { lookUp, sends, refusal, advance, memory } = await moneyStory()
  const lookupId = await lookUp('maria@example.com')
  const found = memory.find('keyLookup', lookupId)!.state
  t.match(found, { status: 'FOUND', owner: { name: String }, keyType: 'EMAIL' })
  t.match(await refusal(100, { lookupId }, { by: bia }), { reason: 'LOOKUP_EXPIRED' })
  const sent = await sends(100, { lookupId })
  t.match(sent, { status: 'COMPLETED', railId: found.endToEndId, payee: { pixKey: 'maria@example.com' } })
  t.match(await refusal(101, { lookupId }), { reason: 'LOOKUP_EXPIRED' })
  const late = await lookUp('maria@example.com')
  await advance('PT10M')
  t.match(await refusal(100, { lookupId: late }), { reason: 'LOOKUP_EXPIRED' })
  const ted = await lookUp('maria@example.com')
  t.match(await refusal(100, { lookupId: ted }, { kind: 'TED' }), { reason: 'TED_TO_KEY' })
})

t.test('look-ups are rationed: found 1, not found 20, back when paid, 20 a minute', async (t) => {
  const { lookUp, sends, account: state, advance } = await moneyStory()
  const tokens = () => state().keyTokens!.tokens
  const lookupId = await lookUp('maria@example.com')
  t.equal(tokens(), 999)
  await sends(100, { lookupId })
  t.equal(tokens(), 1_000)
  for (let n = 0; n < 50; n++) await lookUp('naoexiste@sandbox.test')
  t.equal(tokens(), 0)
  t.match(await lookUp('maria@example.com').catch(String), /LOOKUP_QUOTA/)
  await advance('PT1M')
  await lookUp('maria@example.com')
  t.equal(tokens(), 19)
})

t.test('a key that has changed hands is not paid, and says so', async (t) => {
  const { lookUp, execute, advance, sends, transfer, balances, eventsOf } = await moneyStory(1_000)
  const lookupId = await lookUp('trocou@sandbox.test')
  const beneficiaryId = 'ben_00000000000000000000000099' as never
  const of = { lookupId }
  await execute({
    type: 'RegisterBeneficiary',
    accountId: account,
    by: ana,
    beneficiaryId,
    of,
    nickname: null,
  })
  const { id } = await sends(5_000, { beneficiaryId }, { scheduledFor: day('2026-11-25') })
  await advance('P6D')
  t.match(transfer(id), { status: 'FAILED', failureReason: 'BENEFICIARY_CHANGED', providerCode: null })
  t.match(balances(), { available: 100_000n, blocked: 0n, paidOut: 0n })
  t.strictSame(eventsOf(id), ['transfer.scheduled', 'transfer.failed'])
})

t.test('a scheduled transfer without balance fails when it is due, and asks no bank', async (t) => {
  const { known, sends, advance, transfer, balances, planned, eventsOf } = await moneyStory(1_000)
  const to = { beneficiaryId: await known() }
  const { id } = await sends(50_000, to, { scheduledFor: day('2026-11-25') })
  await sends(60_000, to)
  await advance('P6D')
  t.match(transfer(id), { status: 'FAILED', failureReason: 'INSUFFICIENT_BALANCE', call: null })
  t.match(balances(), { available: 40_000n, blocked: 0n, paidOut: 60_000n })
  t.equal(planned(), 0n)
  t.strictSame(eventsOf(id), ['transfer.scheduled', 'transfer.failed'])
})

t.test('a bank that is silent is asked again with the same reference, and pays once', async (t) => {
  const references: string[] = []
  const { known, sends, advance, transfer, balances } = await moneyStory(1_000, async (request) => {
    references.push(request.reference)
    return references.length < 6 ? { type: 'SILENT' } : { type: 'DONE' }
  })
  const to = { beneficiaryId: await known() }
  const { id, status } = await sends(50_000, to)
  t.equal(status, 'PROCESSING')
  t.match(balances(), { available: 50_000n, blocked: 50_000n })
  await advance('PT15M')
  t.equal(transfer(id).status, 'COMPLETED')
  t.strictSame(
    references,
    Array.from({ length: 6 }, () => `${id}.1`),
  )
  t.match(balances(), { available: 50_000n, blocked: 0n, paidOut: 50_000n })
})

t.test('scenarios force what banks do', async (t) => {
  const { known, lookUp, sends, refusal, advance, transfer } = await moneyStory()
  const to = { beneficiaryId: await known() }
  const forced = (sandboxScenario: string) => ({ metadata: { sandboxScenario } })
  t.match(await sends(1, to, forced('transfer_fails')), {
    status: 'FAILED',
    failureReason: 'REFUSED_BY_BANK',
  })
  t.match(await refusal(2, to, forced('transfer_insufficient')), { reason: 'INSUFFICIENT_BALANCE' })
  const slow = await sends(3, to, forced('transfer_slow'))
  const silent = await sends(4, to, forced('transfer_silent'))
  t.strictSame([slow.status, silent.status], ['PROCESSING', 'PROCESSING'])
  await advance('PT5S')
  t.equal(transfer(slow.id).status, 'COMPLETED')
  await advance('PT14M54S')
  t.equal(transfer(silent.id).status, 'PROCESSING')
  await advance('PT1S')
  t.equal(transfer(silent.id).status, 'COMPLETED')
  const blocked = await sends(5, { lookupId: await lookUp('bloqueada@sandbox.test') })
  t.match(blocked, { status: 'FAILED', failureReason: 'ACCOUNT_BLOCKED', providerCode: 'AC06' })
  t.match(await sends(6, { lookupId: await lookUp('lenta@sandbox.test') }), { status: 'PROCESSING' })
})

t.test('a person decides in the bank’s place in the Sandbox', async (t) => {
  const { known, sends, execute, balances } = await moneyStory(1_000)
  const to = { beneficiaryId: await known() }
  const { id: transferId } = await sends(10, to, { metadata: { sandboxScenario: 'transfer_silent' } })
  const resolving = { type: 'ResolveMoneyOut', accountId: account, by: ana, transferId } as const
  t.match(await execute({ ...resolving, failureReason: 'ACCOUNT_CLOSED' }), {
    state: { status: 'FAILED', failureReason: 'ACCOUNT_CLOSED' },
  })
  t.match(await execute({ ...resolving, failureReason: null }), { rejection: { reason: 'INVALID_STATE' } })
  t.equal(balances().available, 100_000n)
})

t.test('a payee is there once, and what waits for one that is removed is cancelled', async (t) => {
  const { register, known, sends, refusal, execute, transfer } = await moneyStory()
  const beneficiaryId = await known()
  t.match(await register().catch(String), /DUPLICATE/)
  const { id } = await sends(100, { beneficiaryId }, { scheduledFor: day('2026-11-25') })
  await execute({ type: 'RemoveBeneficiary', accountId: account, by: ana, beneficiaryId })
  t.match(transfer(id), { status: 'CANCELLED', cancelReason: 'BENEFICIARY_REMOVED' })
  t.match(await refusal(100, { beneficiaryId }), { reason: 'BENEFICIARY_INACTIVE' })
  t.ok(await register(), 'it can be registered again')
})

t.test('an account is one payee by the code and by the ISPB of its bank', async (t) => {
  const { register } = await moneyStory()
  await register({ bankCode: '341', ispb: null })
  t.match(await register({ bankCode: null, ispb: '60701190' }).catch(String), /DUPLICATE/)
  t.match(await register({ bankCode: '341', ispb: '60701190' }).catch(String), /DUPLICATE/)
  t.ok(await register({ bankCode: null, ispb: '99999999' }), 'a bank with another ISPB')
  t.ok(await register({ bankCode: '237', ispb: null }), 'a bank with another code')
})

t.test('a balance that a chargeback made negative sends nothing, and people are told', async (t) => {
  const { known, sends, refusal, accepted, execute, advance, balances, told } = await moneyStory(0)
  const to = { beneficiaryId: await known() }
  const { id } = await accepted(aCardPayment())
  await advance('P40D')
  const available = Number(balances().available)
  await sends(available - 100, to)
  await execute(aChargeback(id))
  t.ok(balances().available < 0n)
  t.match(await refusal(1, to), { reason: 'INSUFFICIENT_BALANCE' })
  const notices = told.flatMap(({ steps }) =>
    steps.flatMap(({ event }) => (event.type === 'NoticeRaised' ? [event.notice.kind] : [])),
  )
  t.ok(notices.includes('BALANCE_NEGATIVE'))
})
