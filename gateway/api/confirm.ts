import { passOn, type Waiter } from '../../engine/kernel/handler.ts'
import type { Command, Rejection } from '../../engine/kernel/registry.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import { isAboutPerson } from '../identity/access.ts'
import type { Confirmable } from '../identity/asked.ts'
import type { SignedIn } from '../identity/caller.ts'
import type { Admitted } from '../link/relay.ts'
import { type Problem, problem } from '../problems/problem.ts'
import { permissionRefusal } from './admit.ts'
import type { Api, Execution } from './api.ts'
import { respond } from './finish.ts'
import { askedOf, confirmable } from './operate.ts'
import { readMeaning } from './read.ts'
import type { OutstandingRequest } from './route.ts'

/**
 * Performs a command once a second factor has confirmed it. A preview without effect decides first, so that a
 * refused or repeated command uses up no code. The idempotency key is claimed before that: of equal concurrent
 * requests one uses the code, and the others are refused as in progress instead of for a wrong code.
 */
export const performConfirmed = (
  api: Api,
  execution: Execution,
  command: Command,
  to: Waiter<Reply>,
): void => {
  const { by } = execution
  const claim = claimKey(api, command)
  if ('reason' in claim) {
    to.resolve({ accepted: false, rejection: claim })
    return
  }
  const releasing: Waiter<Reply> = {
    resolve: (reply) => {
      claim.release()
      to.resolve(reply)
    },
    reject: (error) => {
      claim.release()
      to.reject(error)
    },
  }
  by.perform(
    { ...command, isPreview: true },
    {
      resolve: (reply) => {
        if (reply.accepted && !reply.replayed) confirm(api, execution, command, claim, releasing)
        else releasing.resolve(reply)
      },
      reject: releasing.reject,
    },
  )
}

/** Has the main thread check the second factor, and performs the command if it is right. */
const confirm = (
  api: Api,
  { admitted, route, input, by, to: response }: Execution,
  command: Command,
  claim: Claim,
  to: Waiter<Reply>,
): void => {
  const asked = askedOf(admitted, input, 'session confirm', {})
  passOn(api.people!.operate({ ...asked, by: { ...asked.by, operation: route.operationId } }), {
    resolve: (outcome) => {
      if ('code' in outcome) {
        claim.release()
        respond(api, admitted, route, outcome as Problem, response)
      } else by.perform(command, to)
    },
    reject: to.reject,
  })
}

/** The right to use up a factor for an idempotency key. */
type Claim = { readonly release: () => void }

const unclaimed: Claim = { release: () => undefined }

/** Claims a command's idempotency key while it is being confirmed, or refuses if another request holds it. */
const claimKey = ({ claims }: Api, { accountId, idempotency }: Command): Claim | Rejection => {
  if (idempotency === undefined) return unclaimed
  const { key, fingerprint } = idempotency
  const name = `${accountId} ${key}`
  const holder = claims.get(name)
  if (holder !== undefined)
    return { reason: holder === fingerprint ? 'IDEMPOTENCY_KEY_IN_PROGRESS' : 'IDEMPOTENCY_KEY_REUSED' }
  claims.set(name, fingerprint)
  return { release: () => claims.delete(name) }
}

/** What a passkey signs to confirm a request not yet sent, or the problem that would refuse that request. */
export const confirmableOf = (
  api: Api,
  { caller, request }: Admitted,
  { verb, path: target, body }: OutstandingRequest,
): Confirmable | Problem => {
  // The target has the form of a request line's: a path, and a query if there is one.
  const [path, query] = splitAt(target, target.indexOf('?'))
  const found = api.findRoute(path, verb)
  const route = found?.route ?? null
  if (route === null) return problem('ROUTE_NOT_FOUND')
  const { gate } = api.people!
  const placed = isAboutPerson(route.permission) ? caller : gate.placed(caller as SignedIn, request)
  if ('code' in placed) return placed
  const refusal = permissionRefusal(route, placed)
  if (refusal !== null) return refusal
  const read = readMeaning(api, route, query, body, placed, [])
  return read.ok ? confirmable(placed, verb, path, query, read.input) : inField('body', read.problem)
}

const splitAt = (text: string, mark: number): readonly [before: string, after: string] =>
  mark < 0 ? [text, ''] : [text.slice(0, mark), text.slice(mark + 1)]

/** A problem whose errors name their fields below `field`. */
const inField = (field: string, { errors, ...problem }: Problem): Problem =>
  errors === undefined
    ? problem
    : { ...problem, errors: errors.map((error) => ({ ...error, field: `${field}.${error.field}` })) }
