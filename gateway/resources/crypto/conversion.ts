// What the API shows of stablecoins: charges, deposits, conversions and prices. Withdrawals are in
// `resources/money-out`.
import { type Conversion, conversionFailures, conversionStatuses } from '../../../engine/crypto/conversion.ts'
import type { ConversionQuote, GivenQuote } from '../../../engine/crypto/quote.ts'
import { shortDecimalOf, toRateMicros } from '../../../engine/shared/asset.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described, named } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { currency } from '../enumerations.ts'
import { eventData } from '../event-data.ts'
import {
  amountOf,
  count,
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  nullableField,
  nullableText,
  ownMetadata,
  pick,
  textOf,
} from '../fields.ts'
import { fieldsOf, resource, same } from '../resource.ts'
import type { Sample } from '../sample.ts'
import { rateText } from './crypto-part.ts'

type Exchange = Pick<GivenQuote, 'fromCents' | 'toCents' | 'rateMicros' | 'feeCents' | 'taxCents'> &
  Pick<Conversion, 'fromCurrency' | 'toCurrency'>

const exchangeFields = fieldsOf<Exchange>().with({
  fromCurrency: [described(currency, 'What is given.'), same],
  toCurrency: [described(currency, 'What is bought.'), same],
  fromAmount: [
    textOf('What is given, in the smallest unit of `fromCurrency`, as digits.'),
    ({ fromCents }) => String(fromCents),
  ],
  toAmount: [
    textOf('What is bought, in the smallest unit of `toCurrency`, as digits.'),
    ({ toCents }) => String(toCents),
  ],
  rate: [rateText('The price, with its spread.'), ({ rateMicros }) => shortDecimalOf(rateMicros)],
  feeAmount: [amountOf('The fee, which is part of the amount in reais.'), ({ feeCents }) => String(feeCents)],
  taxAmount: [amountOf('Taxes, which are part of the amount in reais.'), ({ taxCents }) => String(taxCents)],
})

/** The price of a conversion (dashboard, section 3.3). */
export const conversionQuote = resource<ConversionQuote & GivenQuote>(
  'ConversionQuote',
  'The price of a conversion, for 30 seconds.',
).with({
  ...identityFields('qte', 'conversion_quote'),
  ...exchangeFields,
  midRate: [
    rateText('The price in the middle between buying and selling.'),
    (q) => shortDecimalOf(q.midRateMicros),
  ],
  spreadBps: [count('How far `rate` is from `midRate`, in basis points.'), same],
  expiresAt: [described(instant, 'Until when it holds.'), (q) => isoInstant(q.expiresAtMs)],
})

export const conversionStatus = named(
  'ConversionStatus',
  described(choice(...conversionStatuses), 'FAILED: nothing was changed, and the money is back.'),
)
export const conversionFailure = described(choice(...conversionFailures), 'Why nothing was changed.')

/** A conversion of reais into a stablecoin, or back. */
export const conversion = resource<Conversion>(
  'Conversion',
  'A change of reais into a stablecoin, or back.',
).with({
  ...identityFields('cnv', 'conversion'),
  status: [conversionStatus, same],
  quoteId: [textOf('The quote whose price it has, `qte_…`.'), (c) => c.quote],
  ...exchangeFields,
  failureReason: [nullableField(conversionFailure), same],
  metadata: [ownMetadata, same],
  createdBy: [described(nullableText, 'The person who asked for it, `per_…`.'), same],
  ...datedFields,
  completedAt: [nullableField(instant, 'When it was made.'), (c) => instantOrNull(c.completedAtMs)],
})

/** `data` of events about a conversion (decisions, section 27). */
export const conversionEvent = eventData(
  'ConversionEventData',
  'A change of reais into a stablecoin, or back.',
  pick(
    conversion.schema.properties,
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
