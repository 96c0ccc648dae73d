import type { Operations } from '../admin/input.ts'
import { openAddressThrottle } from './address-throttle.ts'
import { openChallenges } from './challenges.ts'
import { meOperations } from './me.ts'
import type { PeopleOptions } from './people-options.ts'
import { openSecondFactor, type SecondFactor } from './second-factor.ts'
import { openSessionsOf } from './sessions-of.ts'
import { signInOperations } from './sign-in.ts'
import { teamOperations } from './team.ts'

/** All operations of people, and the second factor that confirms those of others. */
export const openPeople = (
  options: PeopleOptions,
): { readonly operations: Operations; readonly confirm: SecondFactor['confirm'] } => {
  const sessionsOf = openSessionsOf(options)
  const challenges = openChallenges(options)
  const secondFactor = openSecondFactor(options, challenges)
  const addresses = openAddressThrottle(options.realNow)
  return {
    operations: {
      ...signInOperations({ options, sessionsOf, secondFactor, challenges, addresses }),
      ...meOperations({ options, sessionsOf, challenges }),
      ...teamOperations({ options, sessionsOf, secondFactor }),
    },
    confirm: secondFactor.confirm,
  }
}
