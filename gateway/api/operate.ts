import type { Asked, Operate, OperationOutcome } from '../identity/asked.ts'
import type { Language } from '../problems/language.ts'
import { messages } from '../problems/messages/messages.ts'
import type { Text } from '../problems/messages/text.ts'
import { type FieldError, invalid, notFound, type Problem, problem } from '../problems/problem.ts'

/** The worker's side of what only the main thread does. */
export const openOperate = (
  send: (number: number, asked: Asked) => void,
): {
  readonly operate: Operate
  /** Takes the outcome of what was asked under a number. */
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

/** A text that has crossed threads in each language. */
const textOf =
  (texts: Texts): Text =>
  (say) =>
    texts[say === messages.pt ? 'pt' : 'en']
