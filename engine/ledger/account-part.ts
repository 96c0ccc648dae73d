import type { Account, AccountPartFacts, AccountParts } from './account.ts'

/** Members of the account that belong to another folder: how they begin, and what their facts make of them. */
export type AccountPart<Name extends keyof AccountPartFacts = keyof AccountPartFacts> = {
  /** In a new account. */
  readonly opened: Partial<AccountParts>
  /** In an account whose Sandbox was cleared. */
  readonly cleared: (account: Account) => Partial<AccountParts>
  readonly evolve: {
    readonly [Type in AccountPartFacts[Name]['type']]: (
      account: Account,
      event: Extract<AccountPartFacts[Name], { readonly type: Type }>,
    ) => Account
  }
}

/** A part for each folder that has facts of the account. */
export type AccountPartRegistry = {
  readonly [Name in keyof AccountPartFacts]: AccountPart<Name>
}
