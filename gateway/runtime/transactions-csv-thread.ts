import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { PackedStates } from '../../engine/kernel/ports.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { assert } from '../../engine/shared/assert.ts'
import { entryLayoutWith } from '../../persistence/codec/entry.ts'
import { unpackStates } from '../../persistence/shard/packed-states.ts'
import { type CsvForm, cellsOf, rfc4180 } from '../resources/csv-format.ts'
import { csvRows } from '../resources/payments/transactions-csv.ts'

/** The thread of `openCsvThread`: one piece after the other. */

// Linux lowers the priority of this thread alone: requests go first if there are fewer cores than threads.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

export type CsvRequest = {
  readonly packed: PackedStates
  readonly form: CsvForm | undefined
  /** Keys of payers that this thread does not have yet, and those that were destroyed since, which are null. */
  readonly keys: ReadonlyMap<number, Uint8Array | null>
}

const known = new Map<number, Uint8Array | null>()
const layout = entryLayoutWith({
  toSeal: () => null,
  toOpen: (number) => {
    const key = known.get(number)
    assert(key !== undefined, `key ${number} of payers came with the entries that it opens`)
    return key
  },
})

parentPort!.on('message', ({ packed, form, keys }: CsvRequest) => {
  for (const [number, key] of keys) known.set(number, key)
  const csv = csvRows(
    unpackStates<Transaction>('transaction', packed, layout),
    form === undefined ? rfc4180 : cellsOf(form),
  )
  parentPort!.postMessage(csv, [csv.buffer])
})
