import Type, { type Static } from 'typebox'
import type { Step } from '../../../engine/kernel/step.ts'
import { withdrawableOf } from '../../../engine/ledger/withdrawable.ts'
import { transferMethods } from '../../../engine/money-out/asked.ts'
import {
  returnedCentsOf,
  type Transfer,
  transferCancelReasons,
  transferFailures,
  transferStatuses,
} from '../../../engine/money-out/money-out.ts'
import type { BankPayee } from '../../../engine/money-out/payees/payee.ts'
import type { MoneyBack } from '../../../engine/payments/sent-money.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { maskedDocument } from '../../../engine/shared/documents.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described, named } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { type CsvColumns, csvOfColumns } from '../csv-format.ts'
import { eventData } from '../event-data.ts'
import {
  amountOf,
  brlField,
  date,
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nonNegativeAmountOf,
  nullableField,
  nullableText,
  objectField,
  textOf,
} from '../fields.ts'
import { endToEndIdSample } from '../payments/payment-samples.ts'
import { fieldsOf, leftOut, resource, same } from '../resource.ts'
import type { Sample } from '../sample.ts'
import { approvalFields, nameless } from './approval.ts'
import { lostFields } from './declaration.ts'
import {
  accountAfter,
  createdByField,
  leftAfter,
  lifeSample,
  limitLeftOf,
  ownDataFields,
  previewFields,
  totalOf,
  versionField,
} from './money-out.ts'

export const kindOfTransfer = named(
  'TransferKind',
  described(choice(...transferMethods), 'PIX runs at any time, TED on business days from 06:30 to 17:00.'),
)

export const statusOfTransfer = named(
  'TransferStatus',
  described(
    choice(...transferStatuses),
    'PENDING_APPROVAL: other people have to approve it. SCHEDULED: it runs at `runsAt`. PROCESSING: the bank was asked, and its money is set aside.',
  ),
)

/** Why a transfer failed. */
export const transferFailure = choice(...transferFailures)

/** Who gets a transfer. */
const payeeOfTransfer = resource<BankPayee>('TransferPayee', 'Who gets it, and where.').with({
  name: [textOf('Who gets it.'), same],
  document: [textOf('Part of the CPF or CNPJ.'), ({ document }) => maskedDocument(document)],
  pixKey: [nullableField(textOf('The PIX key; null for a bank account.')), same],
  bankName: [nullableField(textOf('The bank of the key’s owner.')), same],
  bankCode: [nullableField(textOf('The bank; null for a PIX key, and where only the ISPB is known.')), same],
  ispb: [
    nullableField(textOf('The bank’s eight characters in the payment system, where they are known.')),
    same,
  ],
  branch: [nullableField(textOf('The branch.')), same],
  account: [nullableField(textOf('The account.')), same],
})

const terms = fieldsOf<Transfer>().with({
  beneficiary: [payeeOfTransfer.schema, ({ payee }) => payeeOfTransfer.view(payee)],
  amount: [amountOf('What the payee gets.'), ({ amountCents }) => String(amountCents)],
  feeAmount: [nonNegativeAmountOf('What it costs.'), ({ feeCents }) => String(feeCents)],
})

const returnOfTransfer = resource<MoneyBack>('TransferReturn', 'Money that came back.').with({
  id: [textOf('The bank’s id of the return.'), same],
  amount: [amountOf('How much.'), ({ amountCents }) => String(amountCents)],
  at: [described(instant, 'When it came back.'), ({ atMs }) => isoInstant(atMs)],
})

/** Money that a person sends from the account (decisions, section 18; dashboard, section 2.7). */
export const transferResource = resource<Transfer, [OpenPersonal]>(
  'Transfer',
  'Money that a person sends from the account.',
).with({
  ...identityFields('trf', 'transfer'),
  version: versionField,
  kind: [kindOfTransfer, ({ method }) => method],
  status: [statusOfTransfer, same],
  amount: terms.amount,
  feeAmount: terms.feeAmount,
  returnedAmount: [
    Type.Optional(
      nonNegativeAmountOf(
        'What of it came back after it had arrived; it is in the balance once more. Missing until something has.',
      ),
    ),
    (transfer) => (transfer.returns === undefined ? leftOut() : String(returnedCentsOf(transfer))),
  ],
  returns: [
    Type.Optional(listOf(returnOfTransfer.schema, 'What came back, in the order in which it was booked.')),
    ({ returns }) => returns?.map((part) => returnOfTransfer.view(part)) ?? leftOut(),
  ],
  currency: brlField,
  beneficiary: terms.beneficiary,
  beneficiaryId: [
    nullableField(textOf('The registered beneficiary, `ben_…`; null for a key that was looked up.')),
    ({ payeeId }) => payeeId,
  ],
  scheduledFor: [nullableField(date, 'The day that was asked for; null for at once.'), same],
  runsAt: [described(instant, 'When it runs, or ran.'), ({ runsAtMs }) => isoInstant(runsAtMs)],
  ...approvalFields,
  createdBy: createdByField,
  description: [described(nullableText, 'What the payee reads.'), same],
  ...ownDataFields,
  endToEndId: [
    nullableField(textOf('Id of the payment between banks, of a PIX that was sent.')),
    ({ railId }) => railId,
  ],
  cancelReason: [nullableField(choice(...transferCancelReasons), 'Why it was CANCELLED.'), same],
  failureReason: [nullableField(transferFailure, 'Why it FAILED.'), same],
  providerCode: [described(nullableText, 'The bank’s own code of the failure.'), same],
  ...lostFields,
  ...datedFields,
  completedAt: [
    nullableField(instant, 'When the bank confirmed it.'),
    ({ completedAtMs }) => instantOrNull(completedAtMs),
  ],
})

/** A transfer, as in events. */
export const transferEventView = (transfer: Transfer): Static<typeof transferEvent> =>
  transferResource.view(transfer, nameless)

/** A transfer that was decided without being made, with the steps that it would take. */
export const transferPreview = resource<Transfer, [readonly Step[]]>(
  'TransferPreview',
  'What would become of the transfer.',
).with({
  ...objectField('transfer_preview'),
  ...terms,
  totalAmount: [nonNegativeAmountOf('Both together.'), totalOf],
  runsAt: [
    described(instant, 'When it runs, if nobody has to approve it.'),
    ({ runsAtMs }) => isoInstant(runsAtMs),
  ],
  ...previewFields,
  limitRemaining: [nonNegativeAmountOf('What is left of the tightest limit after it.'), limitLeftOf],
  withdrawableAfter: [
    amountOf('What can be sent after it; negative if it could not be sent now.'),
    (transfer, steps) => leftAfter(transfer, withdrawableOf(accountAfter(steps))),
  ],
})

/** `data` of the events of transfers that people make. */
export const transferEvent = eventData(
  'TransferEventData',
  'Money that a person sent from the account: `object` is `transfer`.',
  transferResource.schema.properties,
)

/** A transfer made by a person, in one of its statuses; its sample events are rendered from it. */
export const transferSample = (sample: Sample, status: Transfer['status']): Transfer => {
  const { id, atMs, afterMs } = sample
  const isDone = status === 'COMPLETED'
  const isFailed = status === 'FAILED'
  const waits = status === 'PENDING_APPROVAL'
  return {
    ...lifeSample(sample),
    id: id('trf'),
    method: 'PIX',
    status,
    currency: 'BRL',
    amountCents: toCents(1000),
    feeCents: toCents(0),
    worthCents: toCents(1000),
    payee: {
      name: 'Fornecedor de Teste',
      document: '12345678909',
      documentType: 'CPF',
      pixKey: 'teste@example.com',
      ispb: '00000000',
      bankName: 'Banco do Brasil S.A.',
      bankCode: null,
      branch: null,
      account: null,
      accountType: 'CHECKING',
    },
    payeeId: id('ben'),
    lookupId: null,
    isToOwner: false,
    description: null,
    ...(waits && { approvalsRequired: 1, approvalReasons: ['AMOUNT'], approvalEndsAtMs: afterMs(72) }),
    railId: isDone ? endToEndIdSample : null,
    failureReason: isFailed ? 'ACCOUNT_NOT_FOUND' : null,
    providerCode: isFailed ? 'AC03' : null,
    completedAtMs: isDone ? atMs : null,
    version: isDone || isFailed ? 3 : 1,
  }
}

/** One of which a part came back. */
export const returnedTransferSample = (sample: Sample): Transfer => {
  const completed = transferSample(sample, 'COMPLETED')
  const part = { id: `D${endToEndIdSample.slice(1)}`, amountCents: toCents(400), atMs: sample.atMs }
  return { ...completed, returns: [part], version: completed.version + 1 }
}

/** The columns of an export of transfers, in order. */
const columns: CsvColumns<Transfer> = {
  id: ({ id }) => id,
  createdAt: ({ createdAtMs }, { instant }) => instant(createdAtMs),
  kind: ({ method }) => method,
  status: ({ status }) => status,
  amount: ({ amountCents }, { amount }) => amount(amountCents, 'BRL'),
  feeAmount: ({ feeCents }, { amount }) => amount(feeCents, 'BRL'),
  payeeName: ({ payee }, { text }) => text(payee.name),
  payeeDocument: ({ payee }, { code }) => code(maskedDocument(payee.document)),
  pixKey: ({ payee }, { code }) => code(payee.pixKey),
  bankCode: ({ payee }, { code }) => code(payee.bankCode),
  branch: ({ payee }, { code }) => code(payee.branch),
  account: ({ payee }, { code }) => code(payee.account),
  beneficiaryId: ({ payeeId }) => payeeId,
  runsAt: ({ runsAtMs }, { instant }) => instant(runsAtMs),
  completedAt: ({ completedAtMs }, { instant }) => instant(completedAtMs),
  endToEndId: ({ railId }, { code }) => code(railId),
  failureReason: ({ failureReason }) => failureReason,
  cancelReason: ({ cancelReason }) => cancelReason,
  createdBy: ({ createdBy }) => createdBy,
  externalId: ({ externalId }, { code }) => code(externalId),
  description: ({ description }, { text }) => text(description),
}

/** Transfers as an export has them. */
export const transferCsv = csvOfColumns(columns)
