import type { Answerers } from '../kernel/reader.ts'
import type { FindAccount } from './queries.ts'

/** Answers about the account and its clock. */
export const ledgerAnswers: Answerers<FindAccount> = {
  FindAccount: (_, { account, nowMs, realMs, appended, result }) =>
    result(account === undefined ? null : { account, nowMs, realMs, sequence: appended() }),
}
