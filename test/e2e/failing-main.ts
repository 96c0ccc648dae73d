import { isMainThread, type Worker, workerData } from 'node:worker_threads'
import { providers } from '../../gateway/providers/index.ts'
import { start } from '../../gateway/runtime/start.ts'
import { startWorker } from '../../gateway/runtime/worker.ts'

/**
 * The service as `gateway/runtime/main.ts` composes it, but whose threads fail when the test says so: it sends this process the number of one.
 * It is a program of its own, because nobody can make a thread of the real one fail.
 */
if (isMainThread) {
  const workers: Worker[] = []
  process.on('worker', (worker: Worker) => workers.push(worker))
  process.on('message', (index: number) => workers[index]!.postMessage({ type: 'fail' }))
  await start(new URL(import.meta.url))
} else {
  const { parentPort } = await import('node:worker_threads')
  parentPort!.on('message', ({ type }: { type: string }) => {
    if (type === 'fail') throw new Error('as the test said')
  })
  await startWorker(workerData, providers)
}
