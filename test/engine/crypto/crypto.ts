import { balancesIn } from '../../../engine/ledger/account.ts'
import type { Balances } from '../../../engine/ledger/postings.ts'
import type { CryptoTerms } from '../../../engine/payments/methods/crypto/terms.ts'
import type { CreateCharge } from '../../../engine/payments/transaction/commands.ts'
import type { ConversionId, PersonId, QuoteId, TransactionId } from '../../../engine/shared/ids.ts'
import type { Currency } from '../../../engine/shared/method.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { aCharge, account, type ChargeChange, ours, type World } from '../world.ts'

/** A charge of 100 reais in USDT on POLYGON: 18.518519 at 5.40. */
export const aCryptoCharge = (terms: Partial<CryptoTerms> = {}, change: ChargeChange = {}): CreateCharge =>
  aCharge({
    amountCents: toCents(10_000),
    terms: {
      method: 'CRYPTO',
      asset: 'USDT',
      network: 'POLYGON',
      isPricedInAsset: false,
      expiresInSeconds: 900,
      ...terms,
    },
    ...change,
  })

/** A charge of so many millionths. */
export const aChargeOf = (units: number, terms: Partial<CryptoTerms> = {}): CreateCharge =>
  aCryptoCharge({ isPricedInAsset: true, ...terms }, { amountCents: toCents(units) })

/** A transfer to a charge's address, confirmed unless the test says otherwise. */
export const aTransfer = (
  transactionId: TransactionId,
  units: number | null = null,
  { asset = null, confirmations = null, txHash = null, fromAddress = null }: Partial<Transferred> = {},
) =>
  ({
    type: 'ReportTransfer',
    ...ours,
    transactionId,
    units: units === null ? null : toCents(units),
    asset,
    confirmations,
    txHash,
    fromAddress,
  }) as const

type Transferred = {
  readonly asset: 'USDT' | 'USDC' | null
  readonly confirmations: number | null
  readonly txHash: string | null
  readonly fromAddress: string | null
}

/** What is on each ledger account in a currency, without those that are empty. */
export const booksIn = (world: World, currency: Currency): Readonly<Record<string, number>> => {
  const balances: Balances = balancesIn(world.account(), currency)
  return Object.fromEntries(
    Object.entries(balances).flatMap(([name, cents]) => (cents === 0n ? [] : [[name, Number(cents)]])),
  )
}

/** All deposits, the smallest first: those of one moment are in no order. */
export const deposits = (world: World) =>
  [...world.memory.list(account, 'cryptoDeposit', { offset: 0, limit: 100 }).states].sort(
    (a, b) => a.units - b.units,
  )

export const ana = { kind: 'PERSON', id: `per_${'1'.padStart(26, '0')}` } as const

let made = 0
const numbered = (prefix: string): string => `${prefix}_${String(++made).padStart(26, '0')}`

export const aQuoteRequest = (
  fromCurrency: Currency,
  toCurrency: Currency,
  cents: number,
  side: 'FROM' | 'TO' = 'FROM',
) =>
  ({
    type: 'RequestQuote',
    accountId: account,
    by: ana,
    quoteId: numbered('qte') as QuoteId,
    personId: ana.id as PersonId,
    fromCurrency,
    toCurrency,
    side,
    cents: toCents(cents),
  }) as const

export const aConversion = (quote: QuoteId, metadata: Readonly<Record<string, string>> = {}) =>
  ({
    type: 'Convert',
    accountId: account,
    by: ana,
    conversionId: numbered('cnv') as ConversionId,
    quote,
    metadata,
  }) as const
