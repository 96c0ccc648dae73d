import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { PackedStates } from '../../engine/kernel/ports.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { unpackStates } from '../../persistence/shard/packed-states.ts'
import { type CsvForm, cellsOf, rfc4180 } from '../resources/csv-format.ts'
import { csvRows } from '../resources/payments/transactions-csv.ts'

/** The thread of `openCsvThread`: one piece after the other. */

// Linux lowers the priority of this thread alone: requests go first if there are fewer cores than threads.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

parentPort!.on('message', ({ packed, form }: { packed: PackedStates; form?: CsvForm }) => {
  const csv = csvRows(
    unpackStates<Transaction>('transaction', packed),
    form === undefined ? rfc4180 : cellsOf(form),
  )
  parentPort!.postMessage(csv, [csv.buffer])
})
