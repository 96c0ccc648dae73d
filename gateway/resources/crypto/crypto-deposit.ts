import type { Static } from 'typebox'
import { type CryptoDeposit, depositReasons, depositStatuses } from '../../../engine/crypto/deposit.ts'
import { decimalOf } from '../../../engine/shared/asset.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { dated, enumeration, identity, instant, instantOrNull, nullable, text, textOf } from '../fields.ts'
import { asset, decimalText, network, unitsOf } from './crypto-part.ts'

export const depositStatus = named(
  'CryptoDepositStatus',
  described(
    enumeration(...depositStatuses),
    'UNRESOLVED: a person decides. ACCEPTED: it is in the balance. RETURN_FAILED: it could not be sent back, and a person decides again.',
  ),
)

/** Stablecoins that did not pay their charge (dashboard, section 3.2). */
export const cryptoDeposit = namedObject(
  'CryptoDeposit',
  'Stablecoins that arrived at the address of a charge and did not pay it. The charge stays what it is.',
  {
    ...identity('cdp', 'crypto_deposit'),
    transactionId: textOf('The charge whose address they arrived at, `txn_…`.'),
    reason: described(
      enumeration(...depositReasons),
      'UNDERPAID: too little until the charge expired. OVERPAID: more than it asked for. WRONG_ASSET: another stablecoin than it asked for.',
    ),
    status: depositStatus,
    asset,
    network,
    amount: unitsOf('What is to be decided about.'),
    cryptoAmount: decimalText('The same.'),
    txHash: textOf('The transfer on the network.'),
    fromAddress: described(text, 'Where it came from, as the network says.'),
    returnAddress: described(text, 'Where it was sent back to.'),
    returnTxHash: described(text, 'The transfer that sent it back.'),
    feeAmount: nullable(unitsOf('What the network took of it on the way back.')),
    failureReason: described(text, 'Why it could not be sent back.'),
    resolvedBy: described(text, 'The person who decided, `per_…`.'),
    resolvedAt: nullable(instant, 'When.'),
    ...dated,
  },
)

/** A deposit as answers show it. */
export const cryptoDepositView = (deposit: CryptoDeposit): Static<typeof cryptoDeposit> => ({
  id: deposit.id,
  object: 'crypto_deposit',
  transactionId: deposit.transactionId,
  reason: deposit.reason,
  status: deposit.status,
  asset: deposit.asset,
  network: deposit.network,
  amount: String(deposit.units),
  cryptoAmount: decimalOf(deposit.units),
  txHash: deposit.txHash,
  fromAddress: deposit.fromAddress,
  returnAddress: deposit.sent?.address ?? null,
  returnTxHash: deposit.returnTxHash,
  feeAmount: deposit.sent && String(deposit.sent.feeUnits),
  failureReason: deposit.failureReason,
  resolvedBy: deposit.resolvedBy,
  resolvedAt: instantOrNull(deposit.resolvedAtMs),
  createdAt: isoInstant(deposit.createdAtMs),
  updatedAt: isoInstant(deposit.updatedAtMs),
})
