import type { Draft } from '../kernel/draft.ts'
import type { LedgerAccount } from '../ledger/postings.ts'
import { debtCents, wholeEvery } from '../recipients/recipient.ts'
import type { RecipientId, SettlementId, TransactionId } from '../shared/ids.ts'
import { type Cents, toCents } from '../shared/money.ts'
import type { Owed } from './owed.ts'

/**
 * The bookings of one command for recipients: one fact per recipient and one for the ledger, however many shares move.
 */
export type Books = {
  /** Credits a settled share. Returns how much of it pays the recipient's debt. */
  readonly credit: (recipientId: RecipientId, cents: Cents) => Cents
  /** Changes what the company owes without a transfer; negative when a share already paid out is taken back. */
  readonly adjust: (recipientId: RecipientId, cents: number) => void
  /** Changes what transfers are still to pay; negative for less. */
  readonly pend: (recipientId: RecipientId, cents: number) => void
  /** Records that the bank has paid. */
  readonly payOut: (recipientId: RecipientId, cents: Cents) => void
  /** Records that money has come back which the bank had paid: it is owed once more, and no transfer is to pay it. */
  readonly payBack: (recipientId: RecipientId, cents: Cents) => void
  readonly debtOf: (recipientId: RecipientId) => Cents
  /** Records a larger share of a settlement to come; negative for a smaller one, or for a share that was moved. */
  readonly expect: (settlementId: SettlementId | null, cents: number) => void
  /** Adds the facts to the draft. Call once, after all bookings. */
  readonly close: () => void
}

/** Opens the books of one transaction's recipients for a command. */
export const openBooks = (draft: Draft, transactionId: TransactionId): Books => {
  const balances = new Map<RecipientId, Owed>()
  const moved = { available: 0, recipients: 0, paidOut: 0 }
  const expected = new Map<SettlementId, number>()

  const of = (id: RecipientId) => {
    let own = balances.get(id)
    if (own === undefined) {
      const { balanceCents, pendingCents } = draft.find('recipient', id)!
      own = { balanceCents, pendingCents }
      balances.set(id, own)
    }
    return own
  }

  const move = (from: keyof typeof moved, to: keyof typeof moved, cents: number): void => {
    moved[from] -= cents
    moved[to] += cents
  }

  const debtOf = (id: RecipientId): Cents => toCents(debtCents(of(id)))

  const adjust = (id: RecipientId, cents: number): void => {
    of(id).balanceCents += cents
    move('available', 'recipients', cents)
  }

  const close = (): void => {
    const postings = nonZero(Object.entries(moved) as [LedgerAccount, number][]).map(([account, cents]) => ({
      account,
      cents,
    }))
    const { id } = draft.account()
    const { nowMs: atMs } = draft.context
    const awaited = nonZero(expected).map(([settlementId, cents]) => ({ settlementId, cents }))
    if (postings.length > 0 || awaited.length > 0)
      draft.add({ actor: 'account', type: 'SharesBooked', id, atMs, transactionId, postings, awaited })
    for (const [id, own] of balances) {
      const before = draft.find('recipient', id)!
      const balanceCents = toCents(own.balanceCents)
      const pendingCents = toCents(own.pendingCents)
      if (balanceCents === before.balanceCents && pendingCents === before.pendingCents) continue
      const whole = before.bookings % wholeEvery === wholeEvery - 1 ? before : null
      draft.add({ actor: 'recipient', type: 'RecipientBooked', id, atMs, balanceCents, pendingCents, whole })
    }
  }

  return {
    credit: (id, cents) => {
      const recoveredCents = toCents(Math.min(cents, debtOf(id)))
      adjust(id, cents)
      return recoveredCents
    },
    adjust,
    pend: (id, cents) => {
      of(id).pendingCents += cents
    },
    payOut: (id, cents) => {
      const own = of(id)
      own.balanceCents -= cents
      own.pendingCents -= cents
      move('recipients', 'paidOut', cents)
    },
    payBack: (id, cents) => {
      of(id).balanceCents += cents
      move('paidOut', 'recipients', cents)
    },
    debtOf,
    expect: (settlementId, cents) => {
      if (settlementId !== null) expected.set(settlementId, (expected.get(settlementId) ?? 0) + cents)
    },
    close,
  }
}

const nonZero = <Key>(sums: Iterable<readonly [Key, number]>): readonly (readonly [Key, Cents])[] =>
  [...sums].filter(([, cents]) => cents !== 0).map(([key, cents]) => [key, toCents(cents)])
