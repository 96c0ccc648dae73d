import type { AddressThrottle } from './address-throttle.ts'
import type { PasswordCheck } from './password-check.ts'
import type { PeopleOptions } from './people-options.ts'

/** The dependencies of every operation of people. */
export type PeopleContext = PeopleOptions & {
  readonly addresses: AddressThrottle
  readonly checkPassword: PasswordCheck
}
