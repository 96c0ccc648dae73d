import { isMainThread, workerData } from 'node:worker_threads'
import { providers } from '../../gateway/providers/index.ts'
import { modules } from '../../gateway/providers/modules.ts'
import type { ProviderModule } from '../../gateway/providers/port.ts'
import { start } from '../../gateway/runtime/start.ts'
import { startWorker } from '../../gateway/runtime/worker.ts'

/**
 * The service as `gateway/runtime/main.ts` composes it, but with a bank that always says that it works, and is not there: people connect it
 * without a network. It answers no ask, so no money comes of it.
 */
const efi: ProviderModule = {
  ...modules.efi!,
  open: () => ({
    ask: async () => ({ type: 'SILENT' }),
    inquire: async () => ({ type: 'SILENT' }),
    health: async () => ({ works: true, detail: null, certificateEndsAtMs: null }),
    close: () => undefined,
  }),
}
const banked = { ...modules, efi }

await (isMainThread ? start(new URL(import.meta.url), banked) : startWorker(workerData, providers, banked))
