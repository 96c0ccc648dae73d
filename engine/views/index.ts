/** The filters that people save under a name, per page of the dashboard. */
import './view.ts'
import { viewAnswers, viewDeciders } from './handlers.ts'
import { viewKind } from './view.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const viewsModule = {
  kinds: {
    view: viewKind,
  },
  deciders: viewDeciders,
  answers: viewAnswers,
}
