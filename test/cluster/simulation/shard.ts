import { bounds } from '../../../persistence/base/bounds.ts'
import { LogBehind, type LogStream } from '../../../persistence/cluster/log-stream.ts'
import type { ReplicaOptions } from '../../../persistence/cluster/open-replica.ts'
import type { Member } from '../../../persistence/cluster/record.ts'
import { openReplica, type Replica } from '../../../persistence/cluster/replica.ts'
import { packBatch } from '../../../persistence/codec/codec.ts'
import { text } from '../../../persistence/codec/layout.ts'
import type { StoreModel } from './store-model.ts'

/**
 * What a node does with a log: registers by key, which are what the entries say, written and read as the shard host does it. It decides
 * on memory, gathers entries while a record is under way, answers what is on the disk, and opens itself again after a failure.
 */
export type SimulatedShard = ReturnType<typeof openSimulatedShard>

export type ShardOptions = Omit<ReplicaOptions, 'store' | 'stream' | 'on'> & {
  /** Fetches what this node lacks of the log from another one, before its store is opened. */
  readonly fetch: (isBehind: boolean) => Promise<void>
  /** Whether the node is to hold a copy at its start. */
  readonly isHeld: boolean
  /** Removes what is on the disk; resolves when that is done. */
  readonly empty: () => Promise<void>
  readonly openStore: () => StoreModel
  readonly openStream: () => LogStream
  readonly opened: (replica: Replica) => void
  readonly acknowledge: (id: string, onDisk: readonly string[]) => void
  readonly forked: (reason: string) => void
  readonly say: (message: string) => void
  /** What no fault of the simulation explains. */
  readonly problem: (message: string) => void
}

export type Reply =
  | { readonly kind: 'DONE'; readonly value: string | null }
  | { readonly kind: 'REFUSED' | 'UNKNOWN' }

/** An entry is `key=id`. */
export const keyOf = (entry: string): string => entry.slice(0, entry.indexOf('='))

export const openSimulatedShard = (options: ShardOptions) => {
  const { monotonicNow, pause, say, problem } = options
  let isHeld = options.isHeld
  let isLeaving = false
  let run = start(false)

  function start(isBehind: boolean) {
    const own = {
      store: null as StoreModel | null,
      replica: null as Replica | null,
      registers: null as Map<string, string> | null,
      isLeaving: false,
      isOver: false,
      gathering: [] as Waiting[],
      committing: [] as readonly Waiting[],
      appended: 0,
      unconfirmedSince: null as number | null,
    }
    if (isHeld) void options.fetch(isBehind).then(() => open(own))
    return own
  }

  function open(own: Run): void {
    const current = (): boolean => run === own
    const store = options.openStore()
    own.store = store
    own.replica = openReplica({
      ...options,
      store,
      stream: options.openStream(),
      on: {
        entries: () => undefined,
        owner: ({ epoch, reason }) => {
          say(`owns epoch ${epoch} by ${reason}`)
          own.registers = new Map(store.entries().map((entry) => [keyOf(entry), entry]))
          own.appended = store.entries().length
        },
        lost: (reason) => {
          say(`owns it no more: ${reason}`)
          own.registers = null
        },
        broken: (error) => {
          if (!(error instanceof LogBehind) && !String(error).includes('no space'))
            problem(`broken by ${error}`)
          if (current()) broke(own, String(error), error instanceof LogBehind)
        },
        forked: (reason) => {
          say(`stops: ${reason}`)
          options.forked(reason)
        },
        trouble: (message, error) => {
          say(`${message}${error === null ? '' : ` (${error})`}`)
          if (
            error !== null &&
            !/timeout|does not answer|no space|store is closed|belongs to|the log ends at/.test(String(error))
          )
            problem(`${message}: ${(error as Error).stack}`)
        },
      },
    })
    options.opened(own.replica)
  }

  type Run = ReturnType<typeof start>

  const broke = (own: Run, why: string, isBehind = false): void => {
    if (own.isOver) return
    own.isOver = true
    own.registers = null
    say(`stops and recovers: ${why}`)
    for (const { reply } of [...own.committing, ...own.gathering.splice(0)]) reply({ kind: 'UNKNOWN' })
    void (async () => {
      await own.replica?.close()
      await pause(bounds.recoverPauseMs)
      run = start(isBehind)
    })()
  }

  const mayAnswer = (own: Run): boolean =>
    own.registers !== null && !own.isLeaving && own.replica?.mayServe() === true

  const commit = async (own: Run): Promise<void> => {
    while (own.gathering.length > 0 && !own.isOver) {
      own.committing = own.gathering.splice(0, 8)
      const { length } = own.committing
      const first = own.committing[0]!.index
      try {
        if (own.registers === null) throw new Error('the log is lost')
        const entries = own.committing.map(({ entry }) => entry)
        await own.replica!.write(first, packBatch(text(), entries), length)
      } catch (error) {
        return broke(own, String(error))
      }
      const done = own.committing
      own.committing = []
      for (const { entry, reply } of done) {
        options.acknowledge(entry, own.store!.entries())
        reply({ kind: 'DONE', value: entry })
      }
    }
  }

  const unflushed = ({ committing, gathering }: Run): readonly Waiting[] => [...committing, ...gathering]

  const write = (own: Run, entry: string, reply: (reply: Reply) => void): void => {
    own.registers!.set(keyOf(entry), entry)
    own.appended += 1
    const isIdle = unflushed(own).length === 0
    own.gathering.push({ index: own.appended, entry, reply })
    if (isIdle) void pause(0).then(() => commit(own))
  }

  /** Waits for what was decided before, as what is read may be no further than memory. */
  const read = (own: Run, key: string, reply: (reply: Reply) => void): void => {
    const value = own.registers!.get(key) ?? null
    const answer = (): void => reply(mayAnswer(own) ? { kind: 'DONE', value } : { kind: 'REFUSED' })
    const last = unflushed(own).at(-1)
    if (last === undefined) {
      answer()
      return
    }
    const { reply: first } = last
    last.reply = (outcome) => {
      first(outcome)
      if (outcome.kind === 'DONE') answer()
      else reply({ kind: 'REFUSED' })
    }
  }

  const guarded = async (reply: (reply: Reply) => void, work: (own: Run) => void): Promise<void> => {
    const own = run
    if (own.replica?.isResting())
      await Promise.race([own.replica.wake().catch(() => undefined), pause(bounds.wakeMs)])
    if (own.isOver || !mayAnswer(own)) reply({ kind: 'REFUSED' })
    else work(own)
  }

  return {
    hold: (): void => {
      if (isHeld || isLeaving) return
      isHeld = true
      run = start(false)
    },
    leave: async (): Promise<void> => {
      const own = run
      if (own.isOver || own.replica === null) return
      say('leaves')
      isHeld = false
      isLeaving = true
      own.isOver = true
      own.registers = null
      for (const { reply } of [...own.committing, ...own.gathering.splice(0)]) reply({ kind: 'UNKNOWN' })
      await own.replica.close()
      await options.empty()
      isLeaving = false
    },
    isHeld: (): boolean => isHeld,
    write: (entry: string, reply: (reply: Reply) => void): void =>
      void guarded(reply, (own) => write(own, entry, reply)),
    read: (key: string, reply: (reply: Reply) => void): void =>
      void guarded(reply, (own) => read(own, key, reply)),
    isLeading: (): boolean => run.registers !== null,
    handOver: async (to: Member): Promise<boolean> => {
      const own = run
      if (own.registers === null || own.isLeaving) return false
      own.isLeaving = true
      try {
        const last = unflushed(own).at(-1)
        if (last !== undefined) {
          const flushed = await new Promise<boolean>((resolve) => {
            const { reply } = last
            last.reply = (outcome) => {
              reply(outcome)
              resolve(outcome.kind === 'DONE')
            }
          })
          if (!flushed) return false
        }
        return await own.replica!.handOver(to)
      } finally {
        own.isLeaving = false
      }
    },
    /** Ends waiting for a quorum that does not come back, as a shard host does. */
    tick: (): void => {
      const own = run
      const { replica } = own
      if (own.registers === null || own.isLeaving || replica?.mayServe() || replica?.isResting()) {
        own.unconfirmedSince = null
        return
      }
      own.unconfirmedSince ??= monotonicNow()
      if (unflushed(own).length > 0 && monotonicNow() - own.unconfirmedSince > bounds.leaseUnconfirmedMs)
        broke(own, 'the log has no quorum')
    },
  }
}

type Waiting = { readonly index: number; readonly entry: string; reply: (reply: Reply) => void }
