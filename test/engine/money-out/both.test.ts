import t from 'tap'
import { balancesIn } from '../../../engine/ledger/account.ts'
import type { ChangeId, PersonId } from '../../../engine/shared/ids.ts'
import { account } from '../world.ts'
import {
  type Ask,
  anApproval,
  bothKinds,
  idIn,
  type Kind,
  restarted,
  type Story,
  targetIn,
  transfersIn,
  withdrawalsIn,
} from './both.ts'
import { ana, bia, caio } from './transfer-story.ts'
import { withdrawalStory } from './withdrawal-story.ts'

// Transfers and withdrawals are one actor: a payment of either leaves once and counts once, whatever happens in between.

const silent: Ask = async () => ({ type: 'SILENT' })

/** What is set aside and has left, and what counts for limits and policy. */
const booksOf = ({ account: state }: Story, { kind, method }: Kind) => {
  const { blocked, paidOut } = balancesIn(state(), kind === 'transfer' ? 'BRL' : 'USDT')
  const { sums, plannedCents } = state().moneyOut ?? { sums: {}, plannedCents: 0n }
  const day = sums[method]?.cents ?? 0
  return { blocked, paidOut, plannedCents, day, person: sums[`person ${ana.id}`]?.cents ?? 0 }
}

for (const of of bothKinds) {
  const { kind, unit, resource, yes } = of
  const small = 10 * unit
  /** Above what one person may send alone. */
  const large = 980 * unit
  const named = (id: string) => targetIn(kind, id)

  t.test(`${kind}: a crash before the provider is asked, and one before its answer is on disk`, async (t) => {
    const references: string[] = []
    const heard: Ask = async ({ reference }) => {
      references.push(reference)
      return yes
    }
    const first = await of.begin(silent)
    const command = first.creating(small)
    const reply = first.shard.execute(command)
    first.journal.flush()
    t.match(await reply, { accepted: true, state: { status: 'PROCESSING' } })
    const id = idIn(command)
    const { worthCents, amountCents, feeCents } = first.out(id)
    const whole = BigInt(amountCents + feeCents)
    const reserved = { blocked: whole, paidOut: 0n, plannedCents: 0n, day: worthCents, person: worthCents }
    t.strictSame(booksOf(first, of), reserved)
    const second = restarted(first, heard)
    t.strictSame(
      second.shard.unansweredCalls().map(({ reference }) => reference),
      [`${id}.1`],
    )
    // The provider has said yes, and that is lost.
    const third = restarted(first, heard)
    await second.settle()
    await third.settle()
    t.strictSame(references, [`${id}.1`, `${id}.1`], 'one payment to whoever knows the reference')
    for (const life of [second, third, restarted(third, heard)]) {
      await life.settle()
      t.match(life.out(id), { status: 'COMPLETED', call: null, version: 3 })
      t.strictSame(booksOf(life, of), { ...reserved, blocked: 0n, paidOut: BigInt(amountCents) })
    }
    t.equal(references.length, 2, 'what is over is not asked again')
  })

  t.test(`${kind}: an answer that comes again, too late, or to another call changes nothing`, async (t) => {
    const story = await of.begin(silent)
    const { id } = await story.sends(small)
    const answered = (callId: string, answer = yes) =>
      story.execute({
        type: 'RecordMoneyOut',
        accountId: account,
        by: { kind: 'PROVIDER', id: null },
        ...named(id),
        callId,
        answer,
      })
    const { version } = story.out(id)
    await answered(`${id}.2`)
    t.match(story.out(id), { status: 'PROCESSING', version })
    await answered(`${id}.1`)
    const books = booksOf(story, of)
    const done = story.out(id)
    t.equal(done.status, 'COMPLETED')
    const no = { type: 'REFUSED', code: null, refusal: { reason: 'ERROR', message: '' } } as const
    for (const answer of [yes, no, { type: 'SILENT' }] as const) await answered(`${id}.1`, answer)
    t.strictSame(story.out(id), done)
    t.strictSame(booksOf(story, of), books)
  })

  t.test(
    `${kind}: it counts once for the day and for its creator, and not at all where it does not leave`,
    async (t) => {
      let answer: Ask = async () => yes
      const story = await of.begin((request) => answer(request))
      const counted = () => {
        const { day, person } = booksOf(story, of)
        return [day, person]
      }
      const first = await story.sends(small)
      t.equal(first.status, 'COMPLETED')
      t.strictSame(counted(), [first.worthCents, first.worthCents])
      const waiting = await story.sends(large)
      t.match(waiting, { status: 'PENDING_APPROVAL', counts: [] })
      t.strictSame(counted(), [first.worthCents, first.worthCents], 'not while it waits')
      const both = first.worthCents + waiting.worthCents
      t.match(await story.approve(waiting.id), { status: 'COMPLETED' })
      t.strictSame(counted(), [both, both])
      const dropped = await story.sends(large)
      await story.execute({ type: 'CancelMoneyOut', accountId: account, by: ana, ...named(dropped.id) })
      t.strictSame(counted(), [both, both])
      answer = async () => ({ type: 'REFUSED', code: null }) as never
      t.equal((await story.sends(small)).status, 'FAILED')
      t.strictSame(counted(), [both, both], 'given back')
      t.match(booksOf(story, of), { blocked: 0n, plannedCents: 0n })
    },
  )

  t.test(`${kind}: two approvals of one payment, not one of each of two`, async (t) => {
    const references: string[] = []
    const story = await of.begin(async ({ reference }) => {
      references.push(reference)
      return yes
    })
    const { id } = await story.sends(small)
    const wanted = { required: 2 }
    const idOfChange = 'chg_00000000000000000000000001' as ChangeId
    await story.execute({
      type: 'SetControls',
      accountId: account,
      by: ana,
      hasApprover: true,
      wanted,
      idOfChange,
    })
    const [one, other] = [await story.sends(large), await story.sends(large)]
    t.match(await story.approve(one.id, bia), { status: 'PENDING_APPROVAL' })
    t.match(await story.approve(other.id, caio), { status: 'PENDING_APPROVAL' })
    t.match(await story.approve(one.id, bia), { reason: 'ALREADY_DECIDED' })
    t.match(await story.approve(one.id, caio), { status: 'COMPLETED' })
    t.equal(story.out(other.id).status, 'PENDING_APPROVAL')
    t.strictSame(references, [`${id}.1`, `${one.id}.1`])
  })

  t.test(`${kind}: two of 60 % of the balance at once: one`, async (t) => {
    const { creating, shard, settle } = await of.begin(async () => yes, 100)
    const lone = { othersCount: 0 }
    const replies = [creating(60 * unit, lone), creating(60 * unit, lone)].map((command) =>
      shard.execute(command),
    )
    await settle()
    t.match(await Promise.all(replies), [
      { accepted: true },
      { accepted: false, rejection: { reason: 'INSUFFICIENT_BALANCE' } },
    ])
  })

  t.test(
    `${kind}: what nobody approves ends: rejected, cancelled, too late, or its creator has left`,
    async (t) => {
      const story = await of.begin(async () => yes)
      await story.sends(small)
      const { execute, out, sends, advance } = story
      const before = booksOf(story, of)
      const waiting = async (by = ana) => (await sends(large, { by })).id
      const rejected = await waiting()
      const { type: _, ...decision } = anApproval(named(rejected))
      await execute({ ...decision, type: 'RejectMoneyOut', reason: 'Não conheço' })
      t.match(out(rejected), {
        status: 'CANCELLED',
        cancelReason: 'REJECTED',
        decisions: [{ decision: 'REJECTED', reason: 'Não conheço' }],
      })
      const cancelled = await waiting()
      const cancel = { type: 'CancelMoneyOut', accountId: account, by: ana, ...named(cancelled) } as const
      await execute(cancel)
      t.equal(out(cancelled).cancelReason, 'CANCELLED')
      t.match(await execute(cancel), { rejection: { reason: 'INVALID_STATE', currentStatus: 'CANCELLED' } })
      const [left, ofOther] = [await waiting(), await waiting(bia)]
      const personId = ana.id as PersonId
      await execute({ type: 'StopMoneyOutOf', accountId: account, by: bia, kind, personId })
      t.equal(out(left).cancelReason, 'CREATOR_REMOVED')
      t.equal(out(ofOther).status, 'PENDING_APPROVAL', 'another person’s')
      await advance('PT71H59M')
      t.equal(out(ofOther).status, 'PENDING_APPROVAL')
      await advance('PT1M')
      t.match(out(ofOther), { status: 'CANCELLED', cancelReason: 'APPROVAL_EXPIRED' })
      t.match(booksOf(story, of), { ...before, day: Number, person: Number })
    },
  )

  t.test(`${kind}: the same amount to the same payee within ten minutes may be a mistake`, async (t) => {
    const { creating, execute, sends, advance } = await of.begin(async () => yes)
    const guarded = { allowDuplicate: false }
    const { id } = await sends(small, guarded)
    t.match(await execute(creating(small, guarded)), {
      rejection: { reason: 'POSSIBLE_DUPLICATE', existingId: id },
    })
    t.match(await sends(small + 1, guarded), { status: 'COMPLETED' })
    t.match(await sends(small), { status: 'COMPLETED' }, 'it is meant')
    await advance('PT10M')
    t.match(await sends(small, guarded), { status: 'COMPLETED' })
  })

  t.test(`${kind}: a silent provider is asked again with the same reference, and pays once`, async (t) => {
    const references: string[] = []
    const story = await of.begin(async ({ reference }) => {
      references.push(reference)
      return references.length < 4 ? { type: 'SILENT' } : yes
    })
    const { id, status } = await story.sends(small)
    t.equal(status, 'PROCESSING')
    await story.advance('PT15M')
    t.equal(story.out(id).status, 'COMPLETED')
    t.strictSame(
      references,
      Array.from({ length: 4 }, () => `${id}.1`),
    )
    t.match(booksOf(story, of), { blocked: 0n, paidOut: BigInt(small) })
  })

  t.test(
    `${kind}: the last approval is refused while the funds are not there, and it waits on`,
    async (t) => {
      const story = await of.begin(async () => yes, 1_000)
      const { id } = await story.sends(large)
      await story.sends(100 * unit, { by: bia })
      t.match(await story.approve(id), { reason: 'INSUFFICIENT_BALANCE' })
      t.match(story.out(id), { status: 'PENDING_APPROVAL', decisions: [], version: 1 })
    },
  )

  t.test(`${kind}: nothing is found under the name of the other kind`, async (t) => {
    const other = kind === 'transfer' ? 'withdrawal' : 'transfer'
    const story = await of.begin(async () => yes)
    await story.sends(small)
    const { id, version } = await story.sends(large)
    const absent = {
      rejection: {
        reason: 'NOT_FOUND',
        resource: resource === 'transfer' ? 'crypto_withdrawal' : 'transfer',
      },
    }
    const target = { accountId: account, by: bia, ...targetIn(other, id) }
    t.match(await story.execute(anApproval(targetIn(other, id))), absent)
    t.match(await story.execute({ type: 'CancelMoneyOut', ...target }), absent)
    t.match(await story.execute({ type: 'ResolveMoneyOut', ...target, failureReason: null }), absent)
    const call = { callId: `${id}.1`, answer: yes }
    t.match(await story.execute({ type: 'RecordMoneyOut', ...target, ...call }), absent)
    t.equal(
      await story.shard.query({ type: 'FindMoneyOut', accountId: account, ...targetIn(other, id) }),
      null,
    )
    t.equal(story.out(id).version, version)
  })
}

t.test('who may not send one kind any more may go on with the other', async (t) => {
  const world = await withdrawalStory(10_000, async ({ operation }) =>
    operation === 'SEND' ? { type: 'CONFIRMED', txHash: '0xff' } : ({ type: 'DONE' } as const),
  )
  const transfers = await transfersIn(world, 100_000)
  const withdrawals = await withdrawalsIn(world)
  const [transfer, withdrawal] = [await transfers.sends(600_000), await withdrawals.sends(1_200_000_000)]
  const stop = (kind: 'transfer' | 'withdrawal') =>
    world.execute({ type: 'StopMoneyOutOf', accountId: account, by: bia, kind, personId: ana.id as PersonId })
  await stop('transfer')
  t.equal(transfers.out(transfer.id).cancelReason, 'CREATOR_REMOVED')
  t.equal(withdrawals.out(withdrawal.id).status, 'PENDING_APPROVAL')
  await stop('withdrawal')
  t.equal(withdrawals.out(withdrawal.id).cancelReason, 'CREATOR_REMOVED')
})

t.test('a person’s day is one sum over both kinds, and each kind has a limit of its own', async (t) => {
  const world = await withdrawalStory(10_000, async ({ operation }) =>
    operation === 'SEND' ? { type: 'CONFIRMED', txHash: '0xff' } : ({ type: 'DONE' } as const),
  )
  const transfers = await transfersIn(world, 100_000)
  const withdrawals = await withdrawalsIn(world)
  const a = await transfers.sends(10_000)
  const b = await withdrawals.sends(10_000_000)
  t.match(world.account().moneyOut?.sums, {
    PIX: { cents: a.worthCents },
    CRYPTO: { cents: b.worthCents },
    [`person ${ana.id}`]: { cents: a.worthCents + b.worthCents },
  })
})
