import { auditAccountPart } from './audit/account-part.ts'
import { auditKind } from './audit/audit-entry.ts'
import type { AuditedActors } from './audit/audited-object.ts'
import { billingAccountPart } from './billing/account-part.ts'
import { couponKind } from './billing/catalog/coupon-kind.ts'
import { planKind } from './billing/catalog/plan-kind.ts'
import { cardRetryKind } from './billing/invoice/card-retries.ts'
import { invoiceKind } from './billing/invoice/kind.ts'
import { subscriberKind } from './billing/subscriber/subscriber.ts'
import { subscriptionKind } from './billing/subscription/kind.ts'
import { controlChangeKind } from './controls/control-change.ts'
import { controlsAccountPart } from './controls/controls.ts'
import { moneyOutAccountPart } from './controls/sums.ts'
import { conversionKind } from './crypto/conversion.ts'
import { cryptoDepositKind } from './crypto/deposit.ts'
import { conversionQuoteKind } from './crypto/quote.ts'
import { walletKind } from './crypto/wallet.ts'
import { cryptoWithdrawalKind } from './crypto/withdrawal.ts'
import { customerKind } from './customers/registered-customer.ts'
import { earliestOf, type Timer } from './kernel/due-work.ts'
import { type Engine, kindIn } from './kernel/engine-definition.ts'
import type { ActorKind, ActorState, Event, ListedKind, TimerParked } from './kernel/registry.ts'
import { type Account, batchKind } from './ledger/account.ts'
import type { AccountPart, AccountPartRegistry } from './ledger/account-part.ts'
import { auditedClock } from './ledger/clock.ts'
import { evolveAccountWith } from './ledger/evolve.ts'
import { batchAtMs, nextSettlementDay } from './ledger/schedule.ts'
import { noticesAccountPart } from './notices/account-part.ts'
import { noticeKind } from './notices/notice.ts'
import { boletoAccountPart } from './payments/methods/boleto/account-part.ts'
import { cryptoAccountPart } from './payments/methods/crypto/account-part.ts'
import { pixAccountPart } from './payments/methods/pix/account-part.ts'
import { receivedKind } from './payments/received/received.ts'
import { transactionKind } from './payments/transaction/kind.ts'
import { nextTransactionTimer } from './payments/transaction/timers.ts'
import { splitTransferKind } from './payouts/kind.ts'
import { recipientKind } from './recipients/recipient.ts'
import { splitRuleKind } from './recipients/split-rule.ts'
import { nextScenarioTimer } from './sandbox/timers.ts'
import type { IdPrefix } from './shared/ids.ts'
import { statementLineKind } from './statement/line.ts'
import { supportAccountPart } from './support/account-part.ts'
import { ticketKind } from './support/ticket.ts'
import { beneficiaryKind } from './transfers/beneficiary.ts'
import { keyLookupKind } from './transfers/key-lookup.ts'
import { outgoingTransferKind } from './transfers/kind.ts'
import { transfersAccountPart } from './transfers/quota.ts'
import { viewKind } from './views/view.ts'
import type { Delivery } from './webhooks/delivery.ts'
import { deliveryKind } from './webhooks/evolve.ts'

/**
 * Every kind of actor of which an account has many. Their order matters: a command that names several is about the first
 * of them.
 */
export const kinds: Engine['kinds'] = {
  transaction: {
    ...transactionKind,
    timer: (transaction) => earliestOf([nextScenarioTimer(transaction), nextTransactionTimer(transaction)]),
  },
  subscription: subscriptionKind,
  invoice: invoiceKind,
  customer: customerKind,
  plan: planKind,
  coupon: couponKind,
  recipient: recipientKind,
  splitRule: splitRuleKind,
  splitTransfer: splitTransferKind,
  received: receivedKind,
  delivery: deliveryKind,
  batch: batchKind,
  subscriber: subscriberKind,
  cardRetries: cardRetryKind,
  controlChange: controlChangeKind,
  auditEntry: auditKind,
  ticket: ticketKind,
  notice: noticeKind,
  view: viewKind,
  cryptoDeposit: cryptoDepositKind,
  conversion: conversionKind,
  conversionQuote: conversionQuoteKind,
  wallet: walletKind,
  cryptoWithdrawal: cryptoWithdrawalKind,
  outgoingTransfer: outgoingTransferKind,
  beneficiary: beneficiaryKind,
  keyLookup: keyLookupKind,
  statementLine: statementLineKind,
}

const accountParts: AccountPartRegistry = {
  billing: billingAccountPart,
  boleto: boletoAccountPart,
  crypto: cryptoAccountPart,
  pix: pixAccountPart,
  audit: auditAccountPart,
  controls: controlsAccountPart,
  support: supportAccountPart,
  notices: noticesAccountPart,
  moneyOut: moneyOutAccountPart,
  transfers: transfersAccountPart,
}

const evolveAccount = evolveAccountWith(accountParts)

/** What the audit log says of actors. */
export const auditedActors: AuditedActors = {
  kinds,
  accountFields: (account) =>
    Object.assign(
      auditedClock(account),
      ...Object.values(accountParts).map(({ auditedFields }: Pick<AccountPart, 'auditedFields'>) =>
        auditedFields?.(account),
      ),
    ),
}

export const listedKinds = Object.keys(kinds) as readonly ListedKind[]

const kindOf = (kind: ListedKind) => kindIn({ kinds }, kind)

/** The prefix of a kind's ids. */
export const idPrefixOf = (kind: ListedKind): IdPrefix => kinds[kind].prefix

/** Applies a fact to its actor. */
export const evolve = (state: ActorState | undefined, event: Event): ActorState => {
  if (event.type === 'TimerParked') return Object.assign({ ...state! }, { parked: event.due })
  const before = state && 'parked' in state ? withTimer(state) : state
  return event.actor === 'account'
    ? evolveAccount(before as Account | undefined, event)
    : kindOf(event.actor).evolve(before, event)
}

const withTimer = ({ parked: _, ...state }: ActorState & { readonly parked?: unknown }): ActorState =>
  state as ActorState

/** The parked due work of an actor; null if there is none. */
export const parkedWorkOf = (state: ActorState): TimerParked['due'] | null =>
  'parked' in state ? (state.parked as TimerParked['due']) : null

/** When an actor was created: lists are ordered by it. */
export const createdAtMsOf = (kind: ListedKind, state: ActorState): number => kindOf(kind).createdAtMs(state)

/** The label that list filters read; null for transactions, which have columns. */
export const labelOf = (kind: ListedKind, state: ActorState): string | null =>
  kindOf(kind).label?.(state) ?? null

/** What the environment clock will do to an actor next; null when only a command can change it. */
export const nextTimer = (kind: ActorKind, state: ActorState): Timer | null => {
  if (parkedWorkOf(state) !== null) return null
  return kind === 'account' ? nextBatch(state as Account) : (kindOf(kind).timer?.(state) ?? null)
}

const nextBatch = (account: Account): Timer | null => {
  const date = nextSettlementDay(account.schedule)
  if (date === null) return null
  return {
    dueAtMs: batchAtMs(account.profile.timeZone, date),
    command: { type: 'SettleDay', accountId: account.id, by: { kind: 'CLOCK', id: null }, date },
  }
}

/** When an actor is due: a delivery on the real clock, everything else on the environment clock; null when never. */
export const dueAtMsOf = (kind: ActorKind, state: ActorState): number | null =>
  kind === 'delivery' ? (state as Delivery).nextAttemptAtMs : (nextTimer(kind, state)?.dueAtMs ?? null)

/** Whether a provider has been called and has not answered. */
export const awaitsProvider = (kind: ListedKind, state: ActorState): boolean =>
  kindOf(kind).awaitsProvider?.(state) ?? false

/** Whether an actor is at its end, and its state need not stay in memory. */
export const isOver = (kind: ListedKind, state: ActorState): boolean => kindOf(kind).isOver?.(state) ?? false

/** The ids of refunds, chargebacks and MEDs in an actor. */
export const reversalIdsOf = (kind: ListedKind, state: ActorState): readonly string[] =>
  kindOf(kind).reversalIds?.(state) ?? none

/** The keys that find an actor besides its id. */
export const lookupKeysOf = (kind: ListedKind, state: ActorState): readonly string[] =>
  kindOf(kind).lookupKeys?.(state) ?? none

/** Whether a fact holds the whole state, so that earlier ones are not needed. */
export const isSnapshotEvent = (event: Event): boolean =>
  event.actor !== 'account' && (kindOf(event.actor).isSnapshot?.(event) ?? false)

/** Whether a Sandbox reset leaves the actors of a kind. */
export const isKeptByReset = (kind: ListedKind): boolean => kinds[kind].isKeptByReset === true

/** Whether a fact follows from what happened elsewhere in the account. */
export const isAside = (event: Event): boolean =>
  event.actor !== 'account' && (kindOf(event.actor).isAside?.(event) ?? false)

/** Whether a kind has such facts. */
export const hasSnapshotEvents = (kind: ListedKind): boolean => kinds[kind].isSnapshot !== undefined

const none: readonly string[] = []
