import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { newMerchant } from '../../test/gateway/merchant.ts'
import { openRelayWorker, relayCounts, type ThreadStart } from './open-worker.ts'

/**
 * A process of the relay's bench. Settings: MERCHANT_FILE, THREADS, PORT (of the worker that takes requests), DATA_DIR (of the one that owns the
 * shard), NATS_URL. On SIGUSR2 it prints what it has counted.
 */
const { MERCHANT_FILE, THREADS, PORT, DATA_DIR, NATS_URL } = process.env
const merchant = deserialize(readFileSync(MERCHANT_FILE!)) as ReturnType<typeof newMerchant>
const counts = new SharedArrayBuffer(4 * relayCounts.length)
const port = PORT === '' ? null : Number(PORT)
const start: ThreadStart = {
  merchant,
  path: DATA_DIR || null,
  port,
  sibling: null,
  natsUrl: NATS_URL || null,
  counts,
}

let count = (): void => undefined
if (THREADS === '2') {
  const { port1, port2 } = new MessageChannel()
  await openRelayWorker({ ...start, port: null, sibling: port1 })
  const worker = new Worker(new URL('./worker-thread.js', import.meta.url), {
    workerData: { ...start, path: null, sibling: port2 },
    transferList: [port2],
  })
  worker.on('error', (error) => {
    throw error
  })
} else count = await openRelayWorker(start)

process.on('SIGUSR2', () => {
  count()
  console.log(`counted ${new Int32Array(counts).join(' ')}`)
})
// A worker that only serves others has a journal and a connection, which keep it alive.
console.log('ready')
