import type { Static } from 'typebox'
import { maskedAddress } from '../../../engine/crypto/address.ts'
import { balancesIn } from '../../../engine/ledger/account.ts'
import {
  type Withdrawal,
  withdrawalCancelReasons,
  withdrawalFailures,
  withdrawalStatuses,
} from '../../../engine/money-out/money-out.ts'
import { decimalOf, shortDecimalOf, toRateMicros } from '../../../engine/shared/asset.ts'
import { maskedDocument } from '../../../engine/shared/audit.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { asset, decimalText, network, rateText, unitsOf } from '../crypto/crypto-part.ts'
import { type CsvColumns, csvOfColumns } from '../csv-format.ts'
import { eventData } from '../event-data.ts'
import {
  count,
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
import type { Sample } from '../sample.ts'
import { approvalFields, approvalReason, nameless } from './approval.ts'
import { accountAfter, lifeSample, lifeView, type Previewed, previewView } from './money-out.ts'
import { walletOwnership } from './wallet.ts'

export const withdrawalStatus = named(
  'CryptoWithdrawalStatus',
  described(
    choice(...withdrawalStatuses),
    'PENDING_APPROVAL: other people have to approve it. PROCESSING: its funds are set aside, and the network was asked. BROADCAST: it is on the network, which has not confirmed it. FAILED: the funds are back.',
  ),
)

/** Why a withdrawal failed. */
export const withdrawalFailure = choice(...withdrawalFailures)

/** Where it goes, how much, what it costs and what it is worth. */
const terms = {
  walletId: textOf('The wallet, `wal_…`.'),
  wallet: namedObject('CryptoWithdrawalWallet', 'The wallet as it was registered.', {
    name: textOf('What the company calls it.'),
    ownership: walletOwnership,
    holderName: textOf('Whose it is.'),
    holderDocument: textOf('Part of the CPF or CNPJ of its holder.'),
    providerName: described(nullableText, 'Who keeps the keys, where a provider does.'),
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
    createdBy: described(nullableText, 'Who asked for it, `per_…`.'),
    externalId: described(nullableText, 'Your own identifier.'),
    metadata: ownMetadata,
    txHash: nullableField(textOf('The transfer on the network, once it is there.')),
    cancelReason: nullableField(choice(...withdrawalCancelReasons), 'Why it was CANCELLED.'),
    failureReason: nullableField(withdrawalFailure, 'Why it FAILED.'),
    ...dated,
    completedAt: nullableField(instant, 'When the network confirmed it.'),
  },
)

const termsView = ({ payee, payeeId, amountCents, feeCents, worthCents, rateMicros }: Withdrawal) => {
  const { name, ownership, holderName, holderDocument, providerName } = payee
  return {
    walletId: payeeId,
    wallet: { name, ownership, holderName, holderDocument: maskedDocument(holderDocument), providerName },
    asset: payee.asset,
    network: payee.network,
    address: payee.address,
    amount: String(amountCents),
    cryptoAmount: decimalOf(amountCents),
    feeAmount: String(feeCents),
    quotedAmount: String(worthCents),
    rate: shortDecimalOf(rateMicros),
  }
}

/** A withdrawal as answers show it. */
export const cryptoWithdrawalView = (
  withdrawal: Withdrawal,
  open: OpenPersonal,
): Static<typeof cryptoWithdrawal> => ({
  id: withdrawal.id,
  object: 'crypto_withdrawal',
  ...termsView(withdrawal),
  txHash: withdrawal.railId,
  ...lifeView(withdrawal, open),
})

/** The preview of a withdrawal. */
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

/** A withdrawal that was decided without being made, with the account as it would be. */
export const withdrawalPreviewView = (
  previewed: Previewed<Withdrawal>,
): Static<typeof withdrawalPreview> => ({
  object: 'crypto_withdrawal_preview',
  ...termsView(previewed.state),
  ...previewView(previewed),
  availableAfter: String(balancesIn(accountAfter(previewed), previewed.state.currency).available),
})

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
    txHash: nullableField(textOf('The transfer on the network; null if it never came there.')),
    failureReason: nullableField(withdrawalFailure, 'Why it failed.'),
  },
)

/** A withdrawal as its events show it. */
export const cryptoWithdrawalEventView = (withdrawal: Withdrawal): Static<typeof cryptoWithdrawalEvent> => {
  const { id, object, asset, network, cryptoAmount, address, txHash, failureReason } = cryptoWithdrawalView(
    withdrawal,
    nameless,
  )
  const toAddress = maskedAddress(address)
  return { id, object, asset, network, cryptoAmount, toAddress, txHash, failureReason }
}

/** A withdrawal that arrived, or that failed; its sample events are rendered from it. */
export const cryptoWithdrawalSample = (sample: Sample, isSent: boolean): Withdrawal => ({
  ...lifeSample(sample),
  id: sample.id('wdr'),
  method: 'CRYPTO',
  status: isSent ? 'COMPLETED' : 'FAILED',
  currency: 'USDT',
  amountCents: toCents(1_850_000),
  feeCents: toCents(1_000_000),
  rateMicros: toRateMicros(5_400_000),
  worthCents: toCents(999),
  payee: {
    name: 'Tesouraria',
    asset: 'USDT',
    network: 'TRON',
    address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    ownership: 'SELF_CUSTODY',
    holderName: 'Loja Exemplo Ltda',
    holderDocument: '11222333000181',
    providerName: null,
  },
  payeeId: sample.id('wal'),
  railId: isSent ? '4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd' : null,
  failureReason: isSent ? null : 'REFUSED_BY_NETWORK',
  completedAtMs: isSent ? sample.atMs : null,
  version: 3,
})

/** The columns of an export of withdrawals, in order. */
const columns: CsvColumns<Withdrawal> = {
  id: ({ id }) => id,
  createdAt: ({ createdAtMs }, { instant }) => instant(createdAtMs),
  status: ({ status }) => status,
  asset: ({ payee }) => payee.asset,
  network: ({ payee }) => payee.network,
  cryptoAmount: ({ amountCents }, { decimal }) => decimal(decimalOf(amountCents)),
  cryptoFeeAmount: ({ feeCents }, { decimal }) => decimal(decimalOf(feeCents)),
  quotedAmount: ({ worthCents }, { amount }) => amount(worthCents, 'BRL'),
  rate: ({ rateMicros }, { decimal }) => decimal(shortDecimalOf(rateMicros)),
  walletId: ({ payeeId }) => payeeId,
  walletName: ({ payee }, { text }) => text(payee.name),
  address: ({ payee }, { code }) => code(payee.address),
  holderName: ({ payee }, { text }) => text(payee.holderName),
  holderDocument: ({ payee }, { code }) => code(maskedDocument(payee.holderDocument)),
  txHash: ({ railId }, { code }) => code(railId),
  completedAt: ({ completedAtMs }, { instant }) => instant(completedAtMs),
  failureReason: ({ failureReason }) => failureReason,
  cancelReason: ({ cancelReason }) => cancelReason,
  createdBy: ({ createdBy }) => createdBy,
  externalId: ({ externalId }, { code }) => code(externalId),
}

/** Withdrawals as an export has them. */
export const withdrawalCsv = csvOfColumns(columns)
