import t from 'tap'
import { movedBy } from '../../../engine/crypto/moved.ts'
import { balancesIn } from '../../../engine/ledger/account.ts'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import { limitUsage } from '../../../engine/money-out/limits.ts'
import { sentBy } from '../../../engine/money-out/sent.ts'
import { toRateMicros } from '../../../engine/shared/asset.ts'

import { account, newWorld, ours } from '../world.ts'
import { addressEnding, ana, bia, caio, withdrawalActs, withdrawalStory } from './withdrawal-story.ts'

// 10,000 USDT arrive, of which the fee takes a hundredth; POLYGON takes 0.05 of each withdrawal, and one is worth 5.40 reais.

t.test('the postings of a withdrawal, to the millionth, in each of its steps', async (t) => {
  const { known, creating, shard, journal, settle, advance, withdrawal, books, eventsOf, account } =
    await withdrawalStory()
  const command = creating(100_000_001, await known())
  const reply = shard.execute(command)
  journal.flush()
  t.match(await reply, { accepted: true, state: { status: 'PROCESSING', version: 2, worthCents: 54_001 } })
  const before = { payer: -10_000_000_000, fees: 100_000_000 }
  t.strictSame(books(), { ...before, available: 9_799_949_999, blocked: 100_050_001 })
  await settle()
  const { id, railId, ...broadcast } = withdrawal(command.withdrawalId)
  t.match(broadcast, { status: 'BROADCAST', completedAtMs: null })
  t.match(railId, /^0x[0-9a-f]{64}$/)
  t.strictSame(books(), { ...before, available: 9_799_949_999, blocked: 100_050_001 })
  await advance('PT29S')
  t.equal(withdrawal(id).status, 'BROADCAST')
  t.strictSame(eventsOf(id), [])
  await advance('PT1S')
  t.match(withdrawal(id), { status: 'COMPLETED', railId, isFirst: true, call: null })
  t.strictSame(books(), {
    ...before,
    available: 9_799_949_999,
    paidOut: 100_000_001,
    fees: 100_000_000 + 50_000,
  })
  t.equal(ledgerSum(balancesIn(account(), 'USDT')), 0n)
  t.strictSame(eventsOf(id), ['crypto.withdrawal_completed'])
})

t.test('what does not arrive is back to the millionth, and counts no more', async (t) => {
  const story = await withdrawalStory()
  const { register, advance, sends, execute, books, eventsOf, account, now } = story
  const refused = await register(addressEnding('dead'))
  const stays = await register(addressEnding('beef'), 'ETHEREUM')
  await advance('PT24H')
  const before = books()
  const failed = await sends(100_000_001, refused)
  t.match(failed, { status: 'FAILED', failureReason: 'ADDRESS_REFUSED', railId: null, completedAtMs: null })
  t.strictSame(books(), before)
  t.strictSame(eventsOf(failed.id), ['crypto.withdrawal_failed'])
  const usage = () => limitUsage(account(), now() + account().clockOffsetMs).cryptoDayCents
  t.equal(usage(), 0)

  const { id } = await sends(100_000_001, stays)
  await advance('PT12H')
  t.match(story.withdrawal(id), { status: 'BROADCAST', call: { unanswered: 8 } }, 'asked ever more seldom')
  t.equal(usage(), 54_001)
  t.equal(books().blocked, 105_000_001, 'ETHEREUM takes 5')
  const resolve = { type: 'ResolveMoneyOut', ...ours, withdrawalId: id } as const
  t.match(await execute({ ...resolve, failureReason: 'DROPPED' }), {
    state: { status: 'FAILED', failureReason: 'DROPPED', railId: /^0x[0-9a-f]{64}$/ },
  })
  t.strictSame(books(), before)
  t.equal(usage(), 0)
  t.match(await execute({ ...resolve, failureReason: null }), {
    rejection: { reason: 'INVALID_STATE', currentStatus: 'FAILED' },
  })
})

t.test('a network that refuses for a reason of its own, and one that drops what it had', async (t) => {
  let answers: readonly object[] = []
  const { known, sends, advance, withdrawal, books } = await withdrawalStory(10_000, async () => {
    const [answer, ...rest] = answers
    answers = rest
    return answer as never
  })
  const to = await known()
  const refusal = { type: 'REFUSED', refusal: { reason: 'ERROR', message: 'no gas' } }
  const before = books()
  answers = [refusal]
  t.match(await sends(1_000_000, to), { status: 'FAILED', failureReason: 'REFUSED_BY_NETWORK' })
  const seen = (txHash: string) => ({ type: 'SENT', txHash, asksAgainInMs: 1_000 })
  answers = [{ type: 'SILENT' }, seen('a'), seen('a'), seen('b'), refusal]
  const { id, ...sent } = await sends(1_000_000, to)
  t.match(sent, { status: 'PROCESSING', railId: null })
  await advance('PT5S')
  t.match(withdrawal(id), { status: 'BROADCAST', railId: 'a' })
  await advance('PT1S')
  t.match(withdrawal(id), { status: 'BROADCAST', railId: 'a' })
  await advance('PT1S')
  t.match(withdrawal(id), { status: 'BROADCAST', railId: 'b' }, 'sent again with a higher fee')
  await advance('PT1S')
  t.match(withdrawal(id), { status: 'FAILED', failureReason: 'DROPPED' })
  t.strictSame(books(), before)
})

t.test('only to wallets that have cooled off and are there', async (t) => {
  const { register, advance, refusal, sends, execute, approve, withdrawal } = await withdrawalStory()
  const to = await register()
  await advance('PT23H59M')
  t.match(await refusal(1_000_000, to), { reason: 'WALLET_NOT_ACTIVE', status: 'COOLING_OFF' })
  await advance('PT1M')
  t.match(await sends(1_000_000, to), { status: 'BROADCAST' })
  const { id } = await sends(200_000_000, to)
  t.equal(withdrawal(id).status, 'PENDING_APPROVAL')
  await execute({ type: 'RemoveWallet', accountId: account, by: ana, walletId: to })
  t.match(withdrawal(id), { status: 'CANCELLED', cancelReason: 'WALLET_REMOVED' })
  t.match(await approve(id), { reason: 'INVALID_STATE' })
  t.match(await refusal(1_000_000, to), { reason: 'WALLET_NOT_ACTIVE', status: 'INACTIVE' })
  t.match(await refusal(1_000_000, 'wal_0' as never), { reason: 'REFERENCE_NOT_FOUND', field: 'walletId' })
})

t.test('amount and fee of the network both have to be there', async (t) => {
  const { known, refusal, sends, books } = await withdrawalStory(100)
  const to = await known()
  t.match(await refusal(98_950_001, to), { reason: 'INSUFFICIENT_BALANCE' })
  t.match(await sends(98_950_000, to), { status: 'BROADCAST' })
  t.notOk('available' in books())
})

t.test('others approve by what it is worth at the middle: amount, day and first payee', async (t) => {
  const { known, sends, approve, advance, execute, eventsOf, books, withdrawal } = await withdrawalStory()
  const to = await known()
  const first = await sends(185_185_186, to)
  t.match(first, {
    status: 'PENDING_APPROVAL',
    worthCents: 100_001,
    approvalsRequired: 1,
    approvalReasons: ['NEW_BENEFICIARY'],
  })
  t.match(await sends(185_185_185, to), { status: 'BROADCAST', worthCents: 100_000 })
  await advance('PT1M')
  t.match(await sends(925_925_925, to), { status: 'BROADCAST' }, 'the threshold itself, to one paid before')
  const { id, ...waits } = await sends(925_925_926, to)
  t.match(waits, { status: 'PENDING_APPROVAL', worthCents: 500_001, approvalReasons: ['AMOUNT'], counts: [] })
  const { available } = books()
  t.match(await approve(id, ana), { reason: 'OWN_REQUEST' })
  t.match(await approve(id, bia), { status: 'BROADCAST', decisions: [{ personId: 'per_bia' }] })
  t.equal(available! - books().available!, 925_975_926)
  t.match(await approve(id, caio), { reason: 'INVALID_STATE' })
  await advance('PT1M')
  t.strictSame(eventsOf(id), ['crypto.withdrawal_completed'], 'none says that it waited')
  await sends(925_925_900, to)
  t.match(await sends(925_925_900, to), { approvalReasons: ['PERSON_DAY'] }, 'more than 20,000 by one person')
  t.match(await sends(925_925_900, to, { by: bia }), { status: 'BROADCAST' }, 'another person')
  await execute({ type: 'ForceRate', ...ours, asset: 'USDT', rateMicros: toRateMicros(6_000_000) })
  t.match(await sends(900_000_000, to, { by: caio }), { approvalReasons: ['AMOUNT'], worthCents: 540_000 })
  t.match(await sends(900_000_000, to, { by: caio, othersCount: 0 }), { status: 'BROADCAST' }, 'a lone owner')
  t.equal(withdrawal(first.id).status, 'PENDING_APPROVAL')
})

t.test('the limit of the day is in reais, and is looked at again with the last approval', async (t) => {
  const { known, sends, refusal, approve, execute, advance, withdrawal } = await withdrawalStory(40_000)
  const to = await known()
  const lone = { othersCount: 0 }
  const exceeded = (remainingCents: number) => ({
    reason: 'LIMIT_EXCEEDED',
    limit: 'cryptoDayCents',
    remainingCents,
  })
  t.match(await refusal(9_259_259_260, to, lone), exceeded(5_000_000))
  const { id } = await sends(9_000_000_000, to)
  t.match(withdrawal(id), { status: 'PENDING_APPROVAL', limitLeftCents: 140_000 })
  t.match(await sends(300_000_000, to, lone), { status: 'BROADCAST' }, 'what waits counts nothing')
  t.match(await approve(id), exceeded(4_838_000))
  t.match(withdrawal(id), { status: 'PENDING_APPROVAL', decisions: [] }, 'it waits on')
  await advance('P1D')
  await execute({ type: 'ForceRate', ...ours, asset: 'USDT', rateMicros: toRateMicros(5_600_000) })
  t.match(await approve(id), exceeded(5_000_000), 'at the price of now')
  await execute({ type: 'ForceRate', ...ours, asset: 'USDT', rateMicros: toRateMicros(5_400_000) })
  t.match(await approve(id), { status: 'BROADCAST', worthCents: 4_860_000 })
})

t.test(
  'a network that says nothing is asked again with the same reference, also by the next life',
  async (t) => {
    const references: string[] = []
    const silent = async (request: { readonly reference: string }) => {
      references.push(request.reference)
      return { type: 'SILENT' } as const
    }
    const first = await withdrawalStory(10_000, silent)
    const { id } = await first.sends(1_000_000, await first.known())
    await first.advance('PT1M')
    t.strictSame(references, [`${id}.1`, `${id}.1`, `${id}.1`])
    t.equal(first.withdrawal(id).status, 'PROCESSING')

    const entries = [...first.journal.replay(0)].map(({ record }) => record)
    const next = withdrawalActs(newWorld(undefined, undefined, entries))
    next.pass(first.now() - next.now())
    await next.settle()
    await next.advance('PT10M')
    t.match(next.withdrawal(id), { status: 'COMPLETED' })
    t.match(next.books(), { paidOut: 1_000_000, fees: 100_050_000 })
    t.strictSame(next.eventsOf(id), ['crypto.withdrawal_completed'])
  },
)

t.test('what withdrawals say of the ledger is what it says', async (t) => {
  const { known, sends, memory, account: state } = await withdrawalStory()
  await sends(1_234_567, await known())
  await sends(7, await known(addressEnding('beef')))
  await sends(100_000_000, await known(addressEnding('dead')))
  const every = { offset: 0, limit: 100 }
  const moved = movedBy((kind) => memory.list(account, kind, every).states as never, 'USDT')
  const sent = sentBy(memory.list(account, 'withdrawal', every).states, 'USDT')
  const { available, blocked, paidOut, fees } = balancesIn(state(), 'USDT')
  t.equal(moved.held - sent.paidCents - sent.feeCents, available + blocked)
  t.equal(moved.paidOut + sent.paidCents, paidOut)
  t.equal(moved.fees + sent.feeCents, fees)
})
