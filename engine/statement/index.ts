/**
 * The statement of an account: one line for each change of the available balance in reais, written with the facts
 * that caused it.
 */
import './line.ts'
import './read.ts'
import { statementLineKind } from './line.ts'
import { statementAnswers } from './read.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const statementModule = {
  kinds: {
    statementLine: statementLineKind,
  },
  answers: statementAnswers,
}
