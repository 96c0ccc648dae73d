import type { Delivery } from './delivery.ts'

/** The open delivery that resends this one, among those of the same object. */
export const openResendOf = ({ id }: Delivery, siblings: readonly Delivery[]): Delivery | undefined =>
  siblings.find((sibling) => sibling.resendOf === id && !isFinished(sibling))

/** Whether no further attempt will be made. */
export const isFinished = (delivery: Delivery): boolean =>
  delivery.status !== 'PENDING' && delivery.status !== 'RETRYING'
