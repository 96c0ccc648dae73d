import type { Request } from '../../kernel/command.ts'
import type { Listed, Paging, Question } from '../../kernel/query.ts'
import type { SuspenseId, TransactionId } from '../../shared/ids.ts'
import type { Suspense, UnmatchedPix } from './suspense.ts'

declare module '../../kernel/registry.ts' {
  interface FolderCommands {
    readonly suspense: SuspenseCommand
  }
  interface FolderQueries {
    readonly suspense: ListSuspense
  }
  interface Answers {
    readonly ListSuspense: Listed<Suspense>
  }
}

export type SuspenseCommand = ReceiveUnmatchedPix | AssignSuspense | WriteOffSuspense

/** A bank has taken money for the account that belongs to nothing here. The same money counts once. */
export type ReceiveUnmatchedPix = Request<'ReceiveUnmatchedPix'> &
  Omit<UnmatchedPix, 'accountId'> & { readonly suspenseId: SuspenseId }

/** The money pays this charge, as if it had come for it; a charge that cannot take it sends it back. Without one it is a deposit. */
export type AssignSuspense = Request<'AssignSuspense'> & {
  readonly suspenseId: SuspenseId
  readonly chargeId: TransactionId | null
  /** The id of the deposit that it becomes without a charge. */
  readonly depositId: TransactionId
}

/** The money is not at the bank any more, whatever the books say. It takes two people: the second one does it. */
export type WriteOffSuspense = Request<'WriteOffSuspense'> & {
  readonly suspenseId: SuspenseId
  readonly reason: string
}

/** Lists money in suspense, and what became of it, newest first. */
export type ListSuspense = Question<'ListSuspense'> &
  Paging & { readonly statuses: readonly Suspense['status'][] }
