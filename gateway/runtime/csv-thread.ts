import { parentPort } from 'node:worker_threads'
import type { PackedStates } from '../../engine/kernel/ports.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { unpackStates } from '../../persistence/packed-states.ts'
import { csvRows } from '../resources/transactions-csv.ts'

/** The thread of `openCsvThread`: one piece after the other. */

parentPort!.on('message', (packed: PackedStates) => {
  const csv = Buffer.from(csvRows(unpackStates<Transaction>('transaction', packed)))
  parentPort!.postMessage(csv, [csv.buffer as ArrayBuffer])
})
