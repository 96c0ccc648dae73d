import type { PasswordHasher } from '../../identity/password-hash.ts'
import type { Operations } from '../input.ts'
import { openAddressThrottle } from './address-throttle.ts'
import { openChallenges } from './challenges.ts'
import { meOperations } from './me.ts'
import { openPasswordCheck } from './password-check.ts'
import type { PeopleOptions } from './people-options.ts'
import { openSecondFactor, type SecondFactor } from './second-factor.ts'
import { openSessionsOf } from './sessions-of.ts'
import { signInOperations } from './sign-in.ts'
import { teamOperations } from './team.ts'

/** All operations of people, and the second factor that confirms those of others. */
export const openPeople = (
  options: PeopleOptions & { readonly hasher: PasswordHasher },
): { readonly operations: Operations; readonly confirm: SecondFactor['confirm'] } => {
  const sessionsOf = openSessionsOf(options)
  const challenges = openChallenges(options)
  const secondFactor = openSecondFactor(options, challenges)
  const addresses = openAddressThrottle(options.realNow)
  const checkPassword = openPasswordCheck({ options, hasher: options.hasher, addresses })
  return {
    operations: {
      ...signInOperations({ options, sessionsOf, secondFactor, challenges, addresses, checkPassword }),
      ...meOperations({ options, sessionsOf, secondFactor, challenges, checkPassword }),
      ...teamOperations({ options, sessionsOf, secondFactor, addresses, checkPassword }),
    },
    confirm: secondFactor.confirm,
  }
}
