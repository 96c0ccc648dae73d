import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import type { Journal } from '../../../engine/kernel/ports.ts'
import {
  openReplicatedDirectory,
  type ReplicatedDirectory,
} from '../../../persistence/cluster/directory-log.ts'
import { requireDirectoryStream } from '../../../persistence/cluster/streams.ts'
import { text } from '../../../persistence/codec/layout.ts'
import { setAside } from '../../../persistence/disk/set-aside.ts'
import { openJournal } from '../../../persistence/journal/journal.ts'
import { connectNats } from '../../../persistence/nats/connection.ts'
import { type NatsServers, startNatsServers } from '../../nats/servers.ts'
import { keptLog, natsSettings } from '../../nats/settings.ts'

const cluster = 'c'
export const stream = 'PAY_DIRECTORY_c'
export const pin = (shard: number, node: string): DirectoryFact => ({ type: 'ShardPinned', shard, node })

/** Servers with the log of an empty directory, kept on all of them. */
export const start = async (t: Test, size = 1): Promise<NatsServers> => {
  const servers = await startNatsServers(size)
  t.teardown(servers.stop)
  const connection = await connectNats(natsSettings(servers.url), 'test')
  await requireDirectoryStream(connection, { cluster, replicas: size })
  await connection.close()
  return servers
}

export const newDisk = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'directory-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

export const openText = (path: string): Journal<string> =>
  openJournal<string>(path, text(), { commits: 0, entries: 0, bytes: 0 })

export type Node = {
  readonly directory: ReplicatedDirectory
  readonly facts: DirectoryFact[]
  /** Resolves when so many facts are known. */
  readonly count: (count: number) => Promise<void>
  readonly forks: Error[]
  readonly lines: string[]
}

let nodes = 0

/** A node of its own, or one that starts again on its disk. */
export const openNode = async (
  t: Test,
  url: string,
  path: string,
  open: () => Journal<string> = () => openText(path),
): Promise<Node> => {
  nodes += 1
  const node = `n${nodes}`
  const connection = await connectNats(natsSettings(url), node)
  t.teardown(() => connection.close())
  const forks: Error[] = []
  const log = keptLog()
  let records = 0
  const directory = await openReplicatedDirectory({
    connection,
    cluster,
    node,
    leaseMs: 1000,
    openJournal: open,
    setAside: () => setAside(path),
    newRecordId: () => `${node}-${++records}`,
    log,
    onFork: (error) => forks.push(error),
  })
  t.teardown(directory.close)
  let wake: () => void = () => undefined
  const facts: DirectoryFact[] = []
  facts.push(
    ...directory.follow(async (fact) => {
      facts.push(fact)
      wake()
    }),
  )
  const count = async (count: number): Promise<void> => {
    while (facts.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { directory, facts, count, forks, lines: log.lines }
}
