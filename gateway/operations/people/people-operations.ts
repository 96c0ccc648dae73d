import type { PasswordHasher } from '../../identity/password-hash.ts'
import type { Operations } from '../input.ts'
import type { OperationsOptions } from '../operation-options.ts'
import { openAddressThrottle } from './address-throttle.ts'
import { forgottenPasswordOperations } from './forgotten-password.ts'
import { invitationOperations } from './invitations.ts'
import { meOperations } from './me.ts'
import { ownFactorOperations } from './own-factors.ts'
import { ownSessionOperations } from './own-sessions.ts'
import { openPasswordCheck } from './password-check.ts'
import type { PeopleOptions } from './people-options.ts'
import { confirmByFactor } from './second-factor.ts'
import { signInOperations } from './sign-in.ts'
import { teamOperations } from './team.ts'

/** Opens all operations of people, and the check of the second factor that confirms other operations. */
export const openPeople = (
  options: PeopleOptions & { readonly hasher: PasswordHasher },
): { readonly operations: Operations; readonly confirm: OperationsOptions['confirm'] } => {
  const addresses = openAddressThrottle(options.realNow)
  const checkPassword = openPasswordCheck({ options, hasher: options.hasher, addresses })
  const context = { ...options, addresses, checkPassword }
  return {
    operations: {
      ...signInOperations(context),
      ...ownSessionOperations(context),
      ...forgottenPasswordOperations(context),
      ...meOperations(context),
      ...ownFactorOperations(context),
      ...teamOperations(context),
      ...invitationOperations(context),
    },
    confirm: (by) => confirmByFactor(options, by),
  }
}
