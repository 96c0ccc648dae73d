import { join } from 'node:path'
import { accountIdOf, type CompanyId, newId } from '../../engine/ids.ts'
import { toCents } from '../../engine/money.ts'
import { systemEntropy } from '../../gateway/entropy.ts'
import { shardOf } from '../../gateway/router.ts'
import { entryLayout } from '../../persistence/entry-layout.ts'
import { openJournal } from '../../persistence/journal.ts'
import { openShardHost } from '../../persistence/shard-host.ts'
import { inProcessStream } from '../../persistence/stream.ts'
import type { FreshData } from '../service.ts'
import type { SeedRow } from './rows.ts'

const atOnce = 100

/** Lets the only company's shard live through every row, as the Sandbox seeds transactions: the journal is a real one. */
export const seedService = async (fresh: FreshData, rows: Iterable<SeedRow>): Promise<void> => {
  const accountId = accountIdOf(fresh.companies[0]!.id as CompanyId, 'SANDBOX')
  const number = shardOf(accountId, fresh.shards)
  const entropy = systemEntropy()
  const host = openShardHost({
    number,
    path: join(fresh.path, 'shards', String(number).padStart(2, '0')),
    realNow: Date.now,
    entropy,
    institution: {
      ispb: '99999999',
      pixLocation: 'pix.example.com/qr/v2',
      acquirers: { SANDBOX: true, PRODUCTION: false },
      banks: { SANDBOX: true, PRODUCTION: false },
    },
    stream: inProcessStream(),
    isHeard: () => false,
    render: () => ({ body: new Uint8Array(), objectId: '' }),
    openJournal: (path) => openJournal(path, entryLayout, { commits: 0, entries: 0, bytes: 0 }),
    onProviderCall: () => undefined,
    onDeliveries: () => undefined,
    onTrouble: (message, error) => console.error(message, error),
  })
  let telling: Promise<unknown>[] = []
  for (const row of rows) {
    telling.push(
      host.tell({
        type: 'SeedTransaction',
        accountId,
        by: { kind: 'SANDBOX', id: null },
        transactionId: newId('txn', Date.now(), entropy),
        method: row.method,
        origin: 'API',
        status: row.status,
        currency: 'BRL',
        amountCents: toCents(row.amountCents),
        installments: 1,
        description: null,
        reference: null,
        externalId: row.externalId,
        customer: { ...row.customer, documentType: 'CPF', phone: null },
        metadata: {},
        createdAtMs: row.createdAtMs,
      }),
    )
    if (telling.length < atOnce) continue
    await Promise.all(telling)
    telling = []
  }
  await Promise.all(telling)
  await host.close()
}
