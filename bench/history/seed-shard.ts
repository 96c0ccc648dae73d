import { writeFileSync } from 'node:fs'
import { cardOf } from '../../engine/payments/methods/card/card.ts'
import { pixOf } from '../../engine/payments/methods/pix/pix.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import type { SeedTransaction } from '../../engine/sandbox/commands.ts'
import { newId } from '../../engine/shared/ids.ts'
import { openBenchShard } from '../company-host.ts'
import type { SeedRow } from '../lists/rows.ts'
import { seedOf } from '../lists/seed-service.ts'
import { historyRows, years } from './rows.ts'
import type { Sample, Seeded, SliceOfShard } from './slice.ts'

/**
 * Seeds a slice of a shard and writes what it took. The shard's clock follows the rows, so that ids, entries and the
 * statement are as old as they would be.
 */
const slice = JSON.parse(process.argv[2]!) as SliceOfShard
const { accounts, rowsEach, from, to } = slice
/** When the first of them was made, to begin with. */
let nowMs = Math.floor(slice.endMs - years * 365 * 86_400_000 * (1 - from / rowsEach))

/** Of so many rows there is one that was approved for each method. */
const rowsPerSample = 10
const { entropy, tellAll, close } = openBenchShard(slice, slice.shard, () => nowMs)

/** The rows to note begin a year ago, and are spread over two months, or as many rows as it takes. */
const windowRows = Math.max(Math.ceil(rowsEach / 12), rowsPerSample * slice.samples)
const stride = Math.max(1, Math.floor(windowRows / slice.samples))
const nextNoted = { PIX: rowsEach >> 1, CREDIT_CARD: rowsEach >> 1 }
const noted = new Set<string>()
const samples: Sample[] = []

const isNoted = ({ method, status }: SeedRow, n: number): boolean => {
  if (status !== 'APPROVED' || method === 'BOLETO' || n < nextNoted[method]) return false
  nextNoted[method] += stride
  return n < (rowsEach >> 1) + windowRows
}

/** The accounts' rows in turns, which is their order in time. */
const seeds = function* (): Generator<SeedTransaction> {
  const streams = accounts.map(({ accountId, index }) => ({
    accountId,
    index,
    rows: historyRows(index, slice),
  }))
  for (let n = 0; n < to; n++) {
    for (const { accountId, index, rows } of streams) {
      const row = rows.next().value as SeedRow
      if (n < from) continue
      nowMs = Math.max(nowMs, row.createdAtMs)
      const transactionId = newId('txn', nowMs, entropy)
      if (index === 0 && isNoted(row, n)) noted.add(transactionId)
      yield seedOf(accountId, row, transactionId)
    }
  }
}

await tellAll(seeds(), ({ state }) => {
  const transaction = state as Transaction
  const { id, method, details } = transaction
  if (!noted.delete(id)) return
  const key = method === 'PIX' ? pixOf(transaction)!.payment!.endToEndId : cardOf(transaction)!.acquirer!.nsu!
  samples.push({ method: method as Sample['method'], id, externalId: details.externalId!, key })
})
await close()
const { user, system } = process.cpuUsage()
const seeded: Seeded = {
  cpuUs: user + system,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  samples,
}
writeFileSync(slice.resultFile, JSON.stringify(seeded))
