import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import type { NatsConnection } from '@nats-io/transport-node'
import { evolveDirectory, newDirectory } from '../../engine/companies/evolve.ts'
import { accountIdOf } from '../../engine/shared/ids.ts'
import { openPipeline } from '../../gateway/api/pipeline.ts'
import { bounds } from '../../gateway/base/bounds.ts'
import { delay } from '../../gateway/base/delay.ts'
import { systemEntropy } from '../../gateway/base/entropy.ts'
import { newKeyring } from '../../gateway/identity/authenticate.ts'
import { newKeyUsage } from '../../gateway/identity/key-usage.ts'
import { openPersonalTexts, sealedKeyIn } from '../../gateway/identity/personal-texts.ts'
import { newClusterCounters } from '../../gateway/link/cluster/counters.ts'
import { servingKnown } from '../../gateway/link/cluster/known-calls.ts'
import { openNodeLinks } from '../../gateway/link/cluster/node-links.ts'
import { openRemotes } from '../../gateway/link/cluster/remote.ts'
import type { WorkerPlace } from '../../gateway/link/link.ts'
import { profileOf } from '../../gateway/operations/accounts.ts'
import { openCardTokens } from '../../gateway/providers/card-tokens.ts'
import { routes } from '../../gateway/routes/index.ts'
import { openRouter, type ShardRouter } from '../../gateway/runtime/open-router.ts'
import { standingHeaders } from '../../gateway/wire/standing-headers.ts'
import { listenWithUws } from '../../gateway/wire/uws.ts'
import { chooseUws } from '../../gateway/wire/uws-builds.ts'
import { callSubject, lostAnswersSubject } from '../../persistence/cluster/names.ts'
import { codecVersion } from '../../persistence/codec/layout.ts'
import { connectNats } from '../../persistence/nats/connection.ts'
import type { newMerchant } from '../../test/gateway/merchant.ts'
import { noPages } from '../../test/gateway/no-pages.ts'
import { openBenchShard } from '../company-host.ts'

/** One thread of a service with one shard: the parts of a worker that a relayed request passes, and none beside them. */
export type ThreadStart = {
  readonly merchant: ReturnType<typeof newMerchant>
  /** Where the shard has its journal; null for a worker that relays. */
  readonly path: string | null
  /** Where it listens; null for a worker that only serves others. */
  readonly port: number | null
  readonly sibling: MessagePort | null
  readonly natsUrl: string | null
  /** Of the whole process: {@link relayCounts}. */
  readonly counts: SharedArrayBuffer
}

/** What a process counts: the requests that it took, and the frames that left its two sides. */
export const relayCounts = ['requests', 'asking', 'answering'] as const

/** Opens a worker, which owns the only shard or relays to the one that does; the returned function counts the messages that it has sent to NATS. */
export const openRelayWorker = async (start: ThreadStart): Promise<() => void> => {
  const { merchant, path, port, sibling, natsUrl } = start
  const counts = new Int32Array(start.counts)
  const frames = path === null ? relayCounts.indexOf('asking') : relayCounts.indexOf('answering')
  const shard = path === null ? null : openShardAt(path)
  const entropy = systemEntropy()
  const directory = newDirectory()
  const keyring = newKeyring(directory)
  for (const event of [
    { type: 'CompanyCreated', company: merchant.company },
    { type: 'KeyCreated', key: merchant.key },
  ] as const) {
    evolveDirectory(directory, event)
    keyring.apply(event)
  }
  // The shard belongs to worker 0 of its node.
  const isRelay = shard === null
  const self: WorkerPlace = { node: isRelay ? 'entry' : 'owner', worker: 0 }
  const owner: WorkerPlace = { node: 'owner', worker: 0 }
  const serveNode: ShardRouter['serveNode'] = (kind, message, to) => router.serveNode(kind, message, to)
  const connection = natsUrl === null ? null : await connectTo(natsUrl)
  const remoteOf = connection === null ? null : remotesOver(connection, self, owner, serveNode)
  const router = openRouter({
    self: sibling !== null && isRelay ? 1 : 0,
    workers: sibling === null ? 1 : 2,
    shards: 1,
    local: {
      host: () => shard!.host,
      serve: (request, from, to) => pipeline.serve(request, from, to),
    },
    siblings:
      sibling === null ? new Map() : new Map([[isRelay ? 0 : 1, countingPosts(sibling, counts, frames)]]),
    ...(remoteOf !== null && { elsewhere: (number: number) => (isRelay ? remoteOf(number) : null) }),
  })
  const pipeline = openPipeline({
    routes,
    router,
    directory,
    keyring,
    keyUsage: newKeyUsage(),
    people: null,
    rateLimit: null,
    exportRateLimit: null,
    realNow: Date.now,
    entropy,
    openPage: () => null,
    pageHosts: new Set(),
    pagesOf: noPages,
    publicUrl: '',
    csvOf: async () => Buffer.alloc(0),
    personal: openPersonalTexts(randomBytes(32), sealedKeyIn(directory)),
    cardTokens: openCardTokens(randomBytes(32)),
    onAnswered: () => undefined,
  })
  if (shard !== null) {
    const accountId = accountIdOf(merchant.company.id, 'SANDBOX')
    const by = { kind: 'OPERATOR', id: null } as const
    const profile = profileOf(merchant.company, 'SANDBOX')
    await shard.host.execute({ type: 'OpenAccount', accountId, by, profile })
  }
  const count = (): void => {
    if (connection !== null) counts[frames] = connection.stats().outMsgs
  }
  if (port === null) return count
  await listenWithUws(chooseUws().build!)({
    host: '127.0.0.1',
    port,
    sharedPort: false,
    keepsConnections: true,
    standing: standingHeaders({ secure: false }),
    handle: (request, to) => {
      counts[relayCounts.indexOf('requests')]! += 1
      pipeline.handle(request, to)
    },
    refuse: (status) => ({ status, headers: {}, body: null }),
    onCut: () => undefined,
    onFault: (error) => console.error(error),
    limits: bounds,
  })
  return count
}

const openShardAt = (path: string) => {
  mkdirSync(join(path, 'shards', '00'), { recursive: true })
  return openBenchShard({ path, shards: 1 }, 0, Date.now)
}

const connectTo = (url: string): Promise<NatsConnection> =>
  connectNats(
    { servers: [url], user: null, password: null, credsFile: null, nkeyFile: null, tls: null },
    'bench',
  )

const remotesOver = (
  connection: NatsConnection,
  self: WorkerPlace,
  owner: WorkerPlace,
  serve: ShardRouter['serveNode'],
) => {
  const counters = newClusterCounters()
  const links = openNodeLinks({
    bus: connection,
    self,
    subjectOf: (place) => callSubject('bench', place.node, place.worker),
    lostSubject: lostAnswersSubject('bench'),
    serve: servingKnown(serve),
    wait: delay,
    writtenVersion: () => codecVersion,
    counters,
    onTrouble: (message, error) => console.error(message, error),
  })
  return openRemotes({
    self,
    ownerOf: () => owner,
    isCutOff: () => false,
    call: links.call,
    here: serve,
    stopwatch: () => performance.now(),
    wait: delay,
    counters,
  })
}

/** A port that counts the messages which leave through it. */
const countingPosts = (port: MessagePort, counts: Int32Array, at: number): MessagePort => {
  const post = port.postMessage.bind(port)
  port.postMessage = (message: unknown, ...rest: never[]): void => {
    counts[at]! += 1
    post(message, ...rest)
  }
  return port
}
