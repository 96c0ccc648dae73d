import { Worker } from 'node:worker_threads'
import type { PayerKey } from '../../engine/companies/payer-key.ts'
import { promised, type Waiter } from '../../engine/kernel/handler.ts'
import type { CsvOf } from '../api/route.ts'
import { bounds } from '../base/bounds.ts'
import type { PayerKeyRing } from './payer-key-ring.ts'
import type { CsvRequest } from './transactions-csv-thread.ts'

/**
 * Writes CSV in a thread of its own, which begins with the first export and ends some time after the last: reading a million entries
 * and writing as many lines takes seconds, in which the thread that owns the shard has requests to answer.
 */
export const openCsvThread = ({ news }: Pick<PayerKeyRing, 'news'>): CsvOf => {
  let running: CsvThread | null = null
  let ending: NodeJS.Timeout | undefined

  const end = (): void => {
    void running?.worker.terminate()
    running = null
  }

  return (packed, form) => {
    clearTimeout(ending)
    ending = setTimeout(end, bounds.csvThreadIdleMs).unref()
    running ??= startThread(news, () => {
      running = null
    })
    return running.write(packed, form)
  }
}

type CsvThread = { readonly worker: Worker; readonly write: CsvOf }

/** A state lives only until its line is written: with room for thousands, few survive a collection. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 }

const startThread = (news: PayerKeyRing['news'], onGone: () => void): CsvThread => {
  const worker = new Worker(new URL('./transactions-csv-thread.js', import.meta.url), { resourceLimits })
  /** Requests in flight, oldest first; replies come in the same order. */
  const waiting: Waiter<Uint8Array>[] = []
  /** The keys that the thread has. */
  const given = new WeakSet<PayerKey>()
  let trouble: unknown = new Error('the thread that writes CSV has ended')
  worker.unref()
  worker.on('message', (csv: Uint8Array) => {
    if (waiting.length === 1) worker.unref()
    waiting.shift()!.resolve(csv)
  })
  worker.on('error', (error) => {
    trouble = error
  })
  worker.on('exit', () => {
    onGone()
    for (const one of waiting.splice(0)) one.reject(trouble)
  })
  const write: CsvOf = (packed, form): Promise<Uint8Array> =>
    promised((to) => {
      waiting.push(to)
      worker.ref()
      worker.postMessage({ packed, form, keys: news(given) } satisfies CsvRequest, [
        packed.bytes.buffer as ArrayBuffer,
      ])
    })
  return { worker, write }
}
