import { canBePaid, dueDateOf } from '../../engine/payer-mail/payable.ts'
import type { MailOutcome } from '../../engine/payer-mail/payer-mail.ts'
import type { WaitingMail } from '../../engine/payer-mail/queries.ts'
import { digitableLine } from '../../engine/payments/methods/boleto/bar-code.ts'
import { boletoOf } from '../../engine/payments/methods/boleto/boleto.ts'
import { pixOf } from '../../engine/payments/methods/pix/pix.ts'
import { dateIn } from '../../engine/shared/calendar.ts'
import { type AccountId, companyIdOf, environmentOf } from '../../engine/shared/ids.ts'
import { byClock } from '../../engine/shared/initiator.ts'
import { boletoPdf } from '../documents/boleto/document.ts'
import { pngOf } from '../documents/qr-code/picture.ts'
import type { UnsubscribeTokens } from '../identity/unsubscribe-token.ts'
import type { Mail } from '../mail/mailer.ts'
import type { MailReference, PayerMailReference } from '../mail/outbox.ts'
import { payerMailOf } from '../mail/payer-mail.ts'
import { mailingCompanyOf } from '../mail/payer-mail-document.ts'
import { checkoutReceipt } from '../resources/checkout/receipt.ts'
import { boletoDocumentOf } from '../resources/payments/boleto-document.ts'
import { boletoPriceOn } from '../resources/payments/boleto-part.ts'
import { type PortalMailsOptions, queuePortals, writePortalMail } from './portal-mails.ts'

/** The main thread's part in mail to payers: queues what the shards ask for, and writes it when it is sent. */
export type PayerMails = {
  /** Queues the waiting mails of an account. Does not reject. */
  readonly queueMails: (accountId: AccountId) => Promise<void>
  /** Queues those of every account, which an earlier process may have left. */
  readonly queueAll: () => Promise<void>
  /** Writes a queued mail; null where there is nothing to pay any more, or its link leads nowhere. */
  readonly write: (reference: MailReference) => Promise<Mail | null>
}

export type PayerMailsOptions = PortalMailsOptions & {
  readonly tokens: Pick<UnsubscribeTokens, 'addressHashOf' | 'tokenOf'>
  readonly origin: () => string
  readonly onTrouble: (error: unknown, accountId: AccountId) => void
}

/** Opens the main thread's part over the shards and the queue of mails. */
export const openPayerMails = (options: PayerMailsOptions): PayerMails => {
  const queuing = new Map<AccountId, Promise<void>>()
  const queueMails = async (accountId: AccountId): Promise<void> => {
    const before = queuing.get(accountId) ?? Promise.resolve()
    const next = before.then(() => queueAccount(options, accountId))
    queuing.set(accountId, next)
    await next
    if (queuing.get(accountId) === next) queuing.delete(accountId)
  }
  return {
    queueMails,
    queueAll: async () => {
      for (const { id } of options.directory.companies.values())
        for (const environment of ['SANDBOX', 'PRODUCTION'] as const)
          await queueMails(`${id}/${environment}` as AccountId)
    },
    write: (reference) =>
      'portalSessionId' in reference ? writePortalMail(options, reference) : write(options, reference),
  }
}

const queueAccount = async (options: PayerMailsOptions, accountId: AccountId): Promise<void> => {
  try {
    for (;;) {
      const waiting = await options.router.query({ type: 'ListWaitingMail', accountId })
      if (waiting.length === 0) break
      for (const mail of waiting) await queueOne(options, accountId, mail)
    }
    await queuePortals(options, accountId)
  } catch (error) {
    options.onTrouble(error, accountId)
  }
}

const queueOne = async (
  options: PayerMailsOptions,
  accountId: AccountId,
  mail: WaitingMail,
): Promise<void> => {
  const { payerMailId, number, purpose, transaction, to } = mail
  const record = async (outcome: MailOutcome): Promise<boolean> => {
    const about = { accountId, by: byClock, payerMailId, number, outcome }
    return (await options.router.execute({ type: 'RecordPayerMail', ...about })).accepted
  }
  const queue = () => options.queue({ accountId, payerMailId, number }, `${payerMailId}.${number}`)
  if (to === null || (purpose !== 'RECEIPT' && !canBePaid(transaction))) await record('NOT_PAYABLE')
  else if (purpose === 'REQUESTED' || purpose === 'RECEIPT') {
    // Queued before it is recorded: a crash in between queues it again under the same id rather than not at all.
    await queue()
    await record('QUEUED')
  } else if (await isUnsubscribed(options, accountId, to)) await record('UNSUBSCRIBED')
  // A reminder is recorded first, by one node alone: rather none than two.
  else if (await record('QUEUED')) await queue()
}

const isUnsubscribed = (
  { router, tokens }: PayerMailsOptions,
  accountId: AccountId,
  to: string,
): Promise<boolean> => {
  const addressHash = tokens.addressHashOf(accountId, to)
  return router.query({ type: 'FindUnsubscription', accountId, addressHash })
}

const write = async (
  { router, directory, tokens, origin }: PayerMailsOptions,
  { accountId, payerMailId, number }: PayerMailReference,
): Promise<Mail | null> => {
  const mail = await router.query({ type: 'FindPayerMail', accountId, payerMailId, number })
  const company = directory.companies.get(companyIdOf(accountId))
  if (mail?.to == null || company === undefined) return null
  const { transaction, session, purpose, language, to, nowMs } = mail
  const isReceipt = purpose === 'RECEIPT'
  if (!isReceipt && !canBePaid(transaction)) return null
  const { customer, amountCents, details } = transaction
  const environment = environmentOf(accountId)
  const document = boletoDocumentOf(transaction, { company, environment })
  const pix = pixOf(transaction)
  const isBoleto = boletoOf(transaction) !== null
  return payerMailOf({
    to,
    purpose,
    language,
    payerName: customer?.name ?? '',
    company: mailingCompanyOf(company),
    amountCents: isBoleto
      ? boletoPriceOn(transaction, dateIn(company.timeZone, nowMs)).payableCents
      : amountCents,
    dueDate: dueDateOf(transaction),
    description: details.description,
    pix:
      !isReceipt && pix?.copyPaste ? { copyPaste: pix.copyPaste, qrCodePng: pngOf(pix.copyPaste, 8) } : null,
    boleto:
      !isReceipt && document !== null
        ? {
            line: spacedLine(digitableLine(document.barCode)),
            fileName: `boleto-${document.ourNumber}.pdf`,
            pdf: await boletoPdf(document),
          }
        : null,
    receipt:
      isReceipt && session !== null
        ? {
            fileName: `recibo-${transaction.id}.pdf`,
            pdf: await checkoutReceipt(company, session, transaction, language),
          }
        : null,
    isTest: environment === 'SANDBOX',
    unsubscribeUrl:
      isReceipt || purpose === 'REQUESTED'
        ? null
        : `${origin()}/descadastro/${tokens.tokenOf(accountId, to)}`,
    messageId: `${payerMailId}.${number}`,
  })
}

/** The 47 digits in their fields, as they are printed. */
const spacedLine = (line: string): string =>
  line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8')
