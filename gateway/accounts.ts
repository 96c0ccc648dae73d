import type { Company, Directory, DirectoryEvent } from '../engine/directory/directory.ts'
import { accountIdOf, type CompanyId } from '../engine/ids.ts'
import { delay } from './delay.ts'
import { limits } from './limits.ts'
import type { Router } from './router.ts'

/** Opens the company's account in both environments; opening an open account changes nothing. */
export const openAccounts = async (company: Company, router: Pick<Router, 'tell'>): Promise<true> => {
  for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
    const accountId = accountIdOf(company.id, environment)
    const { name, city, timeZone } = company
    const profile = { companyId: company.id, environment, name, city, timeZone }
    await router.tell({ type: 'OpenAccount', accountId, by: { kind: 'OPERATOR', id: null }, profile })
  }
  return true
}

/** The accounts of a cluster's companies: their shards may have no owner for a while, and are on other nodes. */
export type ClusterAccounts = {
  /** Resolves when the accounts are open, or to false after some seconds: they are opened all the same. */
  readonly open: (company: Company) => Promise<boolean>
  /** Opens in the background, now and from time to time, what another start or node has left undone. */
  readonly openMissing: () => void
}

/** That the accounts of a company are open is a fact of the directory, so that no start has to ask every shard for it. */
export const openClusterAccounts = (options: {
  readonly directory: Directory
  readonly router: Pick<Router, 'tell'>
  readonly commit: (event: DirectoryEvent) => Promise<void>
  readonly realNow: () => number
  readonly onTrouble: (error: unknown, company: Company) => void
  readonly pause?: (ms: number) => Promise<void>
}): ClusterAccounts => {
  const { directory, router, commit, pause = delay } = options
  const opening = new Map<CompanyId, Promise<true>>()

  const openUntilDone = async (company: Company): Promise<true> => {
    while (!directory.opened.has(company.id)) {
      try {
        await openAccounts(company, router)
        await commit({ type: 'AccountsOpened', companyId: company.id })
      } catch (error) {
        options.onTrouble(error, company)
        await pause(limits.accountsRetryMs)
      }
    }
    opening.delete(company.id)
    return true
  }

  const openOnce = (company: Company): Promise<true> => {
    const running = opening.get(company.id) ?? openUntilDone(company)
    opening.set(company.id, running)
    return running
  }

  const openThoseOf = (createdUntilMs: number): void => {
    for (const company of directory.companies.values())
      if (!directory.opened.has(company.id) && company.createdAtMs <= createdUntilMs) void openOnce(company)
  }

  const openFromTimeToTime = async (): Promise<void> => {
    for (;;) {
      await pause(limits.accountsCheckMs)
      openThoseOf(options.realNow() - limits.accountsCheckMs)
    }
  }

  return {
    open: (company) => Promise.race([openOnce(company), pause(limits.accountsWaitMs).then(() => false)]),
    openMissing: () => {
      openThoseOf(Number.POSITIVE_INFINITY)
      void openFromTimeToTime()
    },
  }
}
