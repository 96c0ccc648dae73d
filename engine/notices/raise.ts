import type { ControlChange } from '../approval-and-limits/control-change.ts'
import type { Controls } from '../approval-and-limits/controls.ts'
import type { NewDeposit } from '../crypto/deposit.ts'
import { contextId } from '../kernel/context.ts'
import type { Draft } from '../kernel/draft.ts'
import type { AnyFact } from '../kernel/registry.ts'
import type { Account } from '../ledger/account.ts'
import type { SplitTransfer } from '../marketplace/split-transfer.ts'
import type { MoneyOut } from '../money-out/money-out.ts'
import { leftInSuspenseCents, type Suspense } from '../payments/suspense/suspense.ts'
import { toReturnCents } from '../payments/transaction/amounts.ts'
import type { Chargeback, Med, Transaction } from '../payments/transaction/transaction.ts'
import { decimalOf } from '../shared/asset.ts'
import { bounds } from '../shared/bounds.ts'
import { isoInstant } from '../shared/calendar.ts'
import type { DepositId, NoticeId, PaymentLinkId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { Ticket, TicketMessage } from '../support/ticket.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import { type NewNotice, topicKeyOf, topicMs } from './notice.ts'

/** Adds notices about the facts of a command. `by` is the name of the person who gave it, if a person did. */
export const raiseNotices = (draft: Draft, by: string | null): void => {
  const { steps } = draft
  let isBooked = false
  for (let n = 0, { length } = steps; n < length; n++) {
    const { event, after } = steps[n]!
    if (bookings.has(event.type)) isBooked = true
    else (raisers[event.type] as Raiser<AnyFact> | undefined)?.(draft, event, after as never, by, n)
  }
  if (isBooked) raiseForBalance(draft)
}

/** Raises the notice of a fact, the nth in the draft, which led to the state `after`. */
type Raiser<Fact> = (draft: Draft, event: Fact, after: never, by: string | null, n: number) => void

const raisers: {
  readonly [Type in AnyFact['type']]?: Raiser<Extract<AnyFact, { readonly type: Type }>>
} = {
  AttemptRecorded: (draft, _, after: Delivery) => raiseForAttempt(draft, after),
  ChargebackOpened: (draft, event, after: Transaction) =>
    raise(draft, ofChargeback(draft, after, event.chargeback)),
  MedOpened: (draft, event, after: Transaction) => raise(draft, ofMed(draft, after, event.med)),
  DepositOpened: (draft, event) => raise(draft, ofDeposit(draft, event.id, event.deposit)),
  AttackBegan: (draft, { linkId }) => raiseForCards(draft, linkId),
  CardsClosed: (draft) => raiseForCards(draft, null),
  MoneyOutCreated: (draft, _, after: MoneyOut) => {
    if (after.status === 'PENDING_APPROVAL') raise(draft, ofMoneyOut(draft, 'PENDING', after))
  },
  MoneyOutRecalled: (draft, _, after: MoneyOut) => raise(draft, ofMoneyOut(draft, 'PENDING', after)),
  MoneyOutCompleted: (draft, _, after: MoneyOut) => raise(draft, ofMoneyOut(draft, 'COMPLETED', after)),
  MoneyOutFailed: (draft, _, after: MoneyOut) => raise(draft, ofMoneyOut(draft, 'FAILED', after)),
  MoneyOutCameBack: (draft, { part }, { id: objectId, payee }: MoneyOut) => {
    const details = { amount: String(part.amountCents), name: payee.name }
    raise(draft, newNotice(draft, { kind: 'TRANSFER_RETURNED', personId: null, objectId, details }))
  },
  TransferCameBack: (draft, { part }, { id: objectId, recipientId }: SplitTransfer) => {
    const details = { amount: String(part.amountCents), name: draft.find('recipient', recipientId)!.name }
    raise(draft, newNotice(draft, { kind: 'PAYOUT_RETURNED', personId: null, objectId, details }))
  },
  OutcomeLost: (draft, event, after: MoneyOut | SplitTransfer) => {
    const [cents, name] =
      'payee' in after
        ? [after.amountCents, after.payee.name]
        : [after.dueCents, draft.find('recipient', after.recipientId)!.name]
    const details = { amount: String(cents), name }
    raise(draft, newNotice(draft, { kind: 'TRANSFER_LOST', personId: null, objectId: event.id, details }))
  },
  // The bank has refused it on each of its days: the money is in suspense.
  ReturnRefused: (draft, { receivedPixId, message, retryAtMs }, after: Transaction) => {
    const returned = after.reversals.returns?.find((one) => one.receivedPixId === receivedPixId)
    if (retryAtMs === null && returned !== undefined)
      raiseForReturn(draft, after.id, toReturnCents(returned), message)
  },
  SuspenseReturnRefused: (draft, { message, retryAtMs }, after: Suspense) => {
    if (retryAtMs === null) raiseForReturn(draft, after.id, leftInSuspenseCents(after), message)
  },
  TicketAnswered: (draft, { message }, after: Ticket) => {
    if (message.author === 'STAFF') raise(draft, ofTicket(draft, after, message.name))
  },
  ChangeRequested: (draft, _, after: ControlChange, by) =>
    raise(draft, ofControlChange(draft, 'REQUESTED', after, by)),
  ChangeApproved: (draft, _, after: ControlChange, by) =>
    raise(draft, ofControlChange(draft, 'APPROVED', after, by)),
  ChangeRejected: (draft, _, after: ControlChange, by) =>
    raise(draft, ofControlChange(draft, 'REJECTED', after, by)),
  ChangeTookEffect: (draft, _, after: ControlChange, by) =>
    raise(draft, ofControlChange(draft, 'EFFECTIVE', after, by)),
  ControlsChanged: (draft, { changes }, _, by, n) => {
    // A relaxed limit has its notice already, from the change that took effect.
    if (Object.keys(changes).length > 0 && draft.steps[n - 1]?.event.type !== 'ChangeTookEffect')
      raise(draft, ofControls(draft, changes, by))
  },
}

/** Facts that can make the balance negative. */
const bookings: ReadonlySet<AnyFact['type']> = new Set(['PaymentBooked', 'ReversalBooked', 'SharesBooked'])

/** The facts that can raise a notice. */
export const noticedFacts: ReadonlySet<string> = new Set([...Object.keys(raisers), ...bookings])

type NoticeContent = Pick<NewNotice, 'kind' | 'personId' | 'objectId' | 'details'>

/** A notice without topic or reminder. */
export const newNotice = (draft: Draft, content: NoticeContent): NewNotice => ({
  accountId: draft.account().id,
  topic: null,
  remindAtMs: null,
  ...content,
})

/** Adds a notice, under its own id or a new one. */
export const raise = (draft: Draft, notice: NewNotice, id?: NoticeId): void =>
  draft.add({
    actor: 'notice',
    type: 'NoticeRaised',
    id: id ?? contextId(draft.context, 'ntf'),
    atMs: draft.context.atMs,
    notice,
  })

const raiseForReturn = (draft: Draft, objectId: string, cents: Cents, reason: string): void =>
  raise(
    draft,
    newNotice(draft, {
      kind: 'RETURN_FAILED',
      personId: null,
      objectId,
      details: { amount: String(cents), reason },
    }),
  )

/** An endpoint that is away fails many deliveries: one notice an hour counts them. */
const raiseForAttempt = (draft: Draft, delivery: Delivery): void => {
  const { status, attempts, endpointId, id: objectId, eventType } = delivery
  const isFailing = status === 'RETRYING' && attempts.length === bounds.attemptsBeforeNotice
  if (status !== 'EXHAUSTED' && !isFailing) return
  const kind = isFailing ? 'DELIVERY_FAILING' : 'DELIVERY_EXHAUSTED'
  const { error, statusCode } = attempts.at(-1)!
  const details = { endpointId, type: eventType, reason: error ?? String(statusCode) }
  raiseHourly(draft, `${kind} ${endpointId}`, { kind, personId: null, objectId, details })
}

/** Who tests cards tries many links: one notice an hour counts them. */
const raiseForCards = (draft: Draft, linkId: PaymentLinkId | null): void =>
  raiseHourly(draft, 'CARD_TESTING', {
    kind: 'CARD_TESTING',
    personId: null,
    objectId: linkId,
    details: { linkId },
  })

/** Raises a notice about something that happens often: within an hour it is repeated, and counted. */
const raiseHourly = (draft: Draft, topic: string, content: NoticeContent): void => {
  const { atMs } = draft.context
  const recent = [atMs, atMs - topicMs]
    .flatMap((ms) => draft.lookup('notice', topicKeyOf(topic, ms)))
    .find(({ createdAtMs }) => createdAtMs > atMs - topicMs)
  if (recent === undefined) raise(draft, { ...newNotice(draft, content), topic })
  else draft.add({ actor: 'notice', type: 'NoticeRepeated', id: recent.id, atMs, details: content.details })
}

const ofChargeback = (
  draft: Draft,
  { id: objectId }: Transaction,
  { id: chargebackId, amountCents, defenseDueAtMs }: Chargeback,
): NewNotice => ({
  ...newNotice(draft, {
    kind: 'CHARGEBACK_OPENED',
    personId: null,
    objectId,
    details: { chargebackId, amount: String(amountCents), defenseDueAt: isoInstant(defenseDueAtMs) },
  }),
  remindAtMs: defenseDueAtMs - bounds.defenseRemindedMs,
})

const ofMed = (
  draft: Draft,
  { id: objectId }: Transaction,
  { id: medId, amountCents, analysisDueAtMs }: Med,
): NewNotice =>
  newNotice(draft, {
    kind: 'MED_OPENED',
    personId: null,
    objectId,
    details: { medId, amount: String(amountCents), analysisDueAt: isoInstant(analysisDueAtMs) },
  })

const ofDeposit = (
  draft: Draft,
  objectId: DepositId,
  { transactionId, reason, asset, units }: NewDeposit,
): NewNotice =>
  newNotice(draft, {
    kind: 'CRYPTO_DEPOSIT',
    personId: null,
    objectId,
    details: { transactionId, reason, asset, cryptoAmount: decimalOf(units) },
  })

const ofMoneyOut = (draft: Draft, step: 'PENDING' | 'COMPLETED' | 'FAILED', out: MoneyOut): NewNotice => {
  const { id: objectId, amountCents, failureReason: reason } = out
  const amount =
    out.method === 'CRYPTO'
      ? { cryptoAmount: decimalOf(amountCents), asset: out.currency }
      : { amount: String(amountCents) }
  const kind = out.method === 'CRYPTO' ? (`WITHDRAWAL_${step}` as const) : (`TRANSFER_${step}` as const)
  const details = { ...amount, name: out.payee.name, ...(reason !== null && { reason }) }
  return newNotice(draft, { kind, personId: null, objectId, details })
}

const ofTicket = (draft: Draft, { id: objectId, number, subject }: Ticket, name: TicketMessage['name']) =>
  newNotice(draft, { kind: 'TICKET_ANSWERED', personId: null, objectId, details: { number, subject, name } })

const ofControlChange = (
  draft: Draft,
  stage: 'REQUESTED' | 'APPROVED' | 'REJECTED' | 'EFFECTIVE',
  { id: objectId, after, effectiveAtMs }: ControlChange,
  by: string | null,
): NewNotice => {
  const effectiveAt = effectiveAtMs === null ? null : isoInstant(effectiveAtMs)
  const details = { stage, by, fields: fieldsIn(after), effectiveAt }
  return newNotice(draft, { kind: 'LIMIT_CHANGED', personId: null, objectId, details })
}

/** The notice of stricter values, which count at once. */
const ofControls = (draft: Draft, changes: Partial<Controls>, by: string | null): NewNotice => {
  const details = { stage: 'CHANGED', by, fields: fieldsIn(changes), effectiveAt: null }
  return newNotice(draft, { kind: 'LIMIT_CHANGED', personId: null, objectId: null, details })
}

/** The names of limits as the API has them. */
const fieldsIn = (controls: Partial<Controls>): string =>
  Object.keys(controls)
    .map((field) => field.replace(/Cents$/, 'Amount'))
    .join()

const raiseForBalance = (draft: Draft): void => {
  const { id, balances } = draft.account()
  const before: Account | undefined = draft.before('account', id)
  const { available } = balances
  if (available >= 0n || before === undefined || before.balances.available < 0n) return
  const details = { amount: String(available) }
  raise(draft, newNotice(draft, { kind: 'BALANCE_NEGATIVE', personId: null, objectId: null, details }))
}
