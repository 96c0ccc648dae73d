import { join } from 'node:path'
import { type FlushedEntry, providerRequestsOf } from '../engine/apply.ts'
import type { Command } from '../engine/commands.ts'
import type { Institution } from '../engine/context.ts'
import type { Delivery } from '../engine/delivery/delivery.ts'
import type { AccountId, Entropy } from '../engine/ids.ts'
import type { Journal } from '../engine/ports.ts'
import type { OutsideRequest } from '../engine/providers.ts'
import type { PublicEvent } from '../engine/public-events.ts'
import type { Answers, Query } from '../engine/queries.ts'
import { openShard, type Reply, type Shard } from '../engine/shard.ts'
import { ShardUnavailable } from '../engine/unavailable.ts'
import { requireSpace } from './disk-space.ts'
import { limits } from './limits.ts'
import { openMemory } from './memory.ts'
import { type IsHeard, openOutbox } from './outbox.ts'
import { openStore } from './store.ts'
import type { EventStream, StreamMessage } from './stream.ts'

/** A shard with everything that it stands on. It recovers by itself from a journal that could not write. */
export type ShardHost = {
  readonly number: number
  /** Throws `ShardUnavailable` while the shard recovers, or when the outcome of a command is unknown. */
  readonly tell: (command: Command) => Promise<Reply>
  readonly ask: <Asked extends Query>(query: Asked) => Promise<Answers[Asked['type']]>
  /** Fires due timers; answers the deliveries whose attempt is due. */
  readonly tick: () => readonly Delivery[]
  /** Whether a tick has left timers that are due, and that another one would fire now. */
  readonly isBehind: () => boolean
  readonly isServing: () => boolean
  /** How many entries are on disk and not published. */
  readonly outboxLag: () => number
  readonly close: () => Promise<void>
}

export type ShardHostOptions = {
  readonly number: number
  readonly path: string
  readonly realNow: () => number
  readonly entropy: Entropy
  readonly institution: Institution
  /** How many states of cold actors are kept in memory. */
  readonly hotStates?: number
  readonly stream: EventStream
  readonly isHeard: IsHeard
  readonly render: (event: PublicEvent, accountId: AccountId) => Pick<StreamMessage, 'body' | 'objectId'>
  /** Opens the shard's journal: at the start, and again after it failed. */
  readonly openJournal: (path: string) => Journal
  /** The intent to ask a provider or a bank is on disk. */
  readonly onProviderCall: (request: OutsideRequest) => void
  readonly haveAnswersToTell?: () => boolean
  /** New deliveries are on disk. */
  readonly onDeliveries: () => void
  readonly onTrouble: (message: string, error: unknown) => void
}

/** The shard cannot answer now; what it was doing may or may not have reached the disk. */
const unavailable = new ShardUnavailable('the shard is recovering from its journal')

export const openShardHost = (options: ShardHostOptions): ShardHost => {
  let running: Running | null = start(options, recover)
  let closed = false

  function recover(error: unknown): void {
    if (running === null || closed) return
    const broken = running
    running = null
    options.onTrouble(`shard ${options.number} stops and recovers`, error)
    void broken.stop().then(reopen)
  }

  async function reopen(): Promise<void> {
    while (!closed && running === null) {
      await delay(limits.recoverPauseMs)
      try {
        running = start(options, recover)
      } catch (error) {
        options.onTrouble(`shard ${options.number} cannot recover yet`, error)
      }
    }
  }

  const serving = (): Shard => {
    if (running === null) throw unavailable
    return running.shard
  }

  const guarded = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ShardUnavailable) throw error
      recover(error)
      throw unavailable
    }
  }

  return {
    number: options.number,
    tell: (command) => guarded(() => serving().tell(command)),
    ask: (query) => guarded(() => serving().ask(query)),
    tick: () => {
      if (running === null) return []
      try {
        return running.shard.tick()
      } catch (error) {
        recover(error)
        return []
      }
    },
    isBehind: () => running?.shard.isBehind() ?? false,
    isServing: () => running !== null,
    outboxLag: () => running?.outboxLag() ?? 0,
    close: async () => {
      closed = true
      // What is told by now is not told again, and a last snapshot makes the next start quick; a stream that takes nothing
      // must not hold up the end.
      await Promise.race([running?.caughtUp(), delay(limits.lastCheckpointMs)])
      const checkpoint = running?.checkpoint().catch((error) => options.onTrouble('no last snapshot', error))
      await Promise.race([checkpoint, delay(limits.lastCheckpointMs)])
      await running?.stop()
    },
  }
}

type Running = {
  readonly shard: Shard
  readonly caughtUp: () => Promise<void>
  readonly outboxLag: () => number
  readonly checkpoint: () => Promise<void>
  readonly stop: () => Promise<void>
}

const start = (options: ShardHostOptions, onBroken: (error: unknown) => void): Running => {
  requireSpace(options.path, 0)
  const store = openStore(join(options.path, 'state'), options.entropy)
  const journal = options.openJournal(join(options.path, 'journal'))
  const memory = openMemory(store, journal, { hotStates: options.hotStates })
  const outbox = openOutbox({
    shard: options.number,
    stream: options.stream,
    after: store.told,
    until: journal.appended(),
    again: function* (after) {
      for (const { sequence, record } of journal.replay(after))
        yield memory.entryAgain(sequence, record) ?? sequence
    },
    isHeard: options.isHeard,
    render: options.render,
    pause: () => delay(limits.streamPauseMs),
    onError: (error) => options.onTrouble(`shard ${options.number} cannot publish`, error),
  })
  let checkpointing: Promise<void> | null = null
  let recovering = true
  let stopped = false

  const onFlushed = (entry: FlushedEntry): void => {
    if (entry.sequence > store.told) outbox.offer(entry)
    if (entry.steps.some(({ event }) => event.type === 'DeliveryScheduled')) options.onDeliveries()
    // What the journal tells again may have been answered since.
    if (!recovering) for (const request of providerRequestsOf(entry)) options.onProviderCall(request)
    checkpointWhenMany()
  }

  /** Never while the journal is replayed: memory then stands for less than the journal's end. */
  const checkpointWhenMany = (): void => {
    if (!recovering && memory.unsaved() >= limits.unsavedChangesMax) void checkpoint().catch(onBroken)
  }

  const checkpoint = (): Promise<void> => {
    checkpointing ??= writeCheckpoint().finally(() => {
      checkpointing = null
    })
    return checkpointing
  }

  const writeCheckpoint = async (): Promise<void> => {
    const sequence = journal.appended()
    if (sequence === store.sequence() || stopped) return
    const taken = memory.takeCheckpoint(sequence)
    await journal.settled(sequence)
    if (stopped) return
    await store.write(taken, outbox.published())
  }

  const shard = openShard({
    journal,
    memory,
    realNow: options.realNow,
    entropy: options.entropy,
    institution: options.institution,
    pause: async () => {
      await pause()
      // Whoever paused would go on with a memory whose journal is closed.
      if (stopped) throw unavailable
    },
    onFlushed,
    ...(options.haveAnswersToTell && { haveAnswersToTell: options.haveAnswersToTell }),
  })
  shard.recover(store.sequence())
  recovering = false
  for (const request of shard.unansweredCalls()) options.onProviderCall(request)
  checkpointWhenMany()
  const timer = setInterval(() => void checkpoint().catch(onBroken), limits.checkpointIntervalMs)

  return {
    shard,
    caughtUp: outbox.caughtUp,
    outboxLag: outbox.lag,
    checkpoint,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      outbox.stop()
      shard.close()
      await checkpointing?.catch(() => undefined)
      await journal.close().catch(() => undefined)
      await store.close().catch(() => undefined)
    },
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
/** Does not keep a thread alive that has nothing else to do. */
const delay = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())
