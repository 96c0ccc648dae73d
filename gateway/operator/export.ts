import type { Handler } from '../../engine/kernel/handler.ts'
import { anyTransaction } from '../../engine/payments/transaction/filters.ts'
import type { ExportedTransactions } from '../../engine/payments/transaction/queries.ts'
import type { TransactionPosition } from '../../engine/payments/transaction/search.ts'
import { auditChanges } from '../../engine/shared/audit.ts'
import { type CalendarDate, readDate } from '../../engine/shared/calendar.ts'
import { accountIdOf } from '../../engine/shared/ids.ts'
import { byOperator } from '../../engine/shared/initiator.ts'
import type { CsvOf } from '../api/route.ts'
import { bounds } from '../base/bounds.ts'
import { operatorAsks } from '../identity/asked.ts'
import { type Input, optionalTextOf, refuseOthers, requiredEnvironmentOf } from '../operations/input.ts'
import { refuseInvalid } from '../problems/refusal.ts'
import { csvHead } from '../resources/payments/transactions-csv.ts'
import { type Audited, askerOf } from '../trail/audit-draft.ts'
import { onlyCompany } from './call-route.ts'
import type { LongOperation } from './long-operations.ts'

/**
 * Exports the transactions of a company as CSV, oldest first, in pieces: the columns of `GET /v1/transactions/export`, as of the
 * first piece, and without a limit on rows.
 */
export const exportOperation =
  ({
    directory,
    router,
    csvOf,
    realNow,
    personal,
  }: Audited & {
    readonly csvOf: CsvOf
    readonly router: Pick<Handler, 'query' | 'execute'>
    readonly realNow: () => number
  }): LongOperation =>
  async (input, { send, caughtUp, signal }) => {
    refuseOthers(input, ['company', 'environment', 'from', 'to'])
    const company = onlyCompany(directory, input)
    const question = {
      ...anyTransaction,
      type: 'ExportTransactions',
      accountId: accountIdOf(company.id, requiredEnvironmentOf(input)),
      from: dateOf(input, 'from'),
      to: dateOf(input, 'to'),
      order: { by: 'createdAt', isDescending: false },
      limit: bounds.exportPieceRows,
    } as const
    const { accountId, from, to } = question
    await router.execute({
      type: 'RecordAudit',
      accountId,
      by: byOperator,
      source: null,
      draft: {
        ...askerOf({ directory, personal }, { ...operatorAsks, operation: 'export' }),
        atMs: realNow(),
        object: { type: 'company', id: company.id },
        changes: auditChanges({}, { from, to }),
        result: 'DONE',
        code: null,
      },
    })
    const pageAfter = (
      asOf: number | null,
      after: TransactionPosition | null,
    ): Promise<ExportedTransactions> => {
      const page = router.query({ ...question, asOf, after })
      // The last one that was begun is not waited for where its reader has left.
      page.catch(() => undefined)
      return page
    }
    let rows = 0
    let total = 0
    let page: Promise<ExportedTransactions> | null = pageAfter(null, null)
    while (page !== null && !signal.aborted) {
      const { packed, next, asOf, total: of }: ExportedTransactions = await page
      const csv = csvOf(packed)
      // The shard reads the next page while the lines of this one are written elsewhere.
      page = next === null ? null : pageAfter(asOf, next)
      total = of ?? total
      const head = rows === 0 ? csvHead() : noBytes
      rows += packed.count
      send({ csv: Buffer.concat([head, await csv]).toString(), done: rows, of: total })
      await caughtUp()
    }
    return { object: 'export', companyId: company.id, rows }
  }

const noBytes = Buffer.alloc(0)

const dateOf = (input: Input, name: string): CalendarDate | null => {
  const text = optionalTextOf(input, name)
  return text === null ? null : (readDate(text) ?? refuseInvalid(`${name} must be a date: YYYY-MM-DD`))
}
