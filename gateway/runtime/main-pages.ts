import { isoInstant } from '../../engine/shared/calendar.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import type { CompanyPages } from '../api/route.ts'
import type { Settings } from '../base/settings.ts'
import { checkoutOriginOf, openPageTokens, pagesOf, tokenizerOriginOf } from '../checkout/page-tokens.ts'
import { mailWayOf } from '../mail/mail-way.ts'
import { pageReports } from '../observability/metrics.ts'
import type { Operations } from '../operations/input.ts'
import { attestOperations } from '../operator/attest-operation.ts'
import type { WorkerPool } from './worker-pool.ts'

/** What the main thread knows of the pages where payers pay: their addresses, and what operators ask of them. */
export type MainPages = {
  readonly pagesOf: (accountId: AccountId) => CompanyPages
  readonly operations: Operations
}

/** Opens it; the port is known later. */
export const openMainPages = (
  settings: Settings,
  masterKey: Buffer,
  port: () => number,
  pool: WorkerPool,
): MainPages => {
  const since = isoInstant(Date.now())
  const origin = (): string => checkoutOriginOf(settings, port())
  return {
    pagesOf: pagesOf(openPageTokens(masterKey), origin, mailWayOf(settings) !== null),
    operations: attestOperations({
      masterKey,
      realNow: Date.now,
      pagesSeen: async () => ({
        origin: origin(),
        tokenizerOrigin: tokenizerOriginOf(settings, port()),
        reports: { since, count: await reportsOf(pool) },
      }),
    }),
  }
}

type Counted = { readonly name: string; readonly values: readonly { readonly value: number }[] }

/** What the workers have counted of reports of violated policies. */
const reportsOf = async (pool: WorkerPool): Promise<number> => {
  const workers = (await pool.ask((ack) => ({ type: 'metrics', ack }))) as readonly (readonly Counted[])[]
  return workers
    .flatMap((metrics) => metrics.find(({ name }) => name === pageReports)?.values ?? [])
    .reduce((sum, { value }) => sum + value, 0)
}
