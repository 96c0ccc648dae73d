import type { Delivery } from './delivery.ts'

/** The delivery that sends this one again, among those that tell of the same object. */
export const openResendOf = ({ id }: Delivery, siblings: readonly Delivery[]): Delivery | undefined =>
  siblings.find((sibling) => sibling.resendOf === id && !isFinished(sibling))

export const isFinished = (delivery: Delivery): boolean =>
  delivery.status !== 'PENDING' && delivery.status !== 'RETRYING'
