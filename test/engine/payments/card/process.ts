import { openShard, providerRequestsOf, replay } from '../../../../engine/engine.ts'
import type { Journal } from '../../../../engine/kernel/ports.ts'
import type { FlushedEntry } from '../../../../engine/kernel/step.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../../engine/payments/provider.ts'
import type { RecordAnswer } from '../../../../engine/payments/transaction/commands.ts'
import type { Transaction } from '../../../../engine/payments/transaction/transaction.ts'
import { entryLayout } from '../../../../persistence/codec/entry.ts'
import type { EntrySource } from '../../../../persistence/journal/journal.ts'
import { openMemory } from '../../../../persistence/shard/memory.ts'
import { emptyStore } from '../../../../persistence/snapshot/store.ts'
import { memoryJournal } from '../../../persistence/journal/memory-journal.ts'
import { connectedTo, opening, seeded } from '../../world.ts'
import { aNo, aYes } from './commands.ts'

/** An acquirer as a real one is: it does what it is asked once for each reference, and says the same again. */
export const newAcquirer = (refuses: (request: ProviderRequest) => boolean = () => false) => {
  const heard = new Map<string, ProviderRequest>()
  const asked: ProviderRequest[] = []
  const hear = (request: ProviderRequest): ProviderAnswer => {
    asked.push(request)
    if (!heard.has(request.reference)) heard.set(request.reference, request)
    return refuses(request)
      ? aNo()
      : { ...aYes, evidence: { ...aYes.evidence, tid: `tid of ${request.reference}` } }
  }
  /** What it really did, once for each reference. */
  const inOrder = (): readonly ProviderRequest[] => [...heard.values()].filter((request) => !refuses(request))
  const done = (operation: ProviderRequest['operation']): readonly ProviderRequest[] =>
    inOrder().filter((request) => request.operation === operation)
  return {
    hear,
    inOrder,
    done,
    count: (operation: ProviderRequest['operation']): number => done(operation).length,
    asked,
    references: () => asked.map(({ reference }) => reference),
  }
}

type FlushableJournal = Journal & EntrySource & { readonly flush: () => void }

export type Process = ReturnType<typeof open>

/** A shard over a journal, with the calls that it wants made: the test makes them, or does not. */
const open = (journal: FlushableJournal, clock: { nowMs: number }) => {
  const memory = openMemory(emptyStore(), journal)
  const calls: ProviderRequest[] = []
  for (const _ of replay(memory, journal, 0));
  const shard = openShard({
    number: 0,
    journal,
    memory,
    realNow: () => clock.nowMs,
    stopwatch: () => clock.nowMs,
    entropy: seeded(journal.appended() + 1),
    institution: connectedTo('CARD'),
    pause: async () => undefined,
    onDue: () => undefined,
    onFlushed: (entry: FlushedEntry) => {
      calls.push(...(providerRequestsOf(entry) as ProviderRequest[]))
    },
  })
  calls.push(...(shard.unansweredCalls() as ProviderRequest[]))
  return {
    shard,
    memory,
    journal,
    calls,
    transaction: (id: string): Transaction => memory.find('transaction', id)!.state,
    /** Tells, and flushes so that whatever is decided at once is answered. */
    told: async (command: Parameters<typeof shard.execute>[0]) => {
      const reply = shard.execute(command)
      journal.flush()
      return reply
    },
    now: () => clock.nowMs,
    pass: (ms: number) => {
      clock.nowMs += ms
    },
    /** The process dies here: what is not flushed is lost, and a new one opens what is left. */
    crash: () => {
      const left = memoryJournal(entryLayout)
      for (const { record } of journal.replay(0)) left.append(record)
      left.flush()
      return open(left, clock)
    },
  }
}

export const newProcess = async () => {
  const process = open(memoryJournal(entryLayout), { nowMs: Date.UTC(2026, 10, 20, 12) })
  await process.told(opening)
  return process
}

export const answerTo = (
  request: Pick<ProviderRequest, 'accountId' | 'transactionId' | 'reference'>,
  answer: ProviderAnswer,
): RecordAnswer => ({
  type: 'RecordAnswer',
  accountId: request.accountId,
  by: { kind: 'PROVIDER', id: null },
  transactionId: request.transactionId,
  callId: request.reference,
  answer,
})
