import { factorSubject, unknownFailures } from '../../../engine/people/throttle.ts'
import { lastTakenStep } from '../../identity/totp.ts'
import type { PeopleOptions } from './people-options.ts'

/**
 * Begins a record of sessions in place of one that is gone: a code that was used before would count again within its minute, and a
 * guesser would begin to count anew. Every code that an authenticator app shows now is refused, and one failure locks the codes of a person
 * as the last of a row does.
 */
export const distrustCodes = ({
  directory: { people },
  record,
  realNow,
}: Pick<PeopleOptions, 'directory' | 'record' | 'realNow'>): Promise<void> =>
  record(() => {
    const atMs = realNow()
    return [...people.persons.keys()].flatMap((personId) => [
      { type: 'CodeSpent', personId, step: lastTakenStep(atMs) } as const,
      {
        type: 'AttemptsChanged',
        subject: factorSubject(personId),
        attempts: unknownFailures,
        atMs,
      } as const,
    ])
  })
