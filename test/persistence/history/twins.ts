import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openShard, providerRequestsOf, replay } from '../../../engine/engine.ts'
import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import type { Journal } from '../../../engine/kernel/ports.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import type { Shard } from '../../../engine/kernel/shard.ts'
import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import type { AccountId } from '../../../engine/shared/ids.ts'
import { recordOf } from '../../../gateway/providers/driver.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { flushedUpTo, openJournal, type StoredJournal } from '../../../persistence/journal/journal.ts'
import { type MemoryOptions, openMemory, type StoredMemory } from '../../../persistence/shard/memory.ts'
import type { RunningShard } from '../../../persistence/shard/running-shard.ts'
import { saveSnapshot } from '../../../persistence/shard/save-snapshot.ts'
import { emptyStore, openStore, type Store } from '../../../persistence/snapshot/store.ts'
import { askSandboxAny, institution, seeded } from '../../engine/world.ts'
import { memoryJournal } from '../journal/memory-journal.ts'
import { differenceOf } from './difference.ts'

/** What happens in one moment: a command, a look at what is due (see `Shard.tick`), or at what is due for one account. */
export type Turn =
  | Command
  | { readonly type: 'TICK' }
  | { readonly type: 'LOOK'; readonly accountId: AccountId }

/** Small enough for columns to leave memory all the time; where nothing leaves, it means nothing. */
const cold: MemoryOptions & { readonly memoryBytes: number } = {
  hotStates: 300,
  memoryBytes: 1_500_000,
  // Nearly every key has the hash of another one, most of them of another table.
  keys: { recentMax: 5_000, hashBits: 17 },
}
/** The oracle forgets nothing and reads no disk. */
const whole: MemoryOptions = { hotStates: Number.MAX_SAFE_INTEGER }

/** One of the two shards, as long as it lives. */
type Side = { readonly journal: Journal; readonly memory: StoredMemory; readonly shard: Shard }
type Stored = Side & { readonly path: string; readonly store: Store; readonly run: RunningShard }

/** A turn with what it depends on besides the memory, so that it can be taken again. */
type Taken = {
  readonly number: number
  readonly turn: Turn
  readonly atMs: number
  /** The last entry of it, or before it. */
  end: number
}

/**
 * Two shards that take the same turns: the oracle has everything in memory and never ends; the other has it on disk, little of it in
 * memory, and ends in every way that a process can. Whatever one decides, the other must decide.
 */
export const openTwins = (folder: string, seed: number, onTold: (entry: FlushedEntry) => void) => {
  let nowMs = Date.UTC(2026, 10, 20, 12)
  let turns = 0
  let folders = 0
  /** Ids follow from the turn alone: a turn that a crash has taken back makes the same ones again. */
  let entropy = seeded(0)
  const calls: ProviderCallRequest[] = []
  /** Turns that are not on disk for sure. */
  let taken: Taken[] = []
  const replies = { oracle: new Map<number, unknown>(), stored: new Map<number, unknown>() }

  const shardOn = (
    journal: Journal,
    memory: StoredMemory,
    onFlushed: (entry: FlushedEntry) => void,
  ): Shard => {
    memory.rearm()
    const shard = openShard({
      number: 0,
      journal,
      memory,
      realNow: () => nowMs,
      // No work takes any time: what is done in a turn does not depend on how fast the machine is.
      stopwatch: () => 0,
      entropy: () => entropy(),
      institution,
      pause: async () => undefined,
      onFlushed,
      onDue: () => undefined,
    })
    shard.unansweredCalls()
    return shard
  }

  const hear = (entry: FlushedEntry): void => {
    onTold(entry)
    calls.push(...providerRequestsOf(entry))
  }

  const openStored = (path: string): Stored => {
    const journal = openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })
    const store = openStore(join(path, 'state'), () => seed)
    const sequence = store.sequence()
    if (sequence > 0 && journal.batches.sealAt(sequence) !== store.seal())
      throw new Error(`the snapshot at ${sequence} is not of its journal`)
    const memory = openMemory(store, journal, cold)
    for (const _ of replay(memory, journal, sequence));
    const shard = shardOn(journal, memory, () => undefined)
    return { path, journal, memory, shard, store, run: runOf(journal, memory, store) }
  }

  const newPath = (): string => join(folder, String(++folders))
  const journal = memoryJournal(entryLayout)
  const memory = openMemory(emptyStore(seed + 1), journal, whole)
  let oracle: Side = { journal, memory, shard: shardOn(journal, memory, hear) }
  const firstPath = newPath()
  mkdirSync(firstPath)
  let stored = openStored(firstPath)

  const perform = (name: 'oracle' | 'stored', { shard }: Side, { number, turn }: Taken): void => {
    entropy = seeded(seed + number)
    const keep = (reply: unknown): void => void replies[name].set(number, reply)
    const fail = (error: unknown): void => keep(String(error))
    if (turn.type === 'TICK') keep(shard.tick().map(({ id }) => id))
    else if (turn.type === 'LOOK')
      shard.query({ type: 'FindAccount', accountId: turn.accountId }).then(keep, fail)
    else shard.execute(turn).then(keep, fail)
  }

  const demandSameEnd = (what: string): void => {
    const [expected, found] = [oracle.journal.appended(), stored.journal.appended()]
    if (expected !== found) throw new Error(`${what}: ${found} entries, the oracle has ${expected}`)
    // What is not looked at here shows in what it makes of the actors.
    const isLookedAt = found % 6 === 1
    const difference = isLookedAt ? differenceOf(stored.journal.at(found), oracle.journal.at(found)) : null
    if (difference !== null) throw new Error(`${what}: entry ${found} ${difference}`)
  }

  /** Lets both take a turn. Nothing of it is on disk before `settle`. */
  const take = (turn: Turn): void => {
    const one: Taken = { number: ++turns, turn, atMs: nowMs, end: 0 }
    taken.push(one)
    perform('oracle', oracle, one)
    one.end = journal.appended()
    perform('stored', stored, one)
    demandSameEnd(`turn ${one.number}, ${turn.type}`)
  }

  const flush = async (): Promise<void> => {
    journal.flush()
    await flushedUpTo(stored.journal, stored.journal.appended())
    taken = []
    for (const [number, expected] of replies.oracle) {
      if (!replies.stored.has(number)) continue
      const difference = differenceOf(replies.stored.get(number), expected)
      if (difference !== null) throw new Error(`turn ${number}: its reply ${difference}`)
      replies.oracle.delete(number)
      replies.stored.delete(number)
    }
  }

  /** Brings everything to the disk, and lets providers answer until none is asked any more. */
  const settle = async (): Promise<void> => {
    for (;;) {
      await flush()
      const asked = calls.splice(0)
      if (asked.length === 0) return
      const answers = await Promise.all(asked.map(askSandboxAny))
      for (const [n, request] of asked.entries()) take(recordOf(request, answers[n]!))
    }
  }

  /** Lets an account's clock arrive where it is advancing to, and everything that is due by then happen. */
  const arrive = async (accountId: AccountId): Promise<void> => {
    for (;;) {
      await settle()
      const { state } = memory.find('account', accountId)!
      if (state.advance !== null) take({ type: 'TICK' })
      else if (memory.dueTimer(accountId, nowMs + state.clockOffsetMs) !== undefined)
        take({ type: 'LOOK', accountId })
      else return
    }
  }

  /** The process ends with what it has not brought to the disk, and begins again from the disk. */
  const crash = async (): Promise<void> => {
    const { path, run, store, journal: lost } = stored
    const left = newPath()
    cpSync(path, left, { recursive: true, filter: (name) => !name.endsWith('lock.mdb') })
    stored = openStored(left)
    journal.flush()
    oracle = { ...oracle, shard: shardOn(journal, memory, hear) }
    // Whoever waited for a reply waits no more, and sends again what was not answered.
    replies.stored.clear()
    replies.oracle.clear()
    const onDisk = stored.journal.appended()
    const untilMs = nowMs
    for (const one of taken.filter(({ end }) => end > onDisk)) {
      nowMs = one.atMs
      perform('stored', stored, one)
    }
    nowMs = untilMs
    demandSameEnd('after a crash')
    await run.savingSnapshot?.catch(() => undefined)
    await Promise.all([lost.close(), store.close()])
    rmSync(path, { recursive: true })
    await settle()
  }

  /** Ends in order, with a last snapshot or without, and begins again. */
  const restart = async (saves: boolean): Promise<void> => {
    await settle()
    if (saves) await saveSnapshot(stored.run)
    await Promise.all([stored.journal.close(), stored.store.close()])
    stored = openStored(stored.path)
    oracle = { ...oracle, shard: shardOn(journal, memory, hear) }
    replies.oracle.clear()
    demandSameEnd('after a restart')
  }

  /** Begins a snapshot whose writing ends at the nth of its tables. The process must crash next. */
  const failSnapshot = async (n: number): Promise<void> => {
    const { run, store } = stored
    const failing: Store = {
      ...store,
      write: ({ tableSnapshots, ...changes }, ...rest) => {
        const cut = [...tableSnapshots]
        Object.defineProperty(cut, Math.min(n, cut.length - 1), { get: lostPower })
        return store.write({ ...changes, tableSnapshots: cut }, ...rest)
      },
    }
    const isLost = await saveSnapshot({ ...run, store: failing }).then(
      () => false,
      (error) => error === noPower,
    )
    if (!isLost) throw new Error('the snapshot was to be interrupted')
  }

  return {
    oracle: memory,
    stored: () => stored.memory,
    entries: () => journal.appended(),
    turns: () => turns,
    now: () => nowMs,
    pass: (ms: number): void => {
      nowMs += ms
    },
    take,
    settle,
    arrive,
    crash,
    restart,
    failSnapshot,
    /** Begins a snapshot; turns may be taken until it is written. */
    snapshot: (): Promise<void> => saveSnapshot(stored.run),
    close: async (): Promise<void> => {
      await stored.run.savingSnapshot?.catch(() => undefined)
      await Promise.all([stored.journal.close(), stored.store.close()])
    },
  }
}

export type Twins = ReturnType<typeof openTwins>

/** The part of a running shard that its snapshots need. */
const runOf = (journal: StoredJournal, memory: StoredMemory, store: Store): RunningShard =>
  ({
    memory,
    store,
    space: { trouble: () => null },
    log: { journal, replica: null },
    leading: null,
    isStopped: false,
    savingSnapshot: null,
    get caughtUpTo() {
      return journal.appended()
    },
  }) as unknown as RunningShard

const noPower = new Error('no power')
const lostPower = (): never => {
  throw noPower
}
