/**
 * Deliveries of public events to merchants' endpoints: schedule, attempts, resends and the health of an endpoint.
 * The gateway sends them.
 */
import './commands.ts'
import './delivery.ts'
import './queries.ts'
import './refusals.ts'
import { deliveryAnswers } from './answers.ts'
import { deliveryDeciders } from './decide.ts'
import { deliveryKind } from './evolve.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const webhooksModule = {
  kinds: {
    delivery: deliveryKind,
  },
  deciders: deliveryDeciders,
  answers: deliveryAnswers,
}
