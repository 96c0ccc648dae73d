import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { isoInstant, readInstant } from '../../../../engine/shared/calendar.ts'
import type { CommandContext } from '../command.ts'
import { print } from '../output/print.ts'
import { openProgressLine, type Progress, progressText } from '../output/progress-line.ts'
import { CommandFailure } from '../service.ts'
import { masterKeyNeeded } from './backup.ts'

/** Builds a data directory from backups. Rejects when that cannot be done, or the signal aborts it. */
export type Restore = (
  request: {
    readonly path: string
    readonly from: readonly string[]
    readonly until:
      | { readonly kind: 'END' }
      | { readonly kind: 'TIME'; readonly atMs: number }
      | { readonly kind: 'SEQUENCES'; readonly entries: ReadonlyMap<number, number> }
    readonly verify: boolean
  },
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
) => Promise<{
  readonly path: string
  readonly from: readonly string[]
  readonly pointMs: number
  readonly shards: readonly { readonly entries: number; readonly lastMs: number | null }[]
  readonly transactions: number | null
  readonly problems: readonly string[] | null
  readonly bytes: number
  readonly masterKey: boolean
  readonly connections: readonly {
    readonly id: string
    readonly companyId: string
    readonly provider: string
    readonly state: string
    readonly suspension: string | null
  }[]
}>

type Given = {
  readonly from: readonly string[]
  readonly toTime?: number
  readonly toSequence?: ReadonlyMap<number, number>
  readonly verify: boolean
}

/** `payments restore DIR --from BACKUP…`. */
export const addRestoreCommand = (
  program: Command,
  { isJson }: Pick<CommandContext, 'isJson'>,
  restore: Restore,
): void => {
  program
    .command('restore')
    .argument('<DIR>', 'data directory that is made: absent or empty')
    .description(
      'make a data directory from a full backup and increments, up to their end or to a point before, and verify it',
    )
    .requiredOption('--from <BACKUP...>', 'a full backup and its increments, in any order')
    .option('--to-time <INSTANT>', 'leave out what was decided later: 2026-11-23T14:05:00-03:00', readTime)
    .option(
      '--to-sequence <SHARD=ENTRY>',
      'leave out what comes after this entry of a shard; other shards go to their end (repeatable)',
      readSequence,
    )
    .option('--no-verify', 'do not replay and compare what was restored')
    .action(async (path: string, { from, toTime, toSequence, verify }: Given) => {
      if (toTime !== undefined && toSequence !== undefined)
        throw new CommandFailure('name a time or sequences, and not both')
      const line = openProgressLine(!isJson())
      const leaving = new AbortController()
      const leave = (): void => leaving.abort()
      for (const signal of endings) process.once(signal, leave)
      try {
        const until =
          toTime !== undefined
            ? ({ kind: 'TIME', atMs: toTime } as const)
            : toSequence !== undefined
              ? ({ kind: 'SEQUENCES', entries: toSequence } as const)
              : ({ kind: 'END' } as const)
        const restored = await restore(
          { path: resolve(path), from: from.map((backup) => resolve(backup)), until, verify },
          (progress) => line.show(progressText(progress)),
          leaving.signal,
        ).finally(line.end)
        print(viewOf(restored), isJson())
        if (!restored.masterKey && !isJson())
          console.log(`The master key is not in the backup: ${masterKeyNeeded}.`)
        if (restored.connections.length > 0 && !isJson())
          console.log(
            'Connections have the credentials of then: run payments connections verify for each, and rotate those whose bank has newer ones.',
          )
        if ((restored.problems ?? []).length > 0) process.exitCode = 1
      } catch (error) {
        if (!leaving.signal.aborted) throw error
        console.error('payments: given up; what was written is removed')
        process.exitCode = 130
      } finally {
        for (const signal of endings) process.off(signal, leave)
      }
    })
}

const endings = ['SIGINT', 'SIGTERM'] as const

const viewOf = ({
  path,
  from,
  pointMs,
  shards,
  transactions,
  problems,
  bytes,
  masterKey,
  connections,
}: Awaited<ReturnType<Restore>>) => ({
  object: 'restore',
  path,
  from,
  pointAt: isoInstant(pointMs),
  entries: shards.reduce((sum, { entries }) => sum + entries, 0),
  transactions,
  bytes,
  masterKey: masterKey ? 'INCLUDED' : 'LEFT_OUT',
  verified: problems !== null,
  problems: problems ?? [],
  connections: connections.map(({ id, companyId, provider, state, suspension }) => ({
    ...{ id, companyId, provider, status: state, suspendedBecause: suspension },
  })),
  shards: shards.map(({ entries, lastMs }, shard) => ({
    shard,
    entries,
    lastAt: lastMs === null ? null : isoInstant(lastMs),
  })),
})

const readTime = (text: string): number => {
  const atMs = readInstant(text)
  if (atMs === null)
    throw new InvalidArgumentError(
      'It must be an ISO 8601 date-time with Z or an offset: 2026-11-23T14:05:00-03:00.',
    )
  return atMs
}

const readSequence = (
  text: string,
  earlier: ReadonlyMap<number, number> = new Map(),
): ReadonlyMap<number, number> => {
  const [, shard, entry] = /^(\d{1,5})=(\d{1,15})$/.exec(text) ?? []
  if (shard === undefined || entry === undefined)
    throw new InvalidArgumentError('It must be a shard and the last entry to keep of it: 3=1200.')
  if (earlier.has(Number(shard))) throw new InvalidArgumentError(`Shard ${shard} is named twice.`)
  return new Map([...earlier, [Number(shard), Number(entry)]])
}
