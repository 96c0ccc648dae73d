import type { Draft } from '../../kernel/draft.ts'
import type { ReceivedPixId, SuspenseId } from '../../shared/ids.ts'

/** What holds the money of this PIX already: a payment, or money in suspense that was not assigned to one. Null for new money. */
export const knownPix = (draft: Draft, endToEndId: string): ReceivedPixId | SuspenseId | null => {
  const [received] = draft.lookup('received', endToEndId)
  if (received !== undefined) return received.id
  const [suspense] = draft.lookup('suspense', endToEndId)
  // It may be assigned by this very command.
  return suspense === undefined || draft.find('suspense', suspense.id)!.status === 'ASSIGNED'
    ? null
    : suspense.id
}
