import type { Asked, Confirmable, Operate, OperationOutcome } from '../identity/asked.ts'
import type { Caller } from '../identity/caller.ts'
import type { Admitted } from '../link/relay.ts'
import type { Language } from '../problems/language.ts'
import { messages } from '../problems/messages/messages.ts'
import type { Text } from '../problems/messages/text.ts'
import { type FieldError, invalid, notFound, type Problem, problem } from '../problems/problem.ts'
import { digestOf } from '../schema/fingerprint.ts'

/** The worker's side of operations, which only the main thread performs. */
export const openOperate = (
  send: (number: number, asked: Asked) => void,
): {
  readonly operate: Operate
  /** Delivers the outcome of the operation with this number. */
  readonly operated: (number: number, outcome: OperationOutcome) => void
} => {
  const waiting = new Map<number, (outcome: OperationOutcome) => void>()
  let last = 0
  return {
    operate: async (asked) => {
      const number = ++last
      const outcome = await new Promise<OperationOutcome>((resolve) => {
        waiting.set(number, resolve)
        send(number, asked)
      })
      switch (outcome.type) {
        case 'DONE':
          return outcome.answer
        case 'REFUSED':
          return problemOfRefusal(outcome)
        case 'FAILED':
          throw new Error(outcome.message)
      }
    },
    operated: (number, outcome) => {
      waiting.get(number)?.(outcome)
      waiting.delete(number)
    },
  }
}

/** What the main thread needs to know of a request. */
export const askedOf = (
  { request, caller, requestId }: Admitted,
  meaning: unknown,
  operation: string,
  input: object,
): Asked => ({
  operation,
  input:
    caller.kind === 'PERSON' && caller.companyId !== null
      ? { ...input, company: caller.companyId, environment: caller.environment }
      : input,
  by: {
    kind: caller.kind,
    personId: caller.kind === 'PERSON' ? caller.person.id : null,
    sessionId: caller.kind === 'PERSON' ? caller.session.id : null,
    ip: request.remoteAddress,
    userAgent: request.headers['user-agent'] ?? '',
    requestId,
    operation,
    secondFactor: request.headers['service-second-factor'] ?? null,
    ...confirmable(caller, request.verb, request.path, request.query, meaning),
  },
})

/** What a passkey signs of a request: company, environment, and a digest of its target and meaning. */
export const confirmable = (
  caller: Caller,
  verb: string,
  path: string,
  query: string,
  meaning: unknown,
): Confirmable => ({
  companyId: caller.kind === 'PERSON' ? caller.companyId : null,
  environment: caller.kind === 'PERSON' ? caller.environment : null,
  digest: digestOf(verb, query === '' ? path : `${path}?${query}`, meaning),
})

const problemOfRefusal = ({
  code,
  texts,
  extra,
}: Extract<OperationOutcome, { type: 'REFUSED' }>): Problem => {
  const { retryAfterSeconds, resource, errors, ...members } = extra
  if (code === 'NOT_FOUND' && typeof resource === 'string') return notFound(resource)
  if (code === 'VALIDATION_ERROR' && Array.isArray(errors)) return invalid(errors.map(fieldErrorOf))
  const detail: Text | null =
    code === 'UNAUTHORIZED' ? (say) => say.details.wrongSignIn : texts === null ? null : textOf(texts)
  return problem(code, detail, {
    extra: members,
    ...(retryAfterSeconds !== undefined && { headers: { 'Retry-After': String(retryAfterSeconds) } }),
  })
}

const fieldErrorOf = ({ field, code, texts }: RefusedField): FieldError => ({
  field,
  code,
  message: textOf(texts),
})

type RefusedField = Pick<FieldError, 'field' | 'code'> & { readonly texts: Texts }
type Texts = Readonly<Record<Language, string>>

/** A text that crossed threads as its translations. */
const textOf =
  (texts: Texts): Text =>
  (say) =>
    texts[say === messages.pt ? 'pt' : 'en']
