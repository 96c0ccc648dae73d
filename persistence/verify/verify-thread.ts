import { parentPort, workerData } from 'node:worker_threads'
import { newProgressReporter } from '../base/progress.ts'
import { type ShardToVerify, verifyShard } from './shard.ts'

/** The thread that checks one shard, and ends (see `in-threads.ts`). */
const port = parentPort!
const reporter = newProgressReporter((stretch) => port.postMessage({ stretch }))
void verifyShard(workerData as ShardToVerify, reporter).then((report) => port.postMessage({ report }))
