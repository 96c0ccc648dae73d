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
