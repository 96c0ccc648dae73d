import type { Static } from 'typebox'
import { withdrawableOf } from '../../../engine/ledger/withdrawable.ts'
import { transferMethods } from '../../../engine/money-out/asked.ts'
import {
  type Transfer,
  transferCancelReasons,
  transferFailures,
  transferStatuses,
} from '../../../engine/money-out/money-out.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { type CsvColumns, csvOfColumns } from '../csv-format.ts'
import { eventData } from '../event-data.ts'
import {
  amountOf,
  brlOnly,
  count,
  date,
  dated,
  identity,
  instant,
  listOf,
  nonNegativeAmountOf,
  nullableField,
  nullableText,
  objectName,
  ownMetadata,
  textOf,
} from '../fields.ts'
import { masked } from '../masked.ts'
import { endToEndIdSample } from '../payments/payment-samples.ts'
import type { Sample } from '../sample.ts'
import { approvalFields, approvalReason, nameless } from './approval.ts'
import { accountAfter, lifeSample, lifeView, type Previewed, previewView } from './money-out.ts'

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
export const payeeOfTransfer = namedObject('TransferPayee', 'Who gets it, and where.', {
  name: textOf('Who gets it.'),
  document: textOf('Part of the CPF or CNPJ.'),
  pixKey: nullableField(textOf('The PIX key; null for a bank account.')),
  bankName: nullableField(textOf('The bank of the key’s owner.')),
  bankCode: nullableField(textOf('The bank; null for a PIX key, and where only the ISPB is known.')),
  ispb: nullableField(textOf('The bank’s eight characters in the payment system, where they are known.')),
  branch: nullableField(textOf('The branch.')),
  account: nullableField(textOf('The account.')),
})

/** Money that a person sends from the account (decisions, section 18; dashboard, section 2.7). */
export const transferResource = namedObject('Transfer', 'Money that a person sends from the account.', {
  ...identity('trf', 'transfer'),
  version: count('Grows with every change.'),
  kind: kindOfTransfer,
  status: statusOfTransfer,
  amount: amountOf('What the payee gets.'),
  feeAmount: nonNegativeAmountOf('What it costs.'),
  currency: brlOnly,
  beneficiary: payeeOfTransfer,
  beneficiaryId: nullableField(
    textOf('The registered beneficiary, `ben_…`; null for a key that was looked up.'),
  ),
  scheduledFor: nullableField(date, 'The day that was asked for; null for at once.'),
  runsAt: described(instant, 'When it runs, or ran.'),
  ...approvalFields,
  createdBy: described(nullableText, 'Who asked for it, `per_…`.'),
  description: described(nullableText, 'What the payee reads.'),
  externalId: described(nullableText, 'Your own identifier.'),
  metadata: ownMetadata,
  endToEndId: nullableField(textOf('Id of the payment between banks, of a PIX that was sent.')),
  cancelReason: nullableField(choice(...transferCancelReasons), 'Why it was CANCELLED.'),
  failureReason: nullableField(transferFailure, 'Why it FAILED.'),
  providerCode: described(nullableText, 'The bank’s own code of the failure.'),
  ...dated,
  completedAt: nullableField(instant, 'When the bank confirmed it.'),
})

/** A transfer as answers show it, with the names of the people who decided. */
export const transferView = (transfer: Transfer, open: OpenPersonal): Static<typeof transferEvent> => {
  const { name, document, pixKey, bankName, bankCode, ispb, branch, account } = transfer.payee
  return {
    id: transfer.id,
    object: 'transfer',
    kind: transfer.method,
    amount: String(transfer.amountCents),
    feeAmount: String(transfer.feeCents),
    currency: 'BRL',
    beneficiary: { name, document: masked(document), pixKey, bankName, bankCode, ispb, branch, account },
    beneficiaryId: transfer.payeeId,
    scheduledFor: transfer.scheduledFor,
    runsAt: isoInstant(transfer.runsAtMs),
    description: transfer.description,
    endToEndId: transfer.railId,
    providerCode: transfer.providerCode,
    ...lifeView(transfer, open),
  }
}

/** A transfer, as in events. */
export const transferEventView = (transfer: Transfer): Static<typeof transferEvent> =>
  transferView(transfer, nameless)

/** The preview of a transfer. */
export const transferPreview = namedObject('TransferPreview', 'What would become of the transfer.', {
  object: objectName('transfer_preview'),
  beneficiary: payeeOfTransfer,
  amount: amountOf('What the payee gets.'),
  feeAmount: nonNegativeAmountOf('What it costs.'),
  totalAmount: nonNegativeAmountOf('Both together.'),
  runsAt: described(instant, 'When it runs, if nobody has to approve it.'),
  approvalsRequired: count('How many other people have to approve it.'),
  reasons: listOf(approvalReason, 'Why they have to.'),
  limitRemaining: nonNegativeAmountOf('What is left of the tightest limit after it.'),
  withdrawableAfter: nonNegativeAmountOf('What can be sent after it.'),
})

/** A transfer that was decided without being made, with the account as it would be. */
export const transferPreviewView = (previewed: Previewed<Transfer>): Static<typeof transferPreview> => {
  const { state } = previewed
  const { beneficiary, amount, feeAmount } = transferEventView(state)
  return {
    object: 'transfer_preview',
    beneficiary,
    amount,
    feeAmount,
    runsAt: isoInstant(state.runsAtMs),
    ...previewView(previewed),
    withdrawableAfter: String(withdrawableOf(accountAfter(previewed))),
  }
}

/** `data` of the events of transfers that people make. */
export const transferEvent = eventData(
  'TransferEventData',
  'Money that a person sent from the account: `object` is `transfer`.',
  transferResource.properties,
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

/** The columns of an export of transfers, in order. */
const columns: CsvColumns<Transfer> = {
  id: ({ id }) => id,
  createdAt: ({ createdAtMs }, { instant }) => instant(createdAtMs),
  kind: ({ method }) => method,
  status: ({ status }) => status,
  amount: ({ amountCents }, { amount }) => amount(amountCents, 'BRL'),
  feeAmount: ({ feeCents }, { amount }) => amount(feeCents, 'BRL'),
  payeeName: ({ payee }, { text }) => text(payee.name),
  payeeDocument: ({ payee }, { code }) => code(masked(payee.document)),
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
