import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Test } from 'tap'
import type { DirectoryFact } from '../../../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../../../engine/companies/evolve.ts'
import { ShardMoved } from '../../../../engine/kernel/unavailable.ts'
import type { Transaction } from '../../../../engine/payments/transaction/transaction.ts'
import { accountIdOf } from '../../../../engine/shared/ids.ts'
import { openPipeline, type Pipeline } from '../../../../gateway/api/pipeline.ts'
import { systemEntropy } from '../../../../gateway/base/entropy.ts'
import { newKeyring } from '../../../../gateway/identity/authenticate.ts'
import { newKeyUsage } from '../../../../gateway/identity/key-usage.ts'
import { openPersonalTexts, sealedKeyIn } from '../../../../gateway/identity/personal-texts.ts'
import { newClusterCounters } from '../../../../gateway/link/cluster/counters.ts'
import { openNodeLinks } from '../../../../gateway/link/cluster/node-links.ts'
import { openRemotes } from '../../../../gateway/link/cluster/remote.ts'
import type { WorkerPlace } from '../../../../gateway/link/link.ts'
import { shardOf } from '../../../../gateway/link/router.ts'
import { profileOf } from '../../../../gateway/operations/accounts.ts'
import { openCardTokens } from '../../../../gateway/providers/card-tokens.ts'
import { csvRows } from '../../../../gateway/resources/payments/transactions-csv.ts'
import { routes } from '../../../../gateway/routes/index.ts'
import { openRouter, type ShardRouter, workerOf } from '../../../../gateway/runtime/open-router.ts'
import { ownLog } from '../../../../persistence/cluster/shard-log.ts'
import { entryLayout } from '../../../../persistence/codec/entry.ts'
import { openJournal } from '../../../../persistence/journal/journal.ts'
import { unpackStates } from '../../../../persistence/shard/packed-states.ts'
import { openShardHost, type ShardHost } from '../../../../persistence/shard/shard-host.ts'
import { handlerFrom } from '../../../engine/handler.ts'
import { institution } from '../../../engine/world.ts'
import { noWebhooks } from '../../../persistence/no-webhooks.ts'
import { callWith, newMerchant } from '../../merchant.ts'
import { noPages } from '../../no-pages.ts'
import { connectTo, lostSubject, newClock, subjectOf } from './connections.ts'

const workers = 2
const shards = 4
const entropy = systemEntropy()

/**
 * Nodes of one process, each with two workers, over real connections. The shards are there once: whichever node the test
 * says owns one does its work, and the replicas of the others refuse.
 */
export const startNodes = async (t: Test, url: string, names: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'nodes-'))
  const hosts = Array.from({ length: shards }, (_, number) => openHost(folder, number))
  const owners: (string | null)[] = Array.from({ length: shards }, (_, n) => names[n % names.length]!)
  /** Who a node takes for the owners, where that is something else. It knows what it owns itself. */
  const beliefs = new Map<string, readonly (string | null)[]>()
  const told = { nodes: [] as string[], onEach: (): void => undefined }
  const pauses = { count: 0, onEach: (): void => undefined }
  const nodes = new Map<string, readonly WorkerOfTest[]>()

  const openWorker = async (node: string, index: number, sibling: MessagePort): Promise<WorkerOfTest> => {
    const connection = await connectTo(t, url)
    const directory = newDirectory()
    const keyring = newKeyring(directory)
    const clock = newClock()
    const counters = newClusterCounters()
    const self = { node, worker: index }
    const believedOwner = (shard: number): WorkerPlace | null => {
      const name = (beliefs.get(node) ?? owners)[shard]!
      return name === null ? null : { node: name, worker: workerOf(shard, workers) }
    }
    const links = openNodeLinks({
      bus: connection,
      self,
      subjectOf,
      lostSubject,
      serve: (kind, message, to) => router.serveNode(kind, message, to),
      wait: clock.wait,
      writtenVersion: () => 13,
      counters,
      onTrouble: (message, error) => t.fail(message, { error }),
    })
    let pausedMs = 0
    const remoteOf = openRemotes({
      self,
      ownerOf: believedOwner,
      call: links.call,
      here: (kind, message, to) => router.serveNode(kind, message, to),
      isCutOff: () => false,
      stopwatch: () => pausedMs + clock.now(),
      wait: async (ms) => {
        pausedMs += ms
        pauses.count += 1
        pauses.onEach()
        await new Promise((resolve) => setImmediate(resolve))
      },
      counters,
    })
    const owned = (shard: number): ShardHost => {
      if (owners[shard] !== node) throw new ShardMoved('another node owns the shard')
      told.nodes.push(node)
      told.onEach()
      return hosts[shard]!
    }
    const router: ShardRouter = openRouter({
      self: index,
      workers,
      shards,
      local: {
        host: (shard) =>
          handlerFrom({
            execute: async (command) => owned(shard).execute(command),
            query: async (query) => owned(shard).query(query),
          }),
        serve: (request, from, to) => pipeline.serve(request, from, to),
      },
      siblings: new Map([[1 - index, sibling]]),
      elsewhere: (shard) => (owners[shard] === node ? null : remoteOf(shard)),
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
      csvOf: async (packed) =>
        Buffer.from(csvRows(unpackStates<Transaction>('transaction', packed, entryLayout))),
      personal: openPersonalTexts(randomBytes(32), sealedKeyIn(directory)),
      cardTokens: openCardTokens(randomBytes(32)),
      onAnswered: () => undefined,
    })
    t.teardown(links.close)
    await connection.flush()
    const learn = (event: DirectoryFact): void => {
      evolveDirectory(directory, event)
      keyring.apply(event)
    }
    return { router, pipeline, clock, counters, learn, nodeDied: links.nodeDied }
  }

  for (const node of names) {
    const { port1, port2 } = new MessageChannel()
    nodes.set(node, await Promise.all([openWorker(node, 0, port1), openWorker(node, 1, port2)]))
    t.teardown(() => port1.close())
  }
  t.teardown(async () => {
    for (const host of hosts) await host.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const everyone = [...nodes.values()].flat()
  return {
    owners,
    beliefs,
    /** Which nodes did something, in turn. */
    told,
    /** Of whoever looks for an owner: time does not pass, it jumps. */
    pauses,
    workersOf: (node: string) => nodes.get(node)!,
    everyone,
    /** A company whose shard it says, and a client with its key. The nodes that are left out do not know the key yet. */
    merchant: async (options: { readonly without?: string } = {}) => {
      const { company, key, secret } = newMerchant()
      const learning = [...nodes].filter(([node]) => node !== options.without).flatMap(([, all]) => all)
      for (const { learn } of everyone) learn({ type: 'CompanyCreated', company })
      for (const { learn } of learning) learn({ type: 'KeyCreated', key })
      const accountId = accountIdOf(company.id, 'SANDBOX')
      const profile = profileOf(company, 'SANDBOX')
      const by = { kind: 'OPERATOR', id: null } as const
      const shard = shardOf(accountId, shards)
      await hosts[shard]!.execute({ type: 'OpenAccount', accountId, by, profile })
      return {
        shard,
        key,
        accountId,
        call: (at: WorkerOfTest, verb: string, path: string, body?: object, idempotencyKey?: string) =>
          callWith(secret, at.pipeline, verb, path, body, idempotencyKey),
      }
    },
  }
}

export type WorkerOfTest = {
  readonly router: ShardRouter
  readonly pipeline: Pipeline
  readonly clock: ReturnType<typeof newClock>
  readonly counters: ReturnType<typeof newClusterCounters>
  readonly learn: (event: DirectoryFact) => void
  readonly nodeDied: (node: string) => void
}

const openHost = (folder: string, number: number): ShardHost => {
  const path = join(folder, String(number))
  mkdirSync(path)
  return openShardHost({
    number,
    path,
    realNow: Date.now,
    entropy,
    institution,
    stream: noWebhooks,
    hasSubscribers: () => false,
    render: (event) => ({ body: new Uint8Array(), objectId: event.id }),
    openLog: (path) =>
      ownLog(openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })),
    onProviderCall: () => undefined,
    onDue: () => undefined,
    onTrouble: (message, error) => {
      throw new Error(message, { cause: error })
    },
  })
}
