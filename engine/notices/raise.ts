import type { ControlChange } from '../controls/control-change.ts'
import type { Controls } from '../controls/controls.ts'
import type { NewDeposit } from '../crypto/deposit.ts'
import type { CryptoWithdrawal } from '../crypto/withdrawal.ts'
import { contextId } from '../kernel/context.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Account } from '../ledger/account.ts'
import type { Chargeback, Med, Transaction } from '../payments/transaction/transaction.ts'
import { decimalOf } from '../shared/asset.ts'
import { isoInstant } from '../shared/calendar.ts'
import type { DepositId, NoticeId } from '../shared/ids.ts'
import { limits } from '../shared/limits.ts'
import type { Ticket, TicketMessage } from '../support/ticket.ts'
import type { OutgoingTransfer } from '../transfers/outgoing-transfer.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import { type NewNotice, topicKeyOf, topicMs } from './notice.ts'

/** Adds the notices of what a command has changed, after it was decided. The name is that of the person who gave it, if it was one. */
export const raiseNotices = (draft: Draft, by: string | null): void => {
  const { steps } = draft
  let isBooked = false
  for (let n = 0, { length } = steps; n < length; n++) {
    const { event, after } = steps[n]!
    switch (event.type) {
      case 'AttemptRecorded':
        raiseForAttempt(draft, after as Delivery)
        break
      case 'ChargebackOpened':
        raise(draft, ofChargeback(draft, after as Transaction, event.chargeback))
        break
      case 'MedOpened':
        raise(draft, ofMed(draft, after as Transaction, event.med))
        break
      case 'DepositOpened':
        raise(draft, ofDeposit(draft, event.id, event.deposit))
        break
      case 'OutgoingCreated':
        if ((after as OutgoingTransfer).status === 'PENDING_APPROVAL')
          raise(draft, ofTransfer(draft, 'TRANSFER_PENDING', after as OutgoingTransfer))
        break
      case 'OutgoingRecalled':
        raise(draft, ofTransfer(draft, 'TRANSFER_PENDING', after as OutgoingTransfer))
        break
      case 'OutgoingCompleted':
        raise(draft, ofTransfer(draft, 'TRANSFER_COMPLETED', after as OutgoingTransfer))
        break
      case 'OutgoingFailed':
        raise(draft, ofTransfer(draft, 'TRANSFER_FAILED', after as OutgoingTransfer))
        break
      case 'WithdrawalCreated':
        if ((after as CryptoWithdrawal).status === 'PENDING_APPROVAL')
          raise(draft, ofWithdrawal(draft, 'WITHDRAWAL_PENDING', after as CryptoWithdrawal))
        break
      case 'WithdrawalCompleted':
        raise(draft, ofWithdrawal(draft, 'WITHDRAWAL_COMPLETED', after as CryptoWithdrawal))
        break
      case 'WithdrawalFailed':
        raise(draft, ofWithdrawal(draft, 'WITHDRAWAL_FAILED', after as CryptoWithdrawal))
        break
      case 'TicketAnswered':
        if (event.message.author === 'STAFF')
          raise(draft, ofTicket(draft, after as Ticket, event.message.name))
        break
      case 'ChangeRequested':
      case 'ChangeApproved':
      case 'ChangeRejected':
      case 'ChangeTookEffect':
        raise(draft, ofControlChange(draft, stages[event.type], after as ControlChange, by))
        break
      case 'ControlsChanged':
        // A looser value that takes effect is told of as the change that it is.
        if (Object.keys(event.changes).length > 0 && steps[n - 1]?.event.type !== 'ChangeTookEffect')
          raise(draft, ofControls(draft, event.changes, by))
        break
      case 'PaymentBooked':
      case 'ReversalBooked':
      case 'SharesBooked':
        isBooked = true
        break
    }
  }
  if (isBooked) raiseForBalance(draft)
}

type NoticeContent = Pick<NewNotice, 'kind' | 'personId' | 'objectId' | 'details'>

/** A notice that is not raised again. */
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

/** An endpoint that is away fails many deliveries: one notice an hour counts them. */
const raiseForAttempt = (draft: Draft, delivery: Delivery): void => {
  const { status, attempts, endpointId, id: objectId, eventType } = delivery
  const isFailing = status === 'RETRYING' && attempts.length === limits.attemptsBeforeNotice
  if (status !== 'EXHAUSTED' && !isFailing) return
  const kind = isFailing ? 'DELIVERY_FAILING' : 'DELIVERY_EXHAUSTED'
  const { error, statusCode } = attempts.at(-1)!
  const details = { endpointId, type: eventType, reason: error ?? String(statusCode) }
  const topic = `${kind} ${endpointId}`
  const { atMs } = draft.context
  const recent = [atMs, atMs - topicMs]
    .flatMap((ms) => draft.lookup('notice', topicKeyOf(topic, ms)))
    .find(({ createdAtMs }) => createdAtMs > atMs - topicMs)
  if (recent === undefined)
    raise(draft, { ...newNotice(draft, { kind, personId: null, objectId, details }), topic })
  else draft.add({ actor: 'notice', type: 'NoticeRepeated', id: recent.id, atMs, details })
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
  remindAtMs: defenseDueAtMs - limits.defenseRemindedMs,
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

const ofTransfer = (
  draft: Draft,
  kind: 'TRANSFER_PENDING' | 'TRANSFER_COMPLETED' | 'TRANSFER_FAILED',
  { id: objectId, amountCents, payee, failureReason: reason }: OutgoingTransfer,
): NewNotice => {
  const details = { amount: String(amountCents), name: payee.name, ...(reason !== null && { reason }) }
  return newNotice(draft, { kind, personId: null, objectId, details })
}

const ofWithdrawal = (
  draft: Draft,
  kind: 'WITHDRAWAL_PENDING' | 'WITHDRAWAL_COMPLETED' | 'WITHDRAWAL_FAILED',
  { id: objectId, units, wallet, failureReason: reason }: CryptoWithdrawal,
): NewNotice => {
  const { asset, name } = wallet
  const details = { cryptoAmount: decimalOf(units), asset, name, ...(reason !== null && { reason }) }
  return newNotice(draft, { kind, personId: null, objectId, details })
}

const ofTicket = (draft: Draft, { id: objectId, number, subject }: Ticket, name: TicketMessage['name']) =>
  newNotice(draft, { kind: 'TICKET_ANSWERED', personId: null, objectId, details: { number, subject, name } })

const stages = {
  ChangeRequested: 'REQUESTED',
  ChangeApproved: 'APPROVED',
  ChangeRejected: 'REJECTED',
  ChangeTookEffect: 'EFFECTIVE',
} as const

const ofControlChange = (
  draft: Draft,
  stage: (typeof stages)[keyof typeof stages],
  { id: objectId, after, effectiveAtMs }: ControlChange,
  by: string | null,
): NewNotice => {
  const effectiveAt = effectiveAtMs === null ? null : isoInstant(effectiveAtMs)
  const details = { stage, by, fields: fieldsIn(after), effectiveAt }
  return newNotice(draft, { kind: 'LIMIT_CHANGED', personId: null, objectId, details })
}

/** Stricter values count at once. */
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
