import type { ConversionTexts } from './conversions-pt.ts'

/** What is said of conversions, which only their own pages load. */
export const conversionsEn: ConversionTexts = {
  lead: 'Convert reais into stablecoins and back, at the rate shown.',
  create: 'Convert',
  from: 'You pay',
  to: 'You receive',
  rate: 'Rate',
  point: '.',
  tax: 'Taxes',
  none: 'No conversions yet',
  noneText: 'A quote is held for 30 seconds; the rate does not change in that time.',
  quote: 'See rate',
  pair: 'From → to',
  side: 'Enter',
  giving: (currency) => `amount to pay, in ${currency}`,
  getting: (currency) => `amount to receive, in ${currency}`,
  holds: (seconds) => `This rate is held for ${seconds} s.`,
  over: 'This rate has expired.',
  again: 'New rate',
  sign: 'Sign and convert',
  done: 'Conversion completed',
  failed: 'Failure reason',
  by: 'Requested by',
  failure: {
    PROVIDER_REJECTED: 'Rejected by the provider',
    MARKET_MOVED: 'The market rate moved',
    RATE_EXPIRED: 'The rate expired',
  },
}
