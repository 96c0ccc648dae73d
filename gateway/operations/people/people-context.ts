import type { AddressThrottle } from './address-throttle.ts'
import type { PasswordCheck } from './password-check.ts'
import type { PeopleOptions } from './people-options.ts'

/** What every operation of people is given. */
export type PeopleContext = PeopleOptions & {
  readonly addresses: AddressThrottle
  readonly checkPassword: PasswordCheck
}
