import type { Question } from '../kernel/query.ts'
import type { Account } from './account.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly ledger: FindAccount
  }
  interface Answers {
    readonly FindAccount: AccountNow | null
  }
}

export type FindAccount = Question<'FindAccount'>

/** The environment clock and the real one, and the last entry of the shard. */
export type AccountNow = {
  readonly account: Account
  readonly nowMs: number
  readonly realMs: number
  readonly sequence: number
}
