import type { Request } from '../kernel/command.ts'
import type { ProviderAnswer } from '../payments/provider.ts'
import type { RateMicros } from '../shared/asset.ts'
import type { ConversionId, DepositId, PersonId, QuoteId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Asset, Currency } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'
import type { ConversionFailure } from './conversion.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly crypto: CryptoFolderCommand
  }
}

/** Commands about stablecoins that are no charges. */
export type CryptoFolderCommand =
  | ResolveDeposit
  | RequestQuote
  | Convert
  | ResolveConversion
  | RecordChainAnswer
  | CallChainAgain
  | ForceRate

/** A person accepts or returns a deposit that no charge could take. */
export type ResolveDeposit = Request<'ResolveDeposit'> & {
  readonly depositId: DepositId
  readonly action: 'ACCEPT' | 'RETURN'
  /** The address that gets the money back; null for the sender's. */
  readonly address: string | null
}

/** Asks for the price of a conversion; one of its two amounts is given. */
export type RequestQuote = Request<'RequestQuote'> & {
  readonly quoteId: QuoteId
  readonly personId: PersonId
  readonly fromCurrency: Currency
  readonly toCurrency: Currency
  readonly side: 'FROM' | 'TO'
  readonly cents: Cents
}

/** Makes the conversion of a quote. */
export type Convert = Request<'Convert'> & {
  readonly conversionId: ConversionId
  readonly quote: QuoteId
  readonly metadata: Metadata
}

/** The Sandbox decides a conversion that is PROCESSING. */
export type ResolveConversion = Request<'ResolveConversion'> & {
  readonly conversionId: ConversionId
  readonly result: 'COMPLETED' | 'FAILED'
  readonly failureReason: ConversionFailure | null
}

/** The actor that a call to the chain provider belongs to. */
type Called =
  | { readonly depositId: DepositId }
  | { readonly quoteId: QuoteId }
  | { readonly conversionId: ConversionId }

/** The chain provider's answer to a call. */
export type RecordChainAnswer = Request<'RecordChainAnswer'> &
  Called & { readonly callId: string; readonly answer: ProviderAnswer }

/** A call without a decisive answer is due again. */
export type CallChainAgain = Request<'CallChainAgain'> & Called & { readonly callId: string }

/** The Sandbox is given a price in place of the market's. */
export type ForceRate = Request<'ForceRate'> & { readonly asset: Asset; readonly rateMicros: RateMicros }
