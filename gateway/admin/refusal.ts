import type { FieldErrorCode } from '../http/problem.ts'
import type { ProblemCode } from '../http/problems/catalogue.ts'

/** Why an operation was refused, in words; the code is the same as in the API's problems. */
export const OperationRefusal = class extends Error {
  readonly code: ProblemCode
  readonly extra: Readonly<Record<string, unknown>>

  constructor(
    message: string,
    code: ProblemCode = 'INVALID_STATE',
    extra: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
    this.code = code
    this.extra = extra
  }
}

/** Throws a refusal: it cannot be done in the current state. */
export function refuse(message: string): never {
  throw new OperationRefusal(message)
}

/** Throws a refusal: the input cannot be read. */
export function refuseInvalid(message: string): never {
  throw new OperationRefusal(message, 'VALIDATION_ERROR')
}

/** Throws a refusal: a field of the input is wrong. */
export function refuseField(field: string, code: FieldErrorCode, message: string): never {
  throw new OperationRefusal(message, 'VALIDATION_ERROR', { errors: [{ field, code, message }] })
}

/** Throws a refusal: what the input names does not exist. The resource is its name in the API. */
export function absent(message: string, resource?: string): never {
  throw new OperationRefusal(message, 'NOT_FOUND', resource === undefined ? {} : { resource })
}

/** Throws a refusal by its code, whose general cause says it all. */
export function refuseAs(code: ProblemCode, extra: Readonly<Record<string, unknown>> = {}): never {
  throw new OperationRefusal(code, code, extra)
}
