import { isMainThread, type Worker, workerData } from 'node:worker_threads'
import { providers } from '../../gateway/providers/index.ts'
import { start } from '../../gateway/runtime/start.ts'
import { startWorker } from '../../gateway/runtime/worker.ts'

/**
 * The service as `gateway/runtime/main.ts` composes it, but which kills itself, once the test has sent it a type: when the next fact of this
 * type about sessions or of the directory is on disk and before anybody acts by it, or when a worker reports this. It is a program of its own,
 * because nobody can kill the real one just then.
 */
if (isMainThread) {
  let deadly: string | null = null
  const look = (...types: readonly (string | undefined)[]): void => {
    if (deadly !== null && types.includes(deadly)) process.kill(process.pid, 'SIGKILL')
  }
  process.on('message', (type: string) => {
    deadly = type
    process.send!('armed')
  })
  process.on('worker', (worker: Worker) => {
    const post = worker.postMessage.bind(worker)
    worker.postMessage = (message: Posted) => {
      look(message.event?.type, ...(message.facts ?? []).map(({ type }) => type))
      post(message)
    }
    worker.on('message', ({ type }: Posted) => look(type))
  })
  await start(new URL(import.meta.url))
} else await startWorker(workerData, providers)

type Typed = { readonly type: string }
type Posted = Typed & { readonly event?: Typed; readonly facts?: readonly Typed[] }
