import type { Static } from 'typebox'
import {
  type CryptoWithdrawal,
  withdrawalCancelReasons,
  withdrawalFailures,
  withdrawalStatuses,
} from '../../../engine/crypto/withdrawal.ts'
import type { Step } from '../../../engine/kernel/step.ts'
import { type Account, balancesIn } from '../../../engine/ledger/account.ts'
import { assert } from '../../../engine/shared/assert.ts'
import { decimalOf, shortDecimalOf, toRateMicros } from '../../../engine/shared/asset.ts'
import { maskedDocument } from '../../../engine/shared/audit.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { asset, decimalText, network, rateText, unitsOf } from '../crypto/crypto-part.ts'
import { walletOwnership } from '../crypto/wallet.ts'
import { type CsvColumns, csvHeadOf, csvRowsOf, textCell } from '../csv-cell.ts'
import { eventData } from '../event-data.ts'
import {
  count,
  dated,
  enumeration,
  identity,
  instant,
  instantOrNull,
  listOf,
  nonNegativeAmountOf,
  nullable,
  objectName,
  ownMetadata,
  text,
  textOf,
} from '../fields.ts'
import type { Sample } from '../sample.ts'
import { approvalFields, approvalReason, approvalView, nameless } from './approval.ts'

export const withdrawalStatus = named(
  'CryptoWithdrawalStatus',
  described(
    enumeration(...withdrawalStatuses),
    'PENDING_APPROVAL: other people have to approve it. PROCESSING: its funds are set aside, and the network was asked. BROADCAST: it is on the network, which has not confirmed it. FAILED: the funds are back.',
  ),
)

/** Why a withdrawal failed. */
export const withdrawalFailure = enumeration(...withdrawalFailures)

/** Where it goes, how much, what it costs and what it is worth. */
const terms = {
  walletId: textOf('The wallet, `wal_…`.'),
  wallet: namedObject('CryptoWithdrawalWallet', 'The wallet as it was registered.', {
    name: textOf('What the company calls it.'),
    ownership: walletOwnership,
    holderName: textOf('Whose it is.'),
    holderDocument: textOf('Part of the CPF or CNPJ of its holder.'),
    providerName: described(text, 'Who keeps the keys, where a provider does.'),
  }),
  asset,
  network,
  address: textOf('Where it goes.'),
  amount: unitsOf('What arrives.'),
  cryptoAmount: decimalText('The same.'),
  feeAmount: unitsOf('What the network takes, on top.'),
  quotedAmount: nonNegativeAmountOf('What it is worth to limits and approvals.'),
  rate: rateText('By which that was reckoned: the price in the middle.'),
}

/** Stablecoins that a person sends to a wallet (dashboard, section 3.4). */
export const cryptoWithdrawal = namedObject(
  'CryptoWithdrawal',
  'Stablecoins that a person sends to a wallet.',
  {
    ...identity('wdr', 'crypto_withdrawal'),
    version: count('Grows with every change.'),
    status: withdrawalStatus,
    ...terms,
    ...approvalFields,
    createdBy: described(text, 'Who asked for it, `per_…`.'),
    externalId: described(text, 'Your own identifier.'),
    metadata: ownMetadata,
    txHash: nullable(textOf('The transfer on the network, once it is there.')),
    cancelReason: nullable(enumeration(...withdrawalCancelReasons), 'Why it was CANCELLED.'),
    failureReason: nullable(withdrawalFailure, 'Why it FAILED.'),
    ...dated,
    completedAt: nullable(instant, 'When the network confirmed it.'),
  },
)

const termsView = ({ walletId, wallet, units, feeUnits, worthCents, rateMicros }: CryptoWithdrawal) => {
  const { name, ownership, holderName, holderDocument, providerName } = wallet
  return {
    walletId,
    wallet: { name, ownership, holderName, holderDocument: maskedDocument(holderDocument), providerName },
    asset: wallet.asset,
    network: wallet.network,
    address: wallet.address,
    amount: String(units),
    cryptoAmount: decimalOf(units),
    feeAmount: String(feeUnits),
    quotedAmount: String(worthCents),
    rate: shortDecimalOf(rateMicros),
  }
}

/** A withdrawal as answers show it. */
export const cryptoWithdrawalView = (
  withdrawal: CryptoWithdrawal,
  open: OpenPersonal,
): Static<typeof cryptoWithdrawal> => ({
  id: withdrawal.id,
  object: 'crypto_withdrawal',
  version: withdrawal.version,
  status: withdrawal.status,
  ...termsView(withdrawal),
  ...approvalView(withdrawal, open),
  createdBy: withdrawal.createdBy,
  externalId: withdrawal.externalId,
  metadata: withdrawal.metadata,
  txHash: withdrawal.txHash,
  cancelReason: withdrawal.cancelReason,
  failureReason: withdrawal.failureReason,
  createdAt: isoInstant(withdrawal.createdAtMs),
  updatedAt: isoInstant(withdrawal.updatedAtMs),
  completedAt: instantOrNull(withdrawal.completedAtMs),
})

/** What would become of a withdrawal. */
export const withdrawalPreview = namedObject(
  'CryptoWithdrawalPreview',
  'What would become of the withdrawal.',
  {
    object: objectName('crypto_withdrawal_preview'),
    ...terms,
    totalAmount: unitsOf('What leaves the balance: amount and fee.'),
    approvalsRequired: count('How many other people have to approve it.'),
    reasons: listOf(approvalReason, 'Why they have to.'),
    limitRemaining: nonNegativeAmountOf('What is left of the limit of the day after it.'),
    availableAfter: unitsOf('What is left of the balance after it.'),
  },
)

/** A withdrawal that was decided and not made, with the account as it would be. */
export const withdrawalPreviewView = ({
  state,
  steps,
}: {
  readonly state: CryptoWithdrawal
  readonly steps: readonly Step[]
}): Static<typeof withdrawalPreview> => {
  const account = steps.findLast(({ event }) => event.actor === 'account')?.after as Account | undefined
  assert(account !== undefined, 'a withdrawal is booked when it is created')
  return {
    object: 'crypto_withdrawal_preview',
    ...termsView(state),
    totalAmount: String(state.units + state.feeUnits),
    approvalsRequired: state.approvalsRequired,
    reasons: state.approvalReasons,
    limitRemaining: String(state.limitLeftCents),
    availableAfter: String(balancesIn(account, state.wallet.asset).available),
  }
}

/** `data` of the events of withdrawals (decisions, section 27). */
export const cryptoWithdrawalEvent = eventData(
  'CryptoWithdrawalEventData',
  'Stablecoins that a person sent to a wallet.',
  {
    ...identity('wdr', 'crypto_withdrawal'),
    asset,
    network,
    cryptoAmount: decimalText('What was to arrive.'),
    toAddress: textOf('Part of the address that it went to.'),
    txHash: nullable(textOf('The transfer on the network; null if it never came there.')),
    failureReason: nullable(withdrawalFailure, 'Why it failed.'),
  },
)

/** A withdrawal as its events show it. */
export const cryptoWithdrawalEventView = (
  withdrawal: CryptoWithdrawal,
): Static<typeof cryptoWithdrawalEvent> => {
  const { id, object, asset, network, cryptoAmount, address, txHash, failureReason } = cryptoWithdrawalView(
    withdrawal,
    nameless,
  )
  const toAddress = maskedAddress(address)
  return { id, object, asset, network, cryptoAmount, toAddress, txHash, failureReason }
}

const maskedAddress = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`

/** A withdrawal that arrived, or that failed; its sample events are rendered from it. */
export const cryptoWithdrawalSample = ({ id, atMs }: Sample, isSent: boolean): CryptoWithdrawal => ({
  id: id('wdr'),
  accountId: accountIdOf(id('cmp'), 'SANDBOX'),
  status: isSent ? 'COMPLETED' : 'FAILED',
  walletId: id('wal'),
  wallet: {
    name: 'Tesouraria',
    asset: 'USDT',
    network: 'TRON',
    address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    ownership: 'SELF_CUSTODY',
    holderName: 'Loja Exemplo Ltda',
    holderDocument: '11222333000181',
    providerName: null,
  },
  units: toCents(1_850_000),
  feeUnits: toCents(1_000_000),
  rateMicros: toRateMicros(5_400_000),
  worthCents: toCents(999),
  approvalsRequired: 0,
  approvalReasons: [],
  limitLeftCents: toCents(0),
  approvalEndsAtMs: null,
  askedAtMs: atMs,
  decisions: [],
  counts: [],
  call: null,
  txHash: isSent ? '4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd' : null,
  cancelReason: null,
  failureReason: isSent ? null : 'REFUSED_BY_NETWORK',
  isFirst: false,
  externalId: null,
  metadata: {},
  createdBy: id('per'),
  version: 3,
  createdAtMs: atMs,
  updatedAtMs: atMs,
  completedAtMs: isSent ? atMs : null,
})

/** The columns of an export of withdrawals, in order. */
const columns: CsvColumns<CryptoWithdrawal> = {
  id: ({ id }) => id,
  createdAt: ({ createdAtMs }) => isoInstant(createdAtMs),
  status: ({ status }) => status,
  asset: ({ wallet }) => wallet.asset,
  network: ({ wallet }) => wallet.network,
  cryptoAmount: ({ units }) => decimalOf(units),
  cryptoFeeAmount: ({ feeUnits }) => decimalOf(feeUnits),
  quotedAmount: ({ worthCents }) => String(worthCents),
  rate: ({ rateMicros }) => shortDecimalOf(rateMicros),
  walletId: ({ walletId }) => walletId,
  walletName: ({ wallet }) => textCell(wallet.name),
  address: ({ wallet }) => textCell(wallet.address),
  holderName: ({ wallet }) => textCell(wallet.holderName),
  holderDocument: ({ wallet }) => textCell(maskedDocument(wallet.holderDocument)),
  txHash: ({ txHash }) => textCell(txHash),
  completedAt: ({ completedAtMs }) => instantOrNull(completedAtMs),
  failureReason: ({ failureReason }) => failureReason,
  cancelReason: ({ cancelReason }) => cancelReason,
  createdBy: ({ createdBy }) => createdBy,
  externalId: ({ externalId }) => textCell(externalId),
}

/** The first line of an export of withdrawals. */
export const withdrawalCsvHead = csvHeadOf(columns)

/** One line for each withdrawal. */
export const withdrawalCsvRows = (withdrawals: readonly CryptoWithdrawal[]): string =>
  csvRowsOf(columns, withdrawals)
