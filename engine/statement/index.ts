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
