import './audit/index.ts'
import './billing/index.ts'
import './approval-and-limits/index.ts'
import './checkout/index.ts'
import './connections/index.ts'
import './crypto/index.ts'
import './customers/index.ts'
import './inbox/index.ts'
import './reconciliation/index.ts'
import './kernel/refusals.ts'
import './ledger/index.ts'
import './marketplace/index.ts'
import './notes/index.ts'
import './notices/index.ts'
import './payer-mail/index.ts'
import './payments/index.ts'
import './portal/index.ts'
import './recipients/index.ts'
import './sandbox/index.ts'
import './statement/index.ts'
import './support/index.ts'
import './money-out/index.ts'
import './views/index.ts'
import './webhooks/index.ts'
import { controlsModule } from './approval-and-limits/index.ts'
import type { AuditedActors } from './audit/audited-object.ts'
import { auditModule } from './audit/index.ts'
import { billingModule } from './billing/index.ts'
import { checkoutModule } from './checkout/index.ts'
import { connectionsModule } from './connections/index.ts'
import { cryptoModule } from './crypto/index.ts'
import { customersModule } from './customers/index.ts'
import { inboxModule } from './inbox/index.ts'
import { earliestOf, type Timer } from './kernel/due-work.ts'
import type { AnyKind, Engine } from './kernel/engine-definition.ts'
import type { ActorKind, ActorState, AnyFact, ListedKind, TimerParked } from './kernel/registry.ts'
import type { Account } from './ledger/account.ts'
import type { AccountPart, AccountPartRegistry } from './ledger/account-part.ts'
import { auditedClock } from './ledger/clock.ts'
import { evolveAccountWith } from './ledger/evolve.ts'
import { ledgerModule } from './ledger/index.ts'
import { batchAtMs, nextSettlementDay } from './ledger/schedule.ts'
import { marketplaceModule } from './marketplace/index.ts'
import { moneyOutModule } from './money-out/index.ts'
import { notesModule } from './notes/index.ts'
import { noticesModule } from './notices/index.ts'
import { payerMailModule } from './payer-mail/index.ts'
import { paymentsModule } from './payments/index.ts'
import { nextTransactionTimer } from './payments/transaction/timers.ts'
import { portalModule } from './portal/index.ts'
import { recipientsModule } from './recipients/index.ts'
import { reconciliationModule } from './reconciliation/index.ts'
import { nextScenarioTimer } from './sandbox/timers.ts'
import type { IdPrefix } from './shared/ids.ts'
import { statementModule } from './statement/index.ts'
import { supportModule } from './support/index.ts'
import { viewsModule } from './views/index.ts'
import type { Delivery } from './webhooks/delivery.ts'
import { webhooksModule } from './webhooks/index.ts'

/** Every kind that an account can have many of. Order matters: a command that names several is about the first. */
export const kinds: Engine['kinds'] = {
  ...paymentsModule.kinds,
  transaction: {
    ...paymentsModule.kinds.transaction,
    timer: (transaction) => earliestOf([nextScenarioTimer(transaction), nextTransactionTimer(transaction)]),
  },
  ...billingModule.kinds,
  ...checkoutModule.kinds,
  ...portalModule.kinds,
  ...customersModule.kinds,
  ...recipientsModule.kinds,
  ...marketplaceModule.kinds,
  ...webhooksModule.kinds,
  ...ledgerModule.kinds,
  ...controlsModule.kinds,
  ...auditModule.kinds,
  ...supportModule.kinds,
  ...noticesModule.kinds,
  ...viewsModule.kinds,
  ...cryptoModule.kinds,
  ...moneyOutModule.kinds,
  ...statementModule.kinds,
  ...payerMailModule.kinds,
  ...notesModule.kinds,
  ...inboxModule.kinds,
  ...reconciliationModule.kinds,
}

const accountParts: AccountPartRegistry = {
  ...connectionsModule.accountParts,
  ...paymentsModule.accountParts,
  ...billingModule.accountParts,
  ...controlsModule.accountParts,
  ...auditModule.accountParts,
  ...supportModule.accountParts,
  ...noticesModule.accountParts,
  ...moneyOutModule.accountParts,
  ...payerMailModule.accountParts,
}

const evolveAccount = evolveAccountWith(accountParts)

/** The fields of actors and accounts that the audit log compares. */
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

/** A kind's definition with its state type erased: callers pass each function a state of that kind. */
export const definitionOf = (kind: ListedKind): AnyKind => kinds[kind] as AnyKind

/** The prefix of a kind's ids. */
export const idPrefixOf = (kind: ListedKind): IdPrefix => kinds[kind].prefix

/** Applies a fact to its actor. */
export const evolve = (state: ActorState | undefined, event: AnyFact): ActorState => {
  if (event.type === 'TimerParked') return Object.assign({ ...state! }, { parked: event.due })
  const before = state && 'parked' in state ? withTimer(state) : state
  return event.actor === 'account'
    ? evolveAccount(before as Account | undefined, event)
    : definitionOf(event.actor).evolve(before, event)
}

const withTimer = ({ parked: _, ...state }: ActorState & { readonly parked?: unknown }): ActorState =>
  state as ActorState

/** The parked due work of an actor; null if there is none. */
export const parkedWorkOf = (state: ActorState): TimerParked['due'] | null =>
  'parked' in state ? (state.parked as TimerParked['due']) : null

/** What the environment clock will do to an actor next; null when only a command can change it. */
export const nextTimer = (kind: ActorKind, state: ActorState): Timer | null => {
  if (parkedWorkOf(state) !== null) return null
  return kind === 'account' ? nextBatch(state as Account) : (definitionOf(kind).timer?.(state) ?? null)
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

/** Whether a fact holds the whole state, so that earlier ones are not needed. */
export const isSnapshotEvent = (event: AnyFact): boolean =>
  event.actor !== 'account' && (definitionOf(event.actor).isSnapshot?.(event) ?? false)

/** Whether a Sandbox reset leaves the actors of a kind. */
export const isKeptByReset = (kind: ListedKind): boolean => kinds[kind].isKeptByReset === true

/** Whether a fact only follows from a change elsewhere in the account, so that it is never a command's effect. */
export const isAside = (event: AnyFact): boolean =>
  event.actor !== 'account' && (definitionOf(event.actor).isAside?.(event) ?? false)

/** Whether a kind has facts that hold its whole state. */
export const hasSnapshotEvents = (kind: ListedKind): boolean => kinds[kind].isSnapshot !== undefined
