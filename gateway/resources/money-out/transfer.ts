import type { Static } from 'typebox'
import {
  cancelReasons,
  type OutgoingStatus,
  type OutgoingTransfer,
  outgoingKinds,
  outgoingStatuses,
  transferFailures,
} from '../../../engine/money-out/money-out.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { type CsvColumns, csvHeadOf, csvRowsOf, textCell } from '../csv-cell.ts'
import { eventData } from '../event-data.ts'
import {
  amountOf,
  brlOnly,
  count,
  date,
  dated,
  enumeration,
  identity,
  instant,
  instantOrNull,
  nonNegativeAmountOf,
  nullable,
  ownMetadata,
  text,
  textOf,
} from '../fields.ts'
import { masked } from '../masked.ts'
import { endToEndIdSample } from '../payments/payment-samples.ts'
import type { Sample } from '../sample.ts'
import { approvalFields, approvalView, nameless } from './approval.ts'

export const outgoingKind = named(
  'TransferKind',
  described(enumeration(...outgoingKinds), 'PIX runs at any time, TED on business days from 06:30 to 17:00.'),
)

export const outgoingStatus = named(
  'TransferStatus',
  described(
    enumeration(...outgoingStatuses),
    'PENDING_APPROVAL: other people have to approve it. SCHEDULED: it runs at `runsAt`. PROCESSING: the bank was asked, and its money is set aside.',
  ),
)

/** Why a transfer failed. */
export const transferFailure = enumeration(...transferFailures)

/** Who gets a transfer. */
export const payeeOfTransfer = namedObject('TransferPayee', 'Who gets it, and where.', {
  name: textOf('Who gets it.'),
  document: textOf('Part of the CPF or CNPJ.'),
  pixKey: nullable(textOf('The PIX key; null for a bank account.')),
  bankName: nullable(textOf('The bank of the key’s owner.')),
  bankCode: nullable(textOf('The bank; null for a PIX key, and where only the ISPB is known.')),
  ispb: nullable(textOf('The bank’s eight characters in the payment system, where they are known.')),
  branch: nullable(textOf('The branch.')),
  account: nullable(textOf('The account.')),
})

/** Money that a person sends from the account (decisions, section 18; dashboard, section 2.7). */
export const transferResource = namedObject('Transfer', 'Money that a person sends from the account.', {
  ...identity('trf', 'transfer'),
  version: count('Grows with every change.'),
  kind: outgoingKind,
  status: outgoingStatus,
  amount: amountOf('What the payee gets.'),
  feeAmount: nonNegativeAmountOf('What it costs.'),
  currency: brlOnly,
  beneficiary: payeeOfTransfer,
  beneficiaryId: nullable(textOf('The registered beneficiary, `ben_…`; null for a key that was looked up.')),
  scheduledFor: nullable(date, 'The day that was asked for; null for at once.'),
  runsAt: described(instant, 'When it runs, or ran.'),
  ...approvalFields,
  createdBy: described(text, 'Who asked for it, `per_…`.'),
  description: described(text, 'What the payee reads.'),
  externalId: described(text, 'Your own identifier.'),
  metadata: ownMetadata,
  endToEndId: nullable(textOf('Id of the payment between banks, of a PIX that was sent.')),
  cancelReason: nullable(enumeration(...cancelReasons), 'Why it was CANCELLED.'),
  failureReason: nullable(transferFailure, 'Why it FAILED.'),
  providerCode: described(text, 'The bank’s own code of the failure.'),
  ...dated,
  completedAt: nullable(instant, 'When the bank confirmed it.'),
})

/** A transfer, as in answers, with the names of those who have decided. */
export const transferView = (
  transfer: OutgoingTransfer,
  open: OpenPersonal,
): Static<typeof transferEvent> => {
  const { name, document, pixKey, bankName, bankCode, ispb, branch, account } = transfer.payee
  return {
    id: transfer.id,
    object: 'transfer',
    version: transfer.version,
    kind: transfer.kind,
    status: transfer.status,
    amount: String(transfer.amountCents),
    feeAmount: String(transfer.feeCents),
    currency: 'BRL',
    beneficiary: { name, document: masked(document), pixKey, bankName, bankCode, ispb, branch, account },
    beneficiaryId: transfer.beneficiaryId,
    scheduledFor: transfer.scheduledFor,
    runsAt: isoInstant(transfer.runsAtMs),
    ...approvalView(transfer, open),
    createdBy: transfer.createdBy,
    description: transfer.description,
    externalId: transfer.externalId,
    metadata: transfer.metadata,
    endToEndId: transfer.endToEndId,
    cancelReason: transfer.cancelReason,
    failureReason: transfer.failureReason,
    providerCode: transfer.providerCode,
    createdAt: isoInstant(transfer.createdAtMs),
    updatedAt: isoInstant(transfer.updatedAtMs),
    completedAt: instantOrNull(transfer.completedAtMs),
  }
}

/** A transfer, as in events. */
export const transferEventView = (transfer: OutgoingTransfer): Static<typeof transferEvent> =>
  transferView(transfer, nameless)

/** `data` of the events of transfers that people make. */
export const transferEvent = eventData(
  'TransferEventData',
  'Money that a person sent from the account: `object` is `transfer`.',
  transferResource.properties,
)

/** A transfer made by a person, in one of its statuses; its sample events are rendered from it. */
export const transferSample = ({ id, atMs, afterMs }: Sample, status: OutgoingStatus): OutgoingTransfer => {
  const isDone = status === 'COMPLETED'
  const waits = status === 'PENDING_APPROVAL'
  return {
    id: id('trf'),
    accountId: accountIdOf(id('cmp'), 'SANDBOX'),
    kind: 'PIX',
    status,
    amountCents: toCents(1000),
    feeCents: toCents(0),
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
    beneficiaryId: id('ben'),
    lookupId: null,
    isToOwner: false,
    scheduledFor: null,
    runsAtMs: atMs,
    approvalsRequired: waits ? 1 : 0,
    approvalReasons: waits ? ['AMOUNT'] : [],
    limitLeftCents: toCents(0),
    approvalEndsAtMs: waits ? afterMs(72) : null,
    askedAtMs: atMs,
    decisions: [],
    counts: [],
    createdBy: id('per'),
    description: null,
    externalId: null,
    metadata: {},
    call: null,
    endToEndId: isDone ? endToEndIdSample : null,
    cancelReason: null,
    failureReason: status === 'FAILED' ? 'ACCOUNT_NOT_FOUND' : null,
    providerCode: status === 'FAILED' ? 'AC03' : null,
    isFirst: false,
    completedAtMs: isDone ? atMs : null,
    version: isDone || status === 'FAILED' ? 3 : 1,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }
}

/** The columns of an export of transfers, in order. */
const columns: CsvColumns<OutgoingTransfer> = {
  id: ({ id }) => id,
  createdAt: ({ createdAtMs }) => isoInstant(createdAtMs),
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  amount: ({ amountCents }) => String(amountCents),
  feeAmount: ({ feeCents }) => String(feeCents),
  payeeName: ({ payee }) => textCell(payee.name),
  payeeDocument: ({ payee }) => textCell(masked(payee.document)),
  pixKey: ({ payee }) => textCell(payee.pixKey),
  bankCode: ({ payee }) => payee.bankCode,
  branch: ({ payee }) => payee.branch,
  account: ({ payee }) => payee.account,
  beneficiaryId: ({ beneficiaryId }) => beneficiaryId,
  runsAt: ({ runsAtMs }) => isoInstant(runsAtMs),
  completedAt: ({ completedAtMs }) => instantOrNull(completedAtMs),
  endToEndId: ({ endToEndId }) => endToEndId,
  failureReason: ({ failureReason }) => failureReason,
  cancelReason: ({ cancelReason }) => cancelReason,
  createdBy: ({ createdBy }) => createdBy,
  externalId: ({ externalId }) => textCell(externalId),
  description: ({ description }) => textCell(description),
}

/** The first line of an export of transfers. */
export const transferCsvHead = csvHeadOf(columns)

/** One line for each transfer. */
export const transferCsvRows = (transfers: readonly OutgoingTransfer[]): string =>
  csvRowsOf(columns, transfers)
