import { openShard, providerRequestsOf, replay } from '../../../engine/engine.ts'
import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import { ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import { openProviderDriver, type ProviderDriverOptions } from '../../../gateway/providers/driver.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { openMemory } from '../../../persistence/shard/memory.ts'
import { emptyStore } from '../../../persistence/snapshot/store.ts'
import { institution, seeded } from '../../engine/world.ts'
import { memoryJournal } from '../../persistence/journal/memory-journal.ts'
import type { holdTime } from './held-time.ts'

export type LifeOptions = Pick<ProviderDriverOptions, 'onFault' | 'onAlert'> & {
  /** The journal that an earlier life left; null for the first. */
  readonly left: ReturnType<typeof memoryJournal<never>> | null
  readonly seed: number
  readonly time: ReturnType<typeof holdTime>
  readonly nowMs: () => number
  /** The providers of this life, which ask nothing any more once it is dead. */
  readonly providersOf: (isDead: () => boolean) => Pick<ProviderDriverOptions, 'providers' | 'byConnection'>
  /** A call that was under way when the life began, as it is driven; unchanged by default. */
  readonly resumed?: (request: ProviderCallRequest) => ProviderCallRequest
}

/**
 * A life of a service with one shard and the real driver, in held time. It ends by death, or by the loss of its shard, after which its driver may go on
 * asking.
 */
export const beginLife = (options: LifeOptions) => {
  const { left, seed, time, nowMs, providersOf, resumed = (request) => request } = options
  const { onFault, onAlert } = options
  const journal = memoryJournal(entryLayout)
  if (left !== null) for (const { record } of left.replay(0)) journal.append(record)
  journal.flush()
  const memory = openMemory(emptyStore(), journal)
  for (const _ of replay(memory, journal, 0));
  let state: 'LEADS' | 'LOST' | 'DEAD' = 'LEADS'
  const driver = openProviderDriver({
    revealed: (request) => request,
    ...providersOf(() => state === 'DEAD'),
    execute: (command) =>
      state === 'LEADS' ? shard.execute(command) : Promise.reject(new ShardUnavailable('it is elsewhere')),
    later: setImmediate,
    stopwatch: time.now,
    sliceMs: 1,
    wait: () => new Promise(() => undefined),
    timeout: time.timeout,
    answerTimeoutMs: 8_000,
    repeatTimeoutMs: 20_000,
    retryMs: 200,
    onFault,
    ...(onAlert !== undefined && { onAlert }),
  })
  const shard = openShard({
    number: 0,
    journal,
    memory,
    realNow: nowMs,
    stopwatch: time.now,
    entropy: seeded(seed + journal.appended()),
    institution: { ...institution, unreachableSeconds: driver.unreachableSeconds },
    pause: async () => undefined,
    onDue: () => undefined,
    onFlushed: (entry) => {
      for (const request of providerRequestsOf(entry)) driver.drive(request)
    },
  })
  for (const request of shard.unansweredCalls()) driver.drive(resumed(request))
  return {
    journal,
    shard,
    memory,
    execute: (command: Parameters<typeof shard.execute>[0]) =>
      void shard.execute(command).catch(() => undefined),
    end: (as: 'LOST' | 'DEAD') => {
      state = as
    },
  }
}
