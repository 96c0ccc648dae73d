import type { Request } from '../../kernel/command.ts'
import type { Listed, Paging, Question } from '../../kernel/query.ts'
import type { Standing } from '../../people/standing.ts'
import type { SuspenseId, TransactionId } from '../../shared/ids.ts'
import type { ProviderAnswer } from '../provider.ts'
import type { Suspense, UnmatchedPix } from './suspense.ts'

declare module '../../kernel/registry.ts' {
  interface FolderCommands {
    readonly suspense: SuspenseCommand
  }
  interface FolderQueries {
    readonly suspense: SuspenseQuery
  }
  interface Answers {
    readonly ListSuspense: Listed<Suspense>
    readonly FindSuspense: Suspense | null
  }
}

export type SuspenseCommand =
  | ReceiveUnmatchedPix
  | AssignSuspense
  | ReturnSuspense
  | RepeatSuspenseReturn
  | RecordSuspenseReturn
  | WriteOffSuspense

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

/** The money goes back to its payer, by the connection that it came by. A return that failed may be requested once more. */
export type ReturnSuspense = Request<'ReturnSuspense'> & { readonly suspenseId: SuspenseId }

/** A return is asked for once more: by the same id while the bank has not decided, and by another one after it refused. */
export type RepeatSuspenseReturn = Request<'RepeatSuspenseReturn'> & { readonly suspenseId: SuspenseId }

/** The bank's answer to a return. */
export type RecordSuspenseReturn = Request<'RecordSuspenseReturn'> & {
  readonly suspenseId: SuspenseId
  readonly callId: string
  readonly answer: ProviderAnswer
}

/** The money is not at the bank any more, whatever the books say. It takes two: the second one does it, a person or the operator. */
export type WriteOffSuspense = Request<'WriteOffSuspense'> & {
  readonly suspenseId: SuspenseId
  readonly reason: string
  /** Since when the person may approve; null for who is none. */
  readonly standing: Standing | null
}

export type SuspenseQuery = ListSuspense | FindSuspense

export type FindSuspense = Question<'FindSuspense'> & { readonly suspenseId: SuspenseId }

/** Lists money in suspense, and what became of it, newest first. */
export type ListSuspense = Question<'ListSuspense'> &
  Paging & { readonly statuses: readonly Suspense['status'][] }
