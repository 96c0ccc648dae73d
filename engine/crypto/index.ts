/**
 * Stablecoins other than as charges: deposits that no charge took, conversions between reais and stablecoins, and
 * what is valid as an address. Withdrawals are in `money-out/`.
 */
import './chain-request.ts'
import './commands.ts'
import './conversion.ts'
import './deposit.ts'
import './queries.ts'
import './quote.ts'
import './refusals.ts'
import { cryptoAnswers } from './answers.ts'
import { conversionKind } from './conversion.ts'
import { cryptoDeciders } from './deciders.ts'
import { cryptoDepositKind } from './deposit.ts'
import { conversionQuoteKind } from './quote.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const cryptoModule = {
  kinds: {
    cryptoDeposit: cryptoDepositKind,
    conversion: conversionKind,
    conversionQuote: conversionQuoteKind,
  },
  deciders: cryptoDeciders,
  answers: cryptoAnswers,
}
