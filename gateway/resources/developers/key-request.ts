import { isoInstant } from '../../../engine/shared/calendar.ts'
import { timeOfId } from '../../../engine/shared/ids.ts'
import type { KeyRequest } from '../../identity/key-log.ts'
import { described } from '../../schema/named-schema.ts'
import { count, instant, nullableText, objectName, textOf } from '../fields.ts'
import { resource, same } from '../resource.ts'

/** A request that a key has sent. */
export const keyRequest = resource<KeyRequest>(
  'KeyRequest',
  'A request that an API key has sent, as it was answered.',
).with({
  id: [textOf('The request’s id, which its answer has as `Request-Id`.'), (r) => r.requestId],
  object: [objectName('key_request'), () => 'key_request' as const],
  method: [textOf('Its verb.'), (r) => r.verb],
  route: [described(nullableText, 'The operation’s path; null for one that the API does not have.'), same],
  path: [
    described(nullableText, 'The path without its query; null for one that the API does not have.'),
    ({ route, path }) => (route === null ? null : path),
  ],
  status: [count('The status of the answer.'), same],
  code: [described(nullableText, 'The code of the problem; null for none.'), same],
  durationMs: [count('How long the answer took, in milliseconds.'), same],
  at: [described(instant, 'When it came.'), ({ requestId }) => isoInstant(timeOfId(requestId))],
})
