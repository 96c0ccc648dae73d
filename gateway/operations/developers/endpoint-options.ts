import {
  type Endpoint,
  type EndpointChanges,
  type EndpointHeader,
  endpointSignatures,
  subscribesTo,
} from '../../../engine/companies/endpoint.ts'
import type { EndpointId } from '../../../engine/shared/ids.ts'
import { bounds } from '../../base/bounds.ts'
import { sealEndpointHeader } from '../../base/seal.ts'
import { mistyped, refuseField } from '../../problems/refusal.ts'
import { isOwnName, isOwnValue } from '../../webhooks/own-headers.ts'
import { choiceOf, type Input } from '../input.ts'

/** The options of an endpoint beyond where and what (decisions, section 28), as members of an input. */
export const endpointOptions = ['extraEvents', 'signature', 'headers']

/** The changes of those that the input names, without headers: `headersAfter` knows what they change. */
export const optionChangesOf = ({
  extraEvents,
  signature,
}: Input): Pick<EndpointChanges, 'extraEvents' | 'signature'> => ({
  ...(extraEvents !== undefined && { extraEvents: yesOrNo(extraEvents, 'extraEvents') }),
  ...(signature !== undefined && { signature: choiceOf(signature, 'signature', endpointSignatures) }),
})

/** A boolean, or a text of the command line. */
const yesOrNo = (value: unknown, name: string): boolean => {
  if (value === true || value === 'true' || value === 'yes') return true
  if (value === false || value === 'false' || value === 'no') return false
  return mistyped(name, (say) => say.wanted.boolean)
}

/**
 * The headers that an endpoint has after a change, which is a merge patch (RFC 7396): null removes a header, or all of them; those that it
 * does not name stay, because their values cannot be read to be sent again. Undefined changes nothing.
 */
export const headersAfter = (
  before: readonly EndpointHeader[],
  given: unknown,
  endpointId: EndpointId,
  masterKey: Buffer,
): readonly EndpointHeader[] => {
  if (given === undefined) return before
  if (given === null) return []
  if (typeof given !== 'object' || Array.isArray(given))
    return mistyped('headers', (say) => say.wanted.object)
  const changes = Object.entries(given).map(readHeader)
  const names = new Set(changes.map(({ name }) => name.toLowerCase()))
  if (names.size < changes.length)
    return refuseField('headers', 'INVALID_VALUE', (say) => say.operations.headerTwice())
  const after = [
    ...before.filter(({ name }) => !names.has(name.toLowerCase())),
    ...changes.flatMap(({ name, value }) =>
      value === null
        ? []
        : [{ name, sealedValue: sealEndpointHeader({ name, value }, endpointId, masterKey) }],
    ),
  ]
  return after.length > bounds.ownHeadersMax
    ? refuseField('headers', 'INVALID_VALUE', (say) => say.operations.tooManyHeaders(bounds.ownHeadersMax))
    : after
}

/** Refusals name the header, and never its value. */
const readHeader = ([name, value]: readonly [string, unknown]): {
  readonly name: string
  readonly value: string | null
} => {
  if (!isOwnName(name))
    return refuseField('headers', 'INVALID_VALUE', (say) => say.operations.headerName(name.slice(0, 64)))
  if (value === null) return { name, value }
  return typeof value === 'string' && isOwnValue(value)
    ? { name, value }
    : refuseField('headers', 'INVALID_VALUE', (say) =>
        say.operations.headerValue(name, bounds.ownHeaderCharsMax),
      )
}

/**
 * Refuses an endpoint that names a type it does not hear, and one whose URL is new while a header stays: a person who may change a URL
 * cannot read headers, and could otherwise have them sent to a server of their own.
 */
export const vetEndpoint = (endpoint: Endpoint, before: Endpoint | null): Endpoint => {
  const unheard = endpoint.eventTypes.filter((type) => !subscribesTo(endpoint, type))
  if (unheard.length > 0)
    return refuseField('events', 'INVALID_VALUE', (say) => say.operations.extraEvent(unheard.join(', ')))
  if (before !== null && before.url !== endpoint.url) {
    const kept = endpoint.headers.filter((header) => before.headers.includes(header))
    if (kept.length > 0)
      return refuseField('headers', 'INVALID_VALUE', (say) =>
        say.operations.headersOfOtherUrl(kept.map(({ name }) => name).join(', ')),
      )
  }
  return endpoint
}
