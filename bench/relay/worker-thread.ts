import { workerData } from 'node:worker_threads'
import { openRelayWorker, type ThreadStart } from './open-worker.ts'

/** The thread that takes the requests of another thread's shard. */
await openRelayWorker(workerData as ThreadStart)
