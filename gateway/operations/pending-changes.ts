import type { Company, CompanyChanges } from '../../engine/companies/company.ts'
import type { Directory } from '../../engine/companies/directory.ts'
import type { CompanyId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import type { CommitBy } from '../identity/asked.ts'
import type { Accounts } from './accounts.ts'

/**
 * Applies changes of companies that are due: a time zone at midnight, a bank account after a day. Every node
 * checks, and the first one applies the change.
 */
export const openPendingChanges = (options: {
  readonly directory: Directory
  readonly commit: CommitBy
  readonly accounts: Pick<Accounts, 'open'>
  readonly realNow: () => number
  readonly onTrouble: (error: unknown, company: Company) => void
}): { readonly tick: () => Promise<void>; readonly nextInMs: () => number } => {
  const { directory, commit, accounts, realNow } = options

  const changesDue = (id: CompanyId): CompanyChanges => {
    const { pendingTimeZone: zone, pendingBankAccount: account } = directory.companies.get(id)!
    const isDue = (pending: { readonly effectiveAtMs: number } | null): boolean =>
      pending !== null && pending.effectiveAtMs <= realNow()
    return {
      ...(isDue(zone) && { timeZone: zone!.value, pendingTimeZone: null }),
      ...(isDue(account) && { bankAccount: account!.value, pendingBankAccount: null }),
    }
  }

  const areNone = (changes: CompanyChanges): boolean => Object.keys(changes).length === 0

  const put = async (company: Company): Promise<void> => {
    const { id } = company
    try {
      await commit(() => {
        const changes = changesDue(id)
        return areNone(changes) ? null : { type: 'CompanyChanged', id, changes, atMs: realNow() }
      })
      await accounts.open(id)
    } catch (error) {
      options.onTrouble(error, company)
    }
  }

  return {
    tick: async () => {
      for (const company of directory.companies.values())
        if (!areNone(changesDue(company.id))) await put(company)
    },
    nextInMs: () => {
      let nextMs = realNow() + bounds.pendingChangesCheckMs
      for (const { pendingTimeZone, pendingBankAccount } of directory.companies.values())
        for (const pending of [pendingTimeZone, pendingBankAccount])
          if (pending !== null) nextMs = Math.min(nextMs, pending.effectiveAtMs)
      return Math.max(bounds.pendingChangesPauseMs, nextMs - realNow())
    },
  }
}
