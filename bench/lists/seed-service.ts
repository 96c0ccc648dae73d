import { noDetails } from '../../engine/payments/transaction/details.ts'
import type { SeedTransaction } from '../../engine/sandbox/commands.ts'
import { type AccountId, newId, type TransactionId } from '../../engine/shared/ids.ts'
import { toCents } from '../../engine/shared/money.ts'
import { openCompanyHost } from '../company-host.ts'
import type { FreshData } from '../service.ts'
import type { SeedRow } from './rows.ts'

/** Lets the only company's shard live through every row, as the Sandbox seeds transactions. */
export const seedService = async (fresh: FreshData, rows: Iterable<SeedRow>): Promise<void> => {
  const { accountId, entropy, tellAll, close } = openCompanyHost(fresh, Date.now)
  const seeds = function* () {
    for (const row of rows) yield seedOf(accountId, row, newId('txn', Date.now(), entropy))
  }
  await tellAll(seeds())
  await close()
}

/** The command that puts a row into the Sandbox. */
export const seedOf = (
  accountId: AccountId,
  row: SeedRow,
  transactionId: TransactionId,
): SeedTransaction => ({
  type: 'SeedTransaction',
  accountId,
  by: { kind: 'SANDBOX', id: null },
  transactionId,
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
})
