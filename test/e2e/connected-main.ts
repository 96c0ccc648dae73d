import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads'
import type { Rail } from '../../engine/shared/rail.ts'
import type { ConnectedProvider } from '../../gateway/providers/connected.ts'
import { providers } from '../../gateway/providers/index.ts'
import type { Notice, NoticeOutcome } from '../../gateway/providers/notice.ts'
import type { ProviderInstance, ProviderOutcome } from '../../gateway/providers/port.ts'
import { start } from '../../gateway/runtime/start.ts'
import { startWorker } from '../../gateway/runtime/worker.ts'

/**
 * The service as `gateway/runtime/main.ts` composes it, but with simulated connections in Production. It is a program of its own, because no
 * setting of the real one may make money up. The simulated bank says to every worker what the test sends this process.
 */
const spoken = new BroadcastChannel('spoken')
const taken = new BroadcastChannel('taken')

const listen: ProviderInstance['listen'] = (hear) => {
  spoken.onmessage = async ({ data }) => taken.postMessage(await hear(data as Notice))
  return () => spoken.close()
}

/** An acquirer knows the tokens that it gave out, and no others. */
const knowing = ({ instance, ...acquirer }: ConnectedProvider): ConnectedProvider => ({
  ...acquirer,
  instance: {
    ...instance,
    ask: async (ask) =>
      ask.operation === 'AUTHORIZE' && !ask.data.card.token.startsWith('tok_')
        ? unknownToken
        : instance.ask(ask),
  },
})

const unknownToken: ProviderOutcome = {
  type: 'REFUSED',
  refusal: {
    reason: 'PROVIDER_ERROR',
    message: 'no such token',
    network: null,
    provider: null,
    retryOn: 'NONE',
    stepUp: false,
    attempt: null,
  },
}

const listening = ({ instance, ...provider }: ConnectedProvider): ConnectedProvider => ({
  ...provider,
  instance: { ...instance, listen },
})

if (isMainThread) {
  process.on('message', (notice: Notice) => spoken.postMessage(notice))
  taken.onmessage = ({ data }) => process.send!(data as NoticeOutcome)
  await start(new URL(import.meta.url))
} else {
  const rails = process.env.SIMULATED_RAILS!.split(',') as Rail[]
  const connected = rails.map((rail) => {
    const provider = providers.SANDBOX[rail]!
    if (rail === 'PIX') return [rail, listening(provider)]
    return [rail, rail === 'CARD' ? knowing(provider) : provider]
  })
  const card = knowing(providers.SANDBOX.CARD!)
  await startWorker(workerData, {
    SANDBOX: { ...providers.SANDBOX, CARD: card },
    PRODUCTION: Object.fromEntries(connected),
  })
}
