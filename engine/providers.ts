import type { ProviderRequest } from './payments/provider.ts'
import type { PayoutRequest } from './payouts/bank.ts'

/** Whatever is asked of somebody outside. */
export type OutsideRequest = ProviderRequest | PayoutRequest

export const isPayout = (request: OutsideRequest): request is PayoutRequest => request.operation === 'PAY_OUT'
