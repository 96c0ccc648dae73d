/** The figures of the dashboard's start page, read from columns and from sums that the account keeps. */
import './queries.ts'
import { overviewAnswers } from './answers.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const overviewModule = {
  answers: overviewAnswers,
}
