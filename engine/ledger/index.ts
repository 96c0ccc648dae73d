/**
 * The account of a company in one environment: its double-entry balances, the receivables that say whose money it
 * is, settlements by day, fees, and the environment clock.
 */
import './account.ts'
import './commands.ts'
import './publishes.ts'
import './queries.ts'
import './refusals.ts'
import { batchKind } from './account.ts'
import { ledgerAnswers } from './answers.ts'
import { ledgerDeciders } from './deciders.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const ledgerModule = {
  kinds: {
    batch: batchKind,
  },
  deciders: ledgerDeciders,
  answers: ledgerAnswers,
}
