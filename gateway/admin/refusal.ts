/** Why an operator does not get what was asked for, in words; a code says which kind of mistake it was. */
export const OperationRefusal = class extends Error {
  readonly code: RefusalCode

  constructor(message: string, code: RefusalCode = 'INVALID_STATE') {
    super(message)
    this.code = code
  }
}

/** The same words as in the API's problems. */
export type RefusalCode = 'VALIDATION_ERROR' | 'NOT_FOUND' | 'INVALID_STATE' | 'SERVICE_UNAVAILABLE'

/** It cannot be done as things are. */
export function refuse(message: string): never {
  throw new OperationRefusal(message)
}

/** The input cannot be read. */
export function invalid(message: string): never {
  throw new OperationRefusal(message, 'VALIDATION_ERROR')
}

/** What the input names is not there. */
export function absent(message: string): never {
  throw new OperationRefusal(message, 'NOT_FOUND')
}
