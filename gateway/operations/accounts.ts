// What operators and the dashboard change outside of the shards: companies, people, keys, webhooks. The main
// thread performs these operations, one function each, for routes and for the command line alike.
import type { Company } from '../../engine/companies/company.ts'
import type { Commit, Directory } from '../../engine/companies/directory.ts'
import type { Profile } from '../../engine/ledger/account.ts'
import { cardLimitNames } from '../../engine/shared/card-limits.ts'
import { accountIdOf, type CompanyId, type Environment } from '../../engine/shared/ids.ts'
import { byOperator } from '../../engine/shared/initiator.ts'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import type { Router } from '../link/router.ts'

/**
 * Opens the accounts of companies in their shards. Each company has one account per environment, which holds the company's
 * profile. A shard may be recovering, have no owner for a while, or be on another node.
 */
export type Accounts = {
  /**
   * Resolves to true once the company's accounts are open and hold its newest profile, or to false after some seconds; they will
   * follow anyway.
   */
  readonly open: (id: CompanyId) => Promise<boolean>
  /** Starts a background job that opens accounts which an earlier start or another node left unopened. */
  readonly openMissing: () => void
}

/** Which profile the accounts hold is a fact of the directory, so that no start has to ask every shard. */
export const openAccounts = (options: {
  readonly directory: Directory
  readonly router: Pick<Router, 'execute'>
  readonly commit: Commit
  readonly realNow: () => number
  readonly onTrouble: (error: unknown, company: Company) => void
  readonly pause?: (ms: number) => Promise<void>
}): Accounts => {
  const { directory, router, commit, pause = delay } = options
  const opening = new Map<CompanyId, Promise<true>>()

  const isOpen = ({ id, revision }: Company): boolean => (directory.opened.get(id) ?? 0) >= revision

  const openUntilDone = async (id: CompanyId): Promise<true> => {
    for (;;) {
      const company = directory.companies.get(id)!
      if (isOpen(company)) break
      try {
        await tellAccounts(company, router)
        const { revision } = company
        await commit(() => (isOpen(company) ? null : { type: 'AccountsOpened', companyId: id, revision }))
      } catch (error) {
        options.onTrouble(error, company)
        await pause(bounds.accountsRetryMs)
      }
    }
    opening.delete(id)
    return true
  }

  const openOnce = (id: CompanyId): Promise<true> => {
    const running = opening.get(id)
    if (running !== undefined) return running
    if (isOpen(directory.companies.get(id)!)) return Promise.resolve(true)
    const begun = openUntilDone(id)
    opening.set(id, begun)
    return begun
  }

  const openThoseOf = (changedUntilMs: number): void => {
    for (const company of directory.companies.values())
      if (!isOpen(company) && company.updatedAtMs <= changedUntilMs) void openOnce(company.id)
  }

  const openFromTimeToTime = async (): Promise<void> => {
    for (;;) {
      await pause(bounds.accountsCheckMs)
      openThoseOf(options.realNow() - bounds.accountsCheckMs)
    }
  }

  return {
    open: (id) => Promise.race([openOnce(id), pause(bounds.accountsWaitMs).then(() => false)]),
    openMissing: () => {
      openThoseOf(Number.POSITIVE_INFINITY)
      void openFromTimeToTime()
    },
  }
}

/** Opens the company's accounts, or updates the profile of those that are open. */
const tellAccounts = async (company: Company, router: Pick<Router, 'execute'>): Promise<void> => {
  for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
    const accountId = accountIdOf(company.id, environment)
    await router.execute({
      type: 'OpenAccount',
      accountId,
      by: byOperator,
      profile: profileOf(company, environment),
    })
  }
}

/** The company profile that an account holds. */
export const profileOf = (
  {
    id: companyId,
    name,
    city,
    address,
    timeZone,
    fees,
    companyType,
    checkout,
    forgetPayersAfterYears,
    revision,
  }: Company,
  environment: Environment,
): Profile => ({
  companyId,
  environment,
  name,
  city,
  address,
  timeZone,
  fees,
  companyType,
  ...(cardLimitNames.some((name) => checkout.cardLimits[name] !== null) && {
    cardLimits: checkout.cardLimits,
  }),
  ...(forgetPayersAfterYears !== null && { registersPayers: false }),
  revision,
})
