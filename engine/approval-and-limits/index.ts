/**
 * The approval policy and the limits of money out. Stricter values count at once; looser ones take a day and, where
 * there is one, a second person, so that a thief cannot raise a limit and use it.
 */
import './commands.ts'
import './control-change.ts'
import './controls.ts'
import { controlChangeKind } from './control-change.ts'
import { controlsAccountPart } from './controls.ts'
import { controlDeciders, controlsAnswers } from './deciders.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const controlsModule = {
  kinds: {
    controlChange: controlChangeKind,
  },
  accountParts: {
    controls: controlsAccountPart,
  },
  deciders: controlDeciders,
  answers: controlsAnswers,
}
