// Who calls: keys, sessions and their cookies, passwords, second factors, rate limits, and the personal texts that
// only a person's own key opens.
import type { Permission } from '../../engine/people/permission.ts'

/**
 * The callers that a route admits. OPEN: all. HALF_SESSION: a person whose password was right. SELF: every person
 * who is signed in, for what is about that person alone. MEMBER: every person with a role in the company and
 * environment that the request names. Otherwise: callers with that permission there.
 */
export type Access = Permission | 'OPEN' | 'HALF_SESSION' | 'SELF' | 'MEMBER'

/** Whether a route is about the person alone, whatever the company. */
export const isAboutPerson = (access: Access): access is 'OPEN' | 'HALF_SESSION' | 'SELF' =>
  access === 'OPEN' || access === 'HALF_SESSION' || access === 'SELF'
