/**
 * The public events of the past, rebuilt from the journal: for merchants who missed some, and for people who look
 * them up.
 */
import './queries.ts'
import { eventAnswers } from './answers.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const eventsModule = {
  answers: eventAnswers,
}
