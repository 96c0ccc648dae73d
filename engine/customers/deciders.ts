import type { Deciders } from '../kernel/decider.ts'
import type { RegisterCustomer } from './commands.ts'
import { registerCustomer } from './link.ts'

/** The register of payers. */
export const customerDeciders: Deciders<RegisterCustomer> = {
  RegisterCustomer: (draft, command) => {
    draft.add(registerCustomer(draft, command.customerId, command))
    return null
  },
}
