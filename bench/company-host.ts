import { join } from 'node:path'
import type { Handler } from '../engine/kernel/handler.ts'
import type { Command } from '../engine/kernel/registry.ts'
import type { Reply } from '../engine/kernel/reply.ts'
import { type AccountId, accountIdOf, type CompanyId, type Entropy } from '../engine/shared/ids.ts'
import { systemEntropy } from '../gateway/base/entropy.ts'
import { readSettings } from '../gateway/base/settings.ts'
import { shardOf } from '../gateway/link/router.ts'
import { namesOf, offersOf, pricesOf, providers } from '../gateway/providers/index.ts'
import { ownLog } from '../persistence/cluster/shard-log.ts'
import { entryLayout } from '../persistence/codec/entry.ts'
import { openJournal } from '../persistence/journal/journal.ts'
import { openShardHost } from '../persistence/shard/shard-host.ts'
import type { FreshData } from './service.ts'
import type { Company } from './target.ts'

/** A shard in this process, with a real journal. */
export type BenchShard = {
  readonly entropy: Entropy
  readonly host: Handler
  /** Tells the shard every command, and resolves once they are on disk. A refusal ends it. */
  readonly tellAll: (commands: Iterable<Command>, onReply?: OnReply) => Promise<void>
  readonly close: () => Promise<void>
}

export type CompanyHost = BenchShard & { readonly accountId: AccountId }

type OnReply = (reply: Accepted, command: Command) => void
type Accepted = Extract<Reply, { readonly accepted: true }>

/** The Sandbox of a company. */
export const sandboxOf = ({ id }: Company): AccountId => accountIdOf(id as CompanyId, 'SANDBOX')

/** The shard of a company. */
export const openCompanyHost = (
  fresh: FreshData,
  realNow: () => number,
  company = fresh.companies[0]!,
): CompanyHost => {
  const accountId = sandboxOf(company)
  return { accountId, ...openBenchShard(fresh, shardOf(accountId, fresh.shards), realNow) }
}

/** So many wait for the disk at most, which keeps batches as small as a busy service's: the journal is read by whole batches. */
const waitingMax = 400
/** Told in one turn of the event loop: the journal begins to write between turns. */
const toldAtOnce = 20

export const openBenchShard = (
  fresh: Pick<FreshData, 'path' | 'shards'>,
  number: number,
  realNow: () => number,
): BenchShard => {
  const entropy = systemEntropy()
  const host = openShardHost({
    number,
    path: join(fresh.path, 'shards', String(number).padStart(2, '0')),
    realNow,
    entropy,
    memoryBytes: (defaultMemoryMb() * 1024 * 1024) / fresh.shards,
    institution: {
      ispb: '99999999',
      pixLocation: 'pix.example.com/qr/v2',
      sendsMail: false,
      hasPages: false,
      providers: namesOf(providers),
      offers: offersOf(providers),
      unreachableSeconds: () => null,
      crypto: {
        toleranceBps: 50,
        confirmations: { TRON: 20, ETHEREUM: 64, POLYGON: 128, BASE: 64, SOLANA: 32 },
        ...pricesOf(providers),
      },
    },
    stream: { publish: async () => undefined },
    hasSubscribers: () => false,
    render: () => ({ body: new Uint8Array(), objectId: '' }),
    openLog: (path) =>
      ownLog(openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })),
    onProviderCall: () => undefined,
    onDue: () => undefined,
    onTrouble: (message, error) => console.error(message, error),
  })

  return {
    entropy,
    host,
    tellAll: (commands, onReply) => tellAll(host, commands, onReply),
    close: host.close,
  }
}

/** As a service has it that no setting changes: history leaves memory while it is made. */
const defaultMemoryMb = (): number => {
  const read = readSettings({})
  if (!read.ok) throw new Error('the settings have defaults')
  return read.settings.memoryMb
}

/**
 * Tells commands as a busy service gets them, so that the shard decides while what it decided before is flushed. By callbacks,
 * because there are millions.
 */
const tellAll = (host: Handler, commands: Iterable<Command>, onReply?: OnReply): Promise<void> =>
  new Promise((resolve, reject) => {
    const iterator = commands[Symbol.iterator]()
    let waiting = 0
    let isOver = false
    let isPlanned = false

    const tellMore = (): void => {
      isPlanned = false
      for (let told = 0; told < toldAtOnce && !isOver; told++) {
        const { value, done } = iterator.next()
        if (done === true) isOver = true
        else tell(value)
      }
      if (isOver && waiting === 0) resolve()
      else if (waiting <= waitingMax - toldAtOnce) plan()
    }
    const plan = (): void => {
      if (!isPlanned && !isOver) setImmediate(tellMore)
      isPlanned = true
    }
    const tell = (command: Command): void => {
      waiting += 1
      host.perform(command, {
        resolve: (reply) => {
          waiting -= 1
          if (!reply.accepted) {
            isOver = true
            reject(new Error(`${command.type} was refused: ${JSON.stringify(reply.rejection)}`))
          } else onReply?.(reply, command)
          if (isOver && waiting === 0) resolve()
          else if (waiting <= waitingMax - toldAtOnce) plan()
        },
        reject,
      })
    }
    plan()
  })
