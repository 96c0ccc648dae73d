/** Why an operator's request was refused, in words; the code names the kind of mistake. */
export const OperationRefusal = class extends Error {
  readonly code: RefusalCode

  constructor(message: string, code: RefusalCode = 'INVALID_STATE') {
    super(message)
    this.code = code
  }
}

/** The same codes as in the API's problems. */
export type RefusalCode = 'VALIDATION_ERROR' | 'NOT_FOUND' | 'INVALID_STATE' | 'SERVICE_UNAVAILABLE'

/** Throws a refusal: it cannot be done in the current state. */
export function refuse(message: string): never {
  throw new OperationRefusal(message)
}

/** Throws a refusal: the input cannot be read. */
export function refuseInvalid(message: string): never {
  throw new OperationRefusal(message, 'VALIDATION_ERROR')
}

/** Throws a refusal: what the input names does not exist. */
export function absent(message: string): never {
  throw new OperationRefusal(message, 'NOT_FOUND')
}
