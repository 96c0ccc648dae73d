import { contextId } from '../kernel/context.ts'
import type { Decider, Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Rejection } from '../kernel/registry.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import { maskedEmail } from '../shared/audit.ts'
import { bounds } from '../shared/bounds.ts'
import type { PayerMailId } from '../shared/ids.ts'
import type { Initiator } from '../shared/initiator.ts'
import { type CountedMail, hourMs } from './account-part.ts'
import type { PayerMailCommand, RecordPayerMail, SendCharge, SetReminders, Unsubscribe } from './commands.ts'
import { canBePaid } from './payable.ts'
import type { MailPurpose, PayerMail, PayerMailFact } from './payer-mail.ts'
import { mailAddressOf } from './receipts.ts'
import { openMail, remindPayer } from './reminders.ts'

const sendCharge: Decider<SendCharge> = (draft, { transactionId, language, by }) => {
  const transaction = draft.find('transaction', transactionId)
  if (transaction === undefined) return { reason: 'NOT_FOUND', resource: 'transaction' }
  if (!canBePaid(transaction))
    return { reason: 'INVALID_STATE', currentStatus: transaction.status, allowedStatuses: ['PENDING'] }
  if (transaction.customer?.email == null) return { reason: 'PAYER_EMAIL_MISSING' }
  if (!draft.context.institution.sendsMail) return { reason: 'MAIL_NOT_SET_UP' }
  const [known] = draft.lookup('payerMail', transactionId)
  const refusal = chargeRefusal(draft, known) ?? companyRefusal(draft)
  if (refusal !== null) return refusal
  const { id: accountId } = draft.account()
  const id = known?.id ?? openMail(draft, { accountId, transactionId, remindOn: [], remindAtMs: null })
  const purpose = 'REQUESTED'
  draft.add({ ...factAbout(draft, id), type: 'PayerMailAsked', purpose, language })
  addSent(draft, transaction, transaction.customer.email, purpose, by)
  count(draft, 'SENT')
  return null
}

const recordPayerMail: Decider<RecordPayerMail> = (draft, { payerMailId: id, number, outcome, by }) => {
  const found = draft.find('payerMail', id)
  const mail = found?.mails[number - 1]
  if (found === undefined || mail === undefined) return { reason: 'NOT_FOUND', resource: 'payer_mail' }
  if (mail.status !== 'WAITING')
    return { reason: 'INVALID_STATE', currentStatus: mail.status, allowedStatuses: ['WAITING'] }
  draft.add({ ...factAbout(draft, id), type: 'PayerMailDone', number, outcome })
  // A mail on request is in the history since it was asked for.
  if (outcome === 'QUEUED' && mail.purpose !== 'REQUESTED') {
    const transaction = draft.find('transaction', found.transactionId)!
    const session = draft.find('checkoutSession', transaction.details.checkout?.sessionId ?? '')
    const to = mailAddressOf(mail.purpose, transaction, session)
    if (to !== null) addSent(draft, transaction, to, mail.purpose, by)
    // Receipts are as many as payments, and no limit of mails is about them.
    if (mail.purpose !== 'RECEIPT') count(draft, 'REMINDED')
  }
  return null
}

const setReminders: Decider<SetReminders> = (draft, { plan }) => {
  const { id, reminders } = draft.account()
  const isSame = reminders?.language === plan.language && String(reminders.days) === String(plan.days)
  if (!isSame) draft.add({ actor: 'account', type: 'RemindersSet', id, atMs: draft.context.nowMs, plan })
  return null
}

const unsubscribe: Decider<Unsubscribe> = (draft, { addressHash }) => {
  if (draft.lookupId('unsubscription', addressHash) !== undefined) return null
  const { context } = draft
  draft.add({
    actor: 'unsubscription',
    type: 'Unsubscribed',
    id: contextId(context, 'uns'),
    atMs: context.atMs,
    accountId: draft.account().id,
    addressHash,
  })
  count(draft, 'UNSUBSCRIBED')
  return null
}

/** Deciders for mail to payers. */
export const payerMailDeciders: Deciders<PayerMailCommand> = {
  SendCharge: sendCharge,
  RemindPayer: remindPayer,
  RecordPayerMail: recordPayerMail,
  SetReminders: setReminders,
  Unsubscribe: unsubscribe,
}

const factAbout = ({ context }: Draft, id: PayerMailId): Pick<PayerMailFact, 'actor' | 'id' | 'atMs'> => ({
  actor: 'payerMail',
  id,
  atMs: context.atMs,
})

/** The history of a charge says when it was sent to whom, and no more of the address than its owner needs to know it again. */
const addSent = (draft: Draft, { id }: Transaction, to: string, purpose: MailPurpose, by: Initiator): void =>
  draft.add({
    actor: 'transaction',
    type: 'ChargeSent',
    id,
    by,
    atMs: draft.context.nowMs,
    purpose,
    to: maskedEmail(to),
  })

const count = (draft: Draft, counted: CountedMail): void => {
  const { nowMs, atMs: realMs } = draft.context
  draft.add({
    actor: 'account',
    type: 'PayerMailCounted',
    id: draft.account().id,
    atMs: nowMs,
    counted,
    realMs,
  })
}

const chargeRefusal = ({ context }: Draft, known: PayerMail | undefined): Rejection | null => {
  const mailsMax = bounds.mailsPerChargeMax
  const recent = (known?.mails ?? []).filter(
    ({ purpose, askedAtMs }) => purpose === 'REQUESTED' && askedAtMs > context.atMs - bounds.mailsPerChargeMs,
  )
  if (recent.length < mailsMax) return null
  const availableAtMs = recent.at(-mailsMax)!.askedAtMs + bounds.mailsPerChargeMs
  return { reason: 'TOO_MANY_MAILS', of: 'CHARGE', mailsMax, availableAtMs }
}

const companyRefusal = (draft: Draft): Rejection | null => {
  const mailsMax = bounds.mailsPerHourMax
  const hour = Math.floor(draft.context.atMs / hourMs)
  const { payerMail } = draft.account()
  if (payerMail?.hour !== hour || payerMail.sentInHour < mailsMax) return null
  return { reason: 'TOO_MANY_MAILS', of: 'COMPANY', mailsMax, availableAtMs: (hour + 1) * hourMs }
}
