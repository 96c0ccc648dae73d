import type { ProviderOperation, Transaction } from '../../../engine/transaction/transaction.ts'
import { type Problem, unavailable } from '../../http/problem.ts'

/** What an acquirer made of a capture or a void, where it is not what was asked for. */

const isAsked = ({ calls }: Transaction, operation: ProviderOperation): boolean =>
  calls.some((call) => call.operation === operation)

export const isCapturing = (transaction: Transaction): boolean => isAsked(transaction, 'CAPTURE')
export const isVoiding = (transaction: Transaction): boolean => isAsked(transaction, 'VOID')

/** The acquirer is silent. It is asked again until it answers. */
export const unknownOutcome = (what: 'capture' | 'void'): Problem => ({
  ...unavailable,
  detail: `the acquirer has not answered the ${what}: it is asked again; read the payment to see what came of it`,
})

export const captureFailed = (transaction: Transaction): Problem => ({
  status: 422,
  code: 'CAPTURE_FAILED',
  detail: `the acquirer refused the capture (${lastMessage(transaction)}); the payment stays authorized`,
  extra: { failureReason: 'PROVIDER_ERROR' },
})

export const voidRefused = (transaction: Transaction): Problem => ({
  status: 409,
  code: 'INVALID_STATE',
  detail: `the acquirer refused the void (${lastMessage(transaction)})`,
  extra: { currentStatus: transaction.status, allowedStatuses: ['AUTHORIZED'] },
})

const lastMessage = ({ timeline }: Transaction): string =>
  String(timeline.findLast(({ data }) => data.message !== undefined)?.data.message ?? 'no reason given')
