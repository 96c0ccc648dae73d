import { type CryptoDeposit, depositReasons, depositStatuses } from '../../../engine/crypto/deposit.ts'
import { decimalOf } from '../../../engine/shared/asset.ts'
import { described, named } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'
import { asset, decimalText, network, unitsOf } from './crypto-part.ts'

export const depositStatus = named(
  'CryptoDepositStatus',
  described(
    choice(...depositStatuses),
    'UNRESOLVED: a person decides. ACCEPTED: it is in the balance. RETURN_FAILED: it could not be sent back, and a person decides again.',
  ),
)

/** Stablecoins that did not pay their charge (dashboard, section 3.2). */
export const cryptoDeposit = resource<CryptoDeposit>(
  'CryptoDeposit',
  'Stablecoins that arrived at the address of a charge and did not pay it. The charge stays what it is.',
).with({
  ...identityFields('cdp', 'crypto_deposit'),
  transactionId: [textOf('The charge whose address they arrived at, `txn_…`.'), same],
  reason: [
    described(
      choice(...depositReasons),
      'UNDERPAID: too little until the charge expired. OVERPAID: more than it asked for. WRONG_ASSET: another stablecoin than it asked for.',
    ),
    same,
  ],
  status: [depositStatus, same],
  asset: [asset, same],
  network: [network, same],
  amount: [unitsOf('What is to be decided about.'), (d) => String(d.units)],
  cryptoAmount: [decimalText('The same.'), (d) => decimalOf(d.units)],
  txHash: [textOf('The transfer on the network.'), same],
  fromAddress: [described(nullableText, 'Where it came from, as the network says.'), same],
  returnAddress: [described(nullableText, 'Where it was sent back to.'), (d) => d.sent?.address ?? null],
  returnTxHash: [described(nullableText, 'The transfer that sent it back.'), same],
  feeAmount: [
    nullableField(unitsOf('What the network took of it on the way back.')),
    (d) => d.sent && String(d.sent.feeUnits),
  ],
  failureReason: [described(nullableText, 'Why it could not be sent back.'), same],
  resolvedBy: [described(nullableText, 'The person who decided, `per_…`.'), same],
  resolvedAt: [nullableField(instant, 'When.'), (d) => instantOrNull(d.resolvedAtMs)],
  ...datedFields,
})
