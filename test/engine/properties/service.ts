import { isDeepStrictEqual } from 'node:util'
import { applyEntry, openShard, providerRequestsOf, replay } from '../../../engine/engine.ts'
import { publicEventsOf } from '../../../engine/events/events-of-entry.ts'
import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import type { Entry } from '../../../engine/kernel/entry.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import type { Shard } from '../../../engine/kernel/shard.ts'
import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import { ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import { listedKinds } from '../../../engine/registry.ts'
import type { AccountId } from '../../../engine/shared/ids.ts'
import type { AnyAnswer } from '../../../gateway/providers/answers.ts'
import { recordOf } from '../../../gateway/providers/driver.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { openMemory, type StoredMemory } from '../../../persistence/shard/memory.ts'
import { emptyStore } from '../../../persistence/snapshot/store.ts'
import { memoryJournal } from '../../persistence/journal/memory-journal.ts'
import { connectedTo, seeded } from '../world.ts'
import { newRail, type Rail } from './rail.ts'

/**
 * A shard that can crash, over a disk, a clock and providers that the story holds in its hands. Whatever is told waits:
 * for `flush`, and for answers that come when they are let through.
 */
export type Service = {
  readonly rail: Rail
  readonly shard: () => Shard
  readonly memory: () => StoredMemory
  /** Everything that was on disk and told, from the first entry. */
  readonly told: () => readonly FlushedEntry[]
  readonly now: () => number
  readonly pass: (ms: number) => void
  /** Tells a command, and lets it come as far as it does without the disk. */
  readonly tell: (command: Command, onReply: OnReply) => Promise<void>
  readonly drain: () => Promise<void>
  /** Flushes, carries questions to providers and answers back, and lets a clock advance, until nothing moves but what is late. */
  readonly settle: () => Promise<void>
  /** Lets the late answers through that have come so far; answers how many. */
  readonly arrive: (reversed: boolean) => Promise<number>
  /** Replies that have not come. Those that a crash took do not count. */
  readonly owed: () => readonly string[]
  readonly crash: (kept: number) => Promise<void>
  /** The entries on disk. */
  readonly entries: () => readonly Entry[]
  /** What a memory that is folded from the first entry knows otherwise. */
  readonly replayProblems: () => readonly string[]
}

/** Flushes, answers and ticks until nothing moves. */
const roundsMax = 5000

export type OnReply = (reply: Reply) => void

export const openService = (account: AccountId, startMs: number): Service => {
  const rail = newRail()
  const entropy = seeded(1)
  let nowMs = startMs
  /** What the rail knows already: a new life is told everything again. */
  let observed = 0
  let isCleared = false
  let life = start([])

  function start(entries: readonly Entry[]) {
    const journal = memoryJournal(entryLayout)
    for (const entry of entries) journal.append(entry)
    journal.flush()
    const memory = openMemory(emptyStore(), journal)
    const told: FlushedEntry[] = []
    const calls: ProviderCallRequest[] = []
    const late: (readonly [ProviderCallRequest, AnyAnswer])[] = []
    const owed = new Set<Command>()
    /** A clock may be on its way since before the crash. */
    const moving = { mayGoOn: true }
    const hear = (entry: FlushedEntry): void => {
      told.push(entry)
      if (entry.sequence > observed) rail.observe(entry)
      observed = Math.max(observed, entry.sequence)
    }
    for (const entry of replay(memory, journal, 0)) hear(entry)
    const shard = openShard({
      number: 0,
      journal,
      memory,
      realNow: () => nowMs,
      stopwatch: () => nowMs,
      entropy,
      institution: connectedTo('PIX', 'BOLETO', 'CARD', 'CRYPTO'),
      pause: async () => undefined,
      onFlushed: (entry) => {
        hear(entry)
        calls.push(...providerRequestsOf(entry))
      },
      onDue: () => {
        moving.mayGoOn = true
      },
    })
    calls.push(...shard.unansweredCalls())
    return { journal, memory, shard, told, calls, late, owed, moving, faults: [] as unknown[] }
  }

  const follow = (command: Command, onReply: OnReply): void => {
    const { shard, owed, faults } = life
    owed.add(command)
    isCleared ||= command.type === 'ClearSandbox'
    shard.execute(command).then(
      (reply) => {
        owed.delete(command)
        try {
          onReply(reply)
        } catch (error) {
          faults.push(error)
        }
      },
      (error) => {
        owed.delete(command)
        // A Sandbox that is cleared answers nobody who waits for a provider.
        if (!isCleared || !(error instanceof ShardUnavailable)) faults.push(error)
      },
    )
  }

  const isAdvancing = (): boolean => (life.memory.find('account', account)?.state.advance ?? null) !== null

  const drain = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    if (life.faults.length > 0) throw life.faults[0]
  }

  const answer = (request: ProviderCallRequest, answer: AnyAnswer) =>
    follow(recordOf(request, answer), () => undefined)

  const settle = async (): Promise<void> => {
    for (let rounds = 0; rounds < roundsMax; rounds++) {
      await drain()
      if (life.journal.flushed() < life.journal.appended()) {
        life.journal.flush()
        continue
      }
      const request = life.calls.shift()
      if (request === undefined) {
        if (!life.moving.mayGoOn) return
        life.moving.mayGoOn = false
        if (!isAdvancing()) continue
        life.shard.tick()
        life.moving.mayGoOn = life.shard.timerBacklog() === 'NOW'
        continue
      }
      const heard = await rail.ask(request)
      if (heard.when !== 'now') life.late.push([request, heard.answer])
      if (heard.when !== 'later') answer(request, heard.answer)
      if (heard.when === 'thrice') answer(request, heard.answer)
    }
    throw new Error('the service never comes to rest')
  }

  return {
    rail,
    shard: () => life.shard,
    memory: () => life.memory,
    told: () => life.told,
    now: () => nowMs,
    pass: (ms) => {
      nowMs += ms
    },
    tell: (command, onReply) => {
      follow(command, onReply)
      return drain()
    },
    drain,
    settle,
    arrive: async (reversed) => {
      const arriving = life.late.splice(0)
      if (reversed) arriving.reverse()
      for (const [request, heard] of arriving) answer(request, heard)
      await drain()
      return arriving.length
    },
    owed: () => [...life.owed].map(({ type }) => type),
    crash: async (kept) => {
      await drain()
      const { journal, told } = life
      const entries: Entry[] = []
      const last = Math.min(journal.appended(), journal.flushed() + kept)
      for (let sequence = 1; sequence <= last; sequence++) entries.push(journal.at(sequence))
      life = start(entries)
      if (!isDeepStrictEqual(told, life.told.slice(0, told.length)))
        throw new Error('what was told before the crash is told otherwise after it')
    },
    entries: () => [...life.journal.replay(0)].map(({ record }) => record),
    replayProblems: () => {
      const { journal, memory, told } = life
      const replayed = openMemory(emptyStore(), journal)
      const events = [...journal.replay(0)].map(({ sequence, record }) =>
        publicEventsOf(applyEntry(replayed, sequence, record), 0),
      )
      const problems = differences(account, memory, replayed)
      for (const { steps } of told)
        for (const { event } of steps)
          if (event.type === 'TimerParked') problems.push(`${event.id}: ${event.due} was due, and is refused`)
      const heard = told.map((entry) => publicEventsOf(entry, 0))
      return isDeepStrictEqual(events, heard) ? problems : [...problems, 'public events differ']
    },
  }
}

const differences = (account: AccountId, live: StoredMemory, replayed: StoredMemory): string[] => {
  const problems: string[] = []
  const compare = (what: string, a: unknown, b: unknown): void => {
    if (!isDeepStrictEqual(a, b)) problems.push(`replay: ${what} differs`)
  }
  compare('the account', live.find('account', account), replayed.find('account', account))
  for (const kind of listedKinds) {
    const all = { offset: 0, limit: Number.MAX_SAFE_INTEGER }
    const found = live.list(account, kind, all)
    compare(`the list of ${kind}`, found, replayed.list(account, kind, all))
    for (const { id } of found.states) compare(id, live.find(kind, id), replayed.find(kind, id))
  }
  const awaiting = (memory: StoredMemory): string[] => [...memory.awaitingProvider()].sort()
  compare('who is asked', awaiting(live), awaiting(replayed))
  for (const prefix of ['rfd_', 'cbk_', 'med_'])
    compare(`the list of ${prefix}`, live.reversals(account, prefix), replayed.reversals(account, prefix))
  const ever = Number.MAX_SAFE_INTEGER
  compare('the next timer', live.dueTimer(account, ever), replayed.dueTimer(account, ever))
  return problems
}
