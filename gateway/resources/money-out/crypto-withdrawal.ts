import { maskedAddress } from '../../../engine/crypto/address.ts'
import type { Step } from '../../../engine/kernel/step.ts'
import { balancesIn } from '../../../engine/ledger/account.ts'
import {
  type Withdrawal,
  withdrawalCancelReasons,
  withdrawalFailures,
  withdrawalStatuses,
} from '../../../engine/money-out/money-out.ts'
import type { WalletPayee } from '../../../engine/money-out/payees/payee.ts'
import { decimalOf, shortDecimalOf, toRateMicros } from '../../../engine/shared/asset.ts'
import { maskedDocument } from '../../../engine/shared/documents.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described, named } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { asset, decimalText, network, rateText, unitsOf } from '../crypto/crypto-part.ts'
import { type CsvColumns, csvOfColumns } from '../csv-format.ts'
import { eventResource } from '../event-data.ts'
import {
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  nonNegativeAmountOf,
  nullableField,
  nullableText,
  objectField,
  textOf,
} from '../fields.ts'
import { fieldsOf, resource, same } from '../resource.ts'
import type { Sample } from '../sample.ts'
import { approvalFields } from './approval.ts'
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

const walletOfWithdrawal = resource<WalletPayee>(
  'CryptoWithdrawalWallet',
  'The wallet as it was registered.',
).with({
  name: [textOf('What the company calls it.'), same],
  ownership: [walletOwnership, same],
  holderName: [textOf('Whose it is.'), same],
  holderDocument: [
    textOf('Part of the CPF or CNPJ of its holder.'),
    ({ holderDocument }) => maskedDocument(holderDocument),
  ],
  providerName: [described(nullableText, 'Who keeps the keys, where a provider does.'), same],
})

/** Where it goes, how much, what it costs and what it is worth. */
const terms = fieldsOf<Withdrawal>().with({
  walletId: [textOf('The wallet, `wal_…`.'), ({ payeeId }) => payeeId],
  wallet: [walletOfWithdrawal.schema, ({ payee }) => walletOfWithdrawal.view(payee)],
  asset: [asset, ({ payee }) => payee.asset],
  network: [network, ({ payee }) => payee.network],
  address: [textOf('Where it goes.'), ({ payee }) => payee.address],
  amount: [unitsOf('What arrives.'), ({ amountCents }) => String(amountCents)],
  cryptoAmount: [decimalText('The same.'), ({ amountCents }) => decimalOf(amountCents)],
  feeAmount: [unitsOf('What the network takes, on top.'), ({ feeCents }) => String(feeCents)],
  quotedAmount: [
    nonNegativeAmountOf('What it is worth to limits and approvals.'),
    ({ worthCents }) => String(worthCents),
  ],
  rate: [
    rateText('By which that was reckoned: the price in the middle.'),
    ({ rateMicros }) => shortDecimalOf(rateMicros),
  ],
})

/** Stablecoins that a person sends to a wallet (dashboard, section 3.4). */
export const cryptoWithdrawal = resource<Withdrawal, [OpenPersonal]>(
  'CryptoWithdrawal',
  'Stablecoins that a person sends to a wallet.',
).with({
  ...identityFields('wdr', 'crypto_withdrawal'),
  version: versionField,
  status: [withdrawalStatus, same],
  ...terms,
  ...approvalFields,
  createdBy: createdByField,
  ...ownDataFields,
  txHash: [nullableField(textOf('The transfer on the network, once it is there.')), ({ railId }) => railId],
  cancelReason: [nullableField(choice(...withdrawalCancelReasons), 'Why it was CANCELLED.'), same],
  failureReason: [nullableField(withdrawalFailure, 'Why it FAILED.'), same],
  ...datedFields,
  completedAt: [
    nullableField(instant, 'When the network confirmed it.'),
    ({ completedAtMs }) => instantOrNull(completedAtMs),
  ],
})

/** A withdrawal that was decided without being made, with the steps that it would take. */
export const withdrawalPreview = resource<Withdrawal, [readonly Step[]]>(
  'CryptoWithdrawalPreview',
  'What would become of the withdrawal.',
).with({
  ...objectField('crypto_withdrawal_preview'),
  ...terms,
  totalAmount: [unitsOf('What leaves the balance: amount and fee.'), totalOf],
  ...previewFields,
  limitRemaining: [nonNegativeAmountOf('What is left of the limit of the day after it.'), limitLeftOf],
  availableAfter: [
    unitsOf('What is left of the balance after it; negative if it could not be sent now.'),
    (withdrawal, steps) =>
      leftAfter(withdrawal, balancesIn(accountAfter(steps), withdrawal.currency).available),
  ],
})

/** `data` of the events of withdrawals (decisions, section 27). */
export const cryptoWithdrawalEvent = eventResource<Withdrawal>(
  'CryptoWithdrawalEventData',
  'Stablecoins that a person sent to a wallet.',
).with({
  ...identityFields('wdr', 'crypto_withdrawal'),
  asset: terms.asset,
  network: terms.network,
  cryptoAmount: [decimalText('What was to arrive.'), ({ amountCents }) => decimalOf(amountCents)],
  toAddress: [textOf('Part of the address that it went to.'), ({ payee }) => maskedAddress(payee.address)],
  txHash: [
    nullableField(textOf('The transfer on the network; null if it never came there.')),
    ({ railId }) => railId,
  ],
  failureReason: [nullableField(withdrawalFailure, 'Why it failed.'), same],
})

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
