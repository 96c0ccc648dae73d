import type { ProblemCode } from './catalogue.ts'
import type { Language } from './language.ts'
import { messages } from './messages/messages.ts'
import type { Text } from './messages/text.ts'
import type { FieldErrorCode } from './problem.ts'

/** The reason: in each language where people can cause it, in English where only an operator can. */
type Why = Text | string

/** Why an operation was refused, in words; the code is the same as in the API's problems. The error's own message is the English one. */
export const OperationRefusal = class extends Error {
  readonly code: ProblemCode
  readonly texts: Readonly<Record<Language, string>>
  readonly extra: Readonly<Record<string, unknown>>

  constructor(why: Why, code: ProblemCode = 'INVALID_STATE', extra: Readonly<Record<string, unknown>> = {}) {
    const texts = inEachLanguage(why)
    super(texts.en)
    this.code = code
    this.texts = texts
    this.extra = extra
  }
}

const inEachLanguage = (why: Why): Readonly<Record<Language, string>> =>
  typeof why === 'string' ? { en: why, pt: why } : { en: why(messages.en), pt: why(messages.pt) }

/** Throws a refusal: it cannot be done in the current state. */
export function refuse(why: Why): never {
  throw new OperationRefusal(why)
}

/** Throws a refusal: the input cannot be read. */
export function refuseInvalid(why: Why): never {
  throw new OperationRefusal(why, 'VALIDATION_ERROR')
}

/** Throws a refusal: a field of the input is wrong. */
export function refuseField(field: string, code: FieldErrorCode, why: Why): never {
  throw new OperationRefusal(why, 'VALIDATION_ERROR', {
    errors: [{ field, code, texts: inEachLanguage(why) }],
  })
}

/** Throws a refusal: a field is left out that must be there. */
export const missing = (field: string): never => refuseField(field, 'REQUIRED', (say) => say.required(field))

/** Throws a refusal: a field has the wrong type; `wanted` says in a phrase what it must be. */
export const mistyped = (field: string, wanted: Text): never =>
  refuseField(field, 'INVALID_TYPE', (say) => say.mustBe(field, wanted(say)))

/** Throws a refusal: a field cannot be read; `wanted` says in a phrase what it must be. */
export const misread = (field: string, wanted: Text): never =>
  refuseField(field, 'INVALID_FORMAT', (say) => say.mustBe(field, wanted(say)))

/** Throws a refusal: what the input names does not exist. The resource is its name in the API. */
export function absent(message: string, resource?: string): never {
  throw new OperationRefusal(message, 'NOT_FOUND', resource === undefined ? {} : { resource })
}

/** Throws a refusal by its code, whose general cause says it all. */
export function refuseAs(code: ProblemCode, extra: Readonly<Record<string, unknown>> = {}): never {
  throw new OperationRefusal(code, code, extra)
}
