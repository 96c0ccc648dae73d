import type { Asked, OperationOutcome } from '../identity/asked.ts'
import { OperationRefusal } from '../problems/refusal.ts'
import type { Operations } from './input.ts'

/** Performs an operation that a worker asks for, for one of its callers. */
export const operateFor = async (
  operations: Operations,
  { operation, input, by }: Asked,
  onFault: (error: unknown) => void,
): Promise<OperationOutcome> => {
  try {
    return { type: 'DONE', answer: await operations[operation]!(input as Record<string, unknown>, by) }
  } catch (error) {
    if (error instanceof OperationRefusal) {
      const { code, message, texts, extra } = error
      return { type: 'REFUSED', code, texts: message === code ? null : texts, extra }
    }
    onFault(error)
    return { type: 'FAILED', message: error instanceof Error ? error.message : String(error) }
  }
}
