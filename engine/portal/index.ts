/** The pages where customers see and mend their own subscriptions. */
import './portal.ts'
import { portalAnswers, portalDeciders } from './handlers.ts'
import { portalSessionKind } from './portal.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const portalModule = {
  kinds: {
    portalSession: portalSessionKind,
  },
  deciders: portalDeciders,
  answers: portalAnswers,
}
