/** The register of payers. A charge links to its payer's entry and keeps a copy of it. */
import './commands.ts'
import './queries.ts'
import './registered-customer.ts'
import { customerAnswers } from './answers.ts'
import { customerDeciders } from './deciders.ts'
import { customerKind } from './registered-customer.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const customersModule = {
  kinds: {
    customer: customerKind,
  },
  deciders: customerDeciders,
  answers: customerAnswers,
}
