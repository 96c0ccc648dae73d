import { cryptoOf } from '../payments/methods/crypto/crypto.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import type { Currency } from '../shared/method.ts'
import type { Conversion } from './conversion.ts'
import type { CryptoDeposit } from './deposit.ts'

/** The sums that stablecoins put on ledger accounts in a currency; `held` is available and blocked together. */
export type MovedFunds = Readonly<
  Record<'payer' | 'fees' | 'exchange' | 'taxes' | 'paidOut' | 'held', bigint>
>

type Moving = {
  readonly transaction: Transaction
  readonly cryptoDeposit: CryptoDeposit
  readonly conversion: Conversion
}

/** Recounts a currency's ledger from charges in stablecoins, their deposits and conversions, to check it. */
export const movedBy = (
  states: <Kind extends keyof Moving>(kind: Kind) => Iterable<Moving[Kind]>,
  currency: Currency,
): MovedFunds => {
  const moved = { payer: 0n, fees: 0n, exchange: 0n, taxes: 0n, paidOut: 0n, held: 0n }
  const add = (changes: Readonly<Partial<Record<keyof MovedFunds, number>>>): void => {
    for (const [name, cents] of Object.entries(changes)) moved[name as keyof MovedFunds] += BigInt(cents)
  }
  for (const { currency: own, means, paidCents, feeCents } of states('transaction')) {
    const isBooked = cryptoOf({ means })?.transfers.some(({ paidUnits }) => paidUnits > 0) ?? false
    if (own === currency && isBooked) add({ payer: -paidCents, fees: feeCents, held: paidCents - feeCents })
  }
  for (const { asset, units, status, sent } of states('cryptoDeposit')) {
    if (asset !== currency) continue
    add({ payer: -units })
    if (status === 'RETURNED') add({ paidOut: units - sent!.feeUnits, fees: sent!.feeUnits })
    else add({ held: units })
  }
  for (const conversion of states('conversion')) {
    if (conversion.status !== 'COMPLETED') continue
    const { fromCurrency, toCurrency, fromCents, toCents, feeCents, taxCents } = conversion
    const costs = feeCents + taxCents
    const own = { fees: feeCents, taxes: taxCents }
    if (fromCurrency === currency) {
      const isBuying = currency === 'BRL'
      add({ held: -fromCents, exchange: fromCents - (isBuying ? costs : 0), ...(isBuying && own) })
    }
    if (toCurrency === currency) {
      const isSelling = currency === 'BRL'
      add({ held: toCents, exchange: -toCents - (isSelling ? costs : 0), ...(isSelling && own) })
    }
  }
  return moved
}
