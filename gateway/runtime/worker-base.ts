import type { Logger } from 'pino'
import type { Directory } from '../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../engine/companies/evolve.ts'
import type { Entry } from '../../engine/kernel/entry.ts'
import { evolveSessions, newSessions } from '../../engine/people/evolve.ts'
import type { Sessions } from '../../engine/people/session.ts'
import type { Entropy } from '../../engine/shared/ids.ts'
import { entryLayoutWith } from '../../persistence/codec/entry.ts'
import type { Layout } from '../../persistence/codec/layout.ts'
import { connectNats } from '../../persistence/nats/connection.ts'
import { type JetStreamEvents, openEventStream } from '../../persistence/nats/event-stream.ts'
import { openOperate } from '../api/operate.ts'
import { timeout } from '../base/delay.ts'
import { systemEntropy } from '../base/entropy.ts'
import { type Keyring, newKeyring } from '../identity/authenticate.ts'
import { type KeyLog, openKeyLog } from '../identity/key-log.ts'
import { type KeyUsage, newKeyUsage } from '../identity/key-usage.ts'
import { openLog } from '../observability/log.ts'
import type { Tracing } from '../observability/tracing.ts'
import type { Providers } from '../providers/connected.ts'
import { openHttpThread } from '../providers/http/open-http-thread.ts'
import type { ProviderModule } from '../providers/port.ts'
import { openRailConnections, type RailConnections } from '../providers/rail-connections.ts'
import { type Endpoints, newEndpoints } from '../webhooks/endpoints.ts'
import { type PayerKeyRing, payerKeyRing } from './payer-key-ring.ts'
import type { FromWorker, WorkerStart } from './worker-protocol.ts'

/** What all parts of a worker share: its start message, its log, and its copies of the main thread's state. */
export type WorkerBase = {
  readonly start: WorkerStart
  readonly providers: Providers
  /** The connections of accounts, each opened when it is first asked for. */
  readonly rails: RailConnections
  readonly log: Logger
  /** The log for what every worker meets at the same time: only the first worker writes it above debug level. */
  readonly sharedLog: Pick<Logger, 'warn' | 'error'>
  /** Null unless an operator enabled traces. */
  readonly tracing: Tracing | null
  readonly send: (message: FromWorker) => void
  readonly entropy: Entropy
  readonly directory: Directory
  readonly keyring: Keyring
  readonly keyUsage: KeyUsage
  readonly keyLog: KeyLog
  readonly sessions: Sessions
  readonly endpoints: Endpoints
  readonly payerKeys: PayerKeyRing
  /** How entries become bytes, sealed with the keys of payers. */
  readonly entryLayout: Layout<Entry>
  readonly mainThread: ReturnType<typeof openOperate>
  /** The events on NATS; null if they stay in the process. */
  readonly events: JetStreamEvents | null
}

/** Opens what the parts of a worker share. */
export const openWorkerBase = async (
  start: WorkerStart,
  providers: Providers,
  modules: Readonly<Record<string, ProviderModule>>,
  send: (message: FromWorker) => void,
): Promise<WorkerBase> => {
  const { settings, index } = start
  const log = openLog(settings)
  const logDebug = (message: string): void => log.debug(message)
  const sharedLog = index === 0 ? log : { warn: logDebug, error: logDebug }
  const tracing = await openTracingOf(start, log)
  const directory = start.directoryEvents.reduce(evolveDirectory, newDirectory())
  const { nats } = settings
  const payerKeys = payerKeyRing(directory, start.masterKey)
  const http = openHttpThread()
  const rails = openRailConnections({
    ...{ directory, modules, masterKey: Buffer.from(start.masterKey), realNow: Date.now, timeout },
    openHttp: http.openHttp,
    onFault: (error, connectionId) => log.error({ err: error, connectionId }, 'a connection is in trouble'),
  })
  return {
    start,
    providers,
    rails: {
      ...rails,
      close: () => {
        rails.close()
        http.end()
      },
    },
    log,
    sharedLog,
    tracing,
    send,
    entropy: systemEntropy(),
    directory,
    keyring: newKeyring(directory),
    keyUsage: newKeyUsage(),
    keyLog: openKeyLog(settings.keyLogEntries),
    sessions: start.sessionFacts.reduce(evolveSessions, newSessions()),
    endpoints: newEndpoints(directory),
    payerKeys,
    entryLayout: entryLayoutWith(payerKeys),
    mainThread: openOperate((number, asked) => send({ type: 'operate', number, asked })),
    events:
      nats === null || nats.stream === null
        ? null
        : openEventStream(
            (signal, onRefused) => connectNats(nats, `payments-${index}`, signal, onRefused),
            nats.stream,
            sharedLog,
          ),
  }
}

/** OpenTelemetry is loaded only where it is used. */
const openTracingOf = async ({ settings, index }: WorkerStart, log: Logger): Promise<Tracing | null> => {
  if (settings.tracing === null) return null
  const { openTracing } = await import('../observability/tracing.ts')
  return openTracing({
    settings: settings.tracing,
    worker: index,
    node: settings.cluster?.node ?? null,
    onTrouble: (message) => log.warn(`traces cannot be sent: ${message}`),
  })
}
