import type { Draft } from '../../kernel/draft.ts'
import type { Event, Rejection } from '../../kernel/registry.ts'
import { moveShares } from '../../payouts/shares.ts'
import type { InvoiceId } from '../../shared/ids.ts'
import { hasReactions, reactionsTo } from '../bookings.ts'
import type { TransactionCommand } from './commands.ts'
import { decideTransaction } from './decide.ts'
import type { TransactionEvent } from './events.ts'
import { evolveTransaction } from './evolve.ts'
import type { Transaction } from './transaction.ts'
import type { Turn } from './turn.ts'

/** What others make of a charge's facts as soon as they are in the draft. */
export type Follow = (
  draft: Draft,
  invoiceId: InvoiceId,
  transaction: Transaction,
  events: readonly TransactionEvent[],
) => void

/** Who pays a new charge, and how it is divided. */
export type ChargeTerms = Pick<Turn, 'payer' | 'split'>

/**
 * Lets a transaction decide, and adds its facts to the draft, with what they make its neighbours write. The invoice that
 * it collects follows only where the caller says how (see `changeTransaction`).
 */
export const writeTransaction = (
  draft: Draft,
  transaction: Transaction | undefined,
  command: TransactionCommand,
  { payer, split }: ChargeTerms = nothing,
  follow: Follow | null = null,
): Rejection | null => {
  const { context } = draft
  const settledAt: Turn['settledAt'] = (id) => draft.find('batch', id)?.settledAtMs ?? null
  const turn = { account: draft.account(), context, settledAt, payer, split }
  const decision = decideTransaction(transaction, command, turn)
  if (!decision.accepted) return decision.rejection
  addFacts(draft, transaction, decision.events, follow)
  return null
}

const none: readonly never[] = []

const nothing = { payer: { customer: null, customerId: null }, split: null } as const

const addFacts = (
  draft: Draft,
  transaction: Transaction | undefined,
  events: readonly TransactionEvent[],
  follow: Follow | null,
): void => {
  const first: Event[] = []
  const after: Event[] = []
  let state = transaction
  const last = events.findLastIndex(hasReactions)
  for (const event of events.slice(0, last + 1)) {
    state = evolveTransaction(state, event)
    if (!hasReactions(event)) continue
    const reactions = reactionsTo(event, state, draft.account())
    first.push(...reactions.first)
    after.push(...reactions.after)
  }
  draft.add(...first, ...events)
  const invoiceId = invoiceOf(transaction, events)
  if (follow !== null && invoiceId !== null)
    follow(draft, invoiceId, draft.find('transaction', events[0]!.id)!, events)
  draft.add(...after)
  if (state?.split == null) return
  const before = transaction?.receivables ?? none
  const now = draft.find('transaction', state.id)!
  if (now.receivables !== before) moveShares(draft, before, now)
}

/** The invoice that the charge collects. */
const invoiceOf = (
  transaction: Transaction | undefined,
  [first]: readonly TransactionEvent[],
): InvoiceId | null => {
  if (transaction !== undefined) return first === undefined ? null : transaction.invoiceId
  return first?.type === 'ChargeCreated' ? first.charge.invoiceId : null
}
