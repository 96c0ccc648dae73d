import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { TransactionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { arrivalsOf } from '../bookings.ts'
import type { ReceiveUnrequestedPix } from '../methods/pix/commands.ts'
import { knownPix } from '../suspense/known.ts'
import type { ChargeContext, ChargeDecider, TransactionDecision } from './charge-context.ts'
import type { ChangeTransaction } from './commands.ts'
import { chargeDeciders } from './decide.ts'
import type { TransactionFact } from './facts.ts'
import type { Transaction } from './transaction.ts'

/** The payer, division and provider of a new charge. */
export type NewCharge = Pick<ChargeContext, 'payer' | 'split' | 'providerId' | 'connection'>

/** Decides a command about a transaction, and adds the facts. */
export const executeOnTransaction = (
  draft: Draft,
  transaction: Transaction | undefined,
  command: ChangeTransaction,
): Rejection | null => {
  const decide = chargeDeciders[command.type] as ChargeDecider<ChangeTransaction>
  // Without a transaction only a deposit is accepted, whose command has the new one's id.
  const id = transaction?.id ?? (command as ReceiveUnrequestedPix).transactionId
  const chargeContext = chargeContextOf(draft, id, command.by)
  return addDecided(draft, transaction, decide(transaction, command, chargeContext))
}

/**
 * Adds the facts that a transaction decided on to the draft, with what follows from them: the account's books,
 * recipients' transfers, the invoice that it collects.
 */
export const addDecided = (
  draft: Draft,
  before: Transaction | undefined,
  decision: TransactionDecision,
): Rejection | null => {
  if (!decision.accepted) return decision.rejection
  addFacts(draft, before, decision.events)
  return null
}

/** The context in which a transaction decides. */
export const chargeContextOf = (
  draft: Draft,
  id: TransactionId,
  by: Initiator,
  charge: NewCharge = nothing,
): ChargeContext => ({
  fact: { actor: 'transaction', id, by, atMs: draft.context.nowMs },
  account: draft.account(),
  context: draft.context,
  settledAt: (id) => draft.find('batch', id)?.settledAtMs ?? null,
  isReceived: (endToEndId) => knownPix(draft, endToEndId) !== null,
  ...charge,
})

const nothing = {
  payer: { customer: null, customerId: null },
  split: null,
  providerId: null,
  connection: null,
} as const

/** Adds a transaction's facts, with received PIX before them and the reactions of other folders after them. */
export const addFacts = (
  draft: Draft,
  before: Transaction | undefined,
  events: readonly TransactionFact[],
): void => {
  if (events.length === 0) return
  const change = { before, events: draft.written(events) }
  draft.add(...arrivalsOf(draft, change), ...change.events)
  draft.react('transaction', change)
}
