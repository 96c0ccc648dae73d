import { isMainThread, workerData } from 'node:worker_threads'
import { refuseAs } from '../../gateway/admin/refusal.ts'
import { providers } from '../../gateway/providers/index.ts'
import { start } from '../../gateway/runtime/start.ts'
import { startWorker } from '../../gateway/runtime/worker.ts'

/** SEAM (branch people): the service with a second factor that the test knows. */
if (isMainThread) {
  await start(new URL(import.meta.url), {
    confirm: async ({ kind, secondFactor }) => {
      if (kind === 'OPERATOR') return
      if (secondFactor === null) refuseAs('SECOND_FACTOR_REQUIRED', { methods: ['totp'] })
      if (secondFactor !== 'totp 314159') refuseAs('SECOND_FACTOR_INVALID')
    },
  })
} else await startWorker(workerData, providers)
