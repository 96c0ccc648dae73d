import type { Static } from 'typebox'
import { type Conversion, conversionFailures, conversionStatuses } from '../../../engine/crypto/conversion.ts'
import type { ConversionQuote, GivenQuote } from '../../../engine/crypto/quote.ts'
import { shortDecimalOf, toRateMicros } from '../../../engine/shared/asset.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { currency } from '../enumerations.ts'
import { eventData } from '../event-data.ts'
import {
  amountOf,
  count,
  dated,
  enumeration,
  identity,
  instant,
  instantOrNull,
  nullable,
  ownMetadata,
  pick,
  text,
  textOf,
} from '../fields.ts'
import type { Sample } from '../sample.ts'
import { rateText } from './crypto-part.ts'

const amounts = {
  fromCurrency: described(currency, 'What is given.'),
  toCurrency: described(currency, 'What is bought.'),
  fromAmount: textOf('What is given, in the smallest unit of `fromCurrency`, as digits.'),
  toAmount: textOf('What is bought, in the smallest unit of `toCurrency`, as digits.'),
  rate: rateText('The price, with its spread.'),
  feeAmount: amountOf('The fee, which is part of the amount in reais.'),
  taxAmount: amountOf('Taxes, which are part of the amount in reais.'),
}

/** The price of a conversion (dashboard, section 3.3). */
export const conversionQuote = namedObject('ConversionQuote', 'The price of a conversion, for 30 seconds.', {
  ...identity('qte', 'conversion_quote'),
  ...amounts,
  midRate: rateText('The price in the middle between buying and selling.'),
  spreadBps: count('How far `rate` is from `midRate`, in basis points.'),
  expiresAt: described(instant, 'Until when it holds.'),
})

/** A quote as answers show it. */
export const conversionQuoteView = (
  { id, fromCurrency, toCurrency }: ConversionQuote,
  given: GivenQuote,
): Static<typeof conversionQuote> => ({
  id,
  object: 'conversion_quote',
  fromCurrency,
  toCurrency,
  fromAmount: String(given.fromCents),
  toAmount: String(given.toCents),
  rate: shortDecimalOf(given.rateMicros),
  feeAmount: String(given.feeCents),
  taxAmount: String(given.taxCents),
  midRate: shortDecimalOf(given.midRateMicros),
  spreadBps: given.spreadBps,
  expiresAt: isoInstant(given.expiresAtMs),
})

export const conversionStatus = named(
  'ConversionStatus',
  described(enumeration(...conversionStatuses), 'FAILED: nothing was changed, and the money is back.'),
)
export const conversionFailure = described(enumeration(...conversionFailures), 'Why nothing was changed.')

/** A conversion of reais into a stablecoin, or back. */
export const conversion = namedObject('Conversion', 'A change of reais into a stablecoin, or back.', {
  ...identity('cnv', 'conversion'),
  status: conversionStatus,
  quoteId: textOf('The quote whose price it has, `qte_…`.'),
  ...amounts,
  failureReason: nullable(conversionFailure),
  metadata: ownMetadata,
  createdBy: described(text, 'The person who asked for it, `per_…`.'),
  ...dated,
  completedAt: nullable(instant, 'When it was made.'),
})

/** A conversion as answers and events show it. */
export const conversionView = (c: Conversion): Static<typeof conversion> => ({
  id: c.id,
  object: 'conversion',
  status: c.status,
  quoteId: c.quote,
  fromCurrency: c.fromCurrency,
  toCurrency: c.toCurrency,
  fromAmount: String(c.fromCents),
  toAmount: String(c.toCents),
  rate: shortDecimalOf(c.rateMicros),
  feeAmount: String(c.feeCents),
  taxAmount: String(c.taxCents),
  failureReason: c.failureReason,
  metadata: c.metadata,
  createdBy: c.createdBy,
  createdAt: isoInstant(c.createdAtMs),
  updatedAt: isoInstant(c.updatedAtMs),
  completedAt: instantOrNull(c.completedAtMs),
})

/** `data` of events about a conversion (decisions, section 27). */
export const conversionEvent = eventData(
  'ConversionEventData',
  'A change of reais into a stablecoin, or back.',
  pick(
    conversion.properties,
    'id',
    'object',
    'fromCurrency',
    'toCurrency',
    'fromAmount',
    'toAmount',
    'rate',
    'failureReason',
  ),
)

/** A conversion of reais that was made, or whose price no longer held. */
export const conversionSample = ({ id, atMs }: Sample, isMade: boolean): Conversion => ({
  id: id('cnv'),
  accountId: accountIdOf(id('cmp'), 'SANDBOX'),
  quote: id('qte'),
  status: isMade ? 'COMPLETED' : 'FAILED',
  fromCurrency: 'BRL',
  toCurrency: 'USDT',
  fromCents: toCents(1012),
  toCents: toCents(1_850_018),
  rateMicros: toRateMicros(5_454_000),
  feeCents: toCents(3),
  taxCents: toCents(0),
  failureReason: isMade ? null : 'RATE_EXPIRED',
  metadata: {},
  createdBy: id('per'),
  call: null,
  createdAtMs: atMs,
  updatedAtMs: atMs,
  completedAtMs: isMade ? atMs : null,
})
