import type { AuditedFields } from '../shared/audit.ts'
import type { Account, AccountPartFacts, AccountParts } from './account.ts'

/** Members of the account owned by another folder: their initial values, and how facts change them. */
export type AccountPart<Name extends keyof AccountPartFacts = keyof AccountPartFacts> = {
  /** Initial values in a new account. */
  readonly opened: Partial<AccountParts>
  /** Values after the Sandbox was reset. */
  readonly cleared: (account: Account) => Partial<AccountParts>
  /** The fields of the part that the audit log compares. */
  readonly auditedFields?: (account: Account) => AuditedFields
  readonly evolve: {
    readonly [Type in AccountPartFacts[Name]['type']]: (
      account: Account,
      event: Extract<AccountPartFacts[Name], { readonly type: Type }>,
    ) => Account
  }
}

/** The parts of all folders that have facts of the account. */
export type AccountPartRegistry = {
  readonly [Name in keyof AccountPartFacts]: AccountPart<Name>
}
