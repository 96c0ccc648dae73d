import type { Question } from '../kernel/query.ts'
import type { Account } from './account.ts'

export type FindAccount = Question<'FindAccount'>
/** The environment clock beside the real one. */
export type AccountNow = { readonly account: Account; readonly nowMs: number; readonly realMs: number }
