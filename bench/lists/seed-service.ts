import { noDetails } from '../../engine/payments/transaction/details.ts'
import { newId } from '../../engine/shared/ids.ts'
import { toCents } from '../../engine/shared/money.ts'
import { openCompanyHost } from '../company-host.ts'
import type { FreshData } from '../service.ts'
import type { SeedRow } from './rows.ts'

/** Lets the only company's shard live through every row, as the Sandbox seeds transactions. */
export const seedService = async (fresh: FreshData, rows: Iterable<SeedRow>): Promise<void> => {
  const host = openCompanyHost(fresh, Date.now)
  const seeds = function* () {
    for (const row of rows)
      yield {
        type: 'SeedTransaction',
        accountId: host.accountId,
        by: { kind: 'SANDBOX', id: null },
        transactionId: newId('txn', Date.now(), host.entropy),
        method: row.method,
        origin: 'API',
        status: row.status,
        currency: 'BRL',
        amountCents: toCents(row.amountCents),
        installments: 1,
        details: { ...noDetails, externalId: row.externalId },
        customer: {
          name: row.customer.name,
          document: row.customer.document,
          documentType: 'CPF',
          email: row.customer.email,
          phone: null,
          address: null,
        },
        createdAtMs: row.createdAtMs,
      } as const
  }
  await host.tellAll(seeds())
  await host.close()
}
