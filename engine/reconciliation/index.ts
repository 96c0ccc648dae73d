/** Whether the books of banks and ours agree, day by day. */
import './commands.ts'
import './reconciliation.ts'
import { reconciliationAnswers } from './answers.ts'
import { reconciliationDeciders } from './deciders.ts'
import { reconciliationKind } from './reconciliation.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const reconciliationModule = {
  kinds: { reconciliation: reconciliationKind },
  deciders: reconciliationDeciders,
  answers: reconciliationAnswers,
}
