import { evolve } from '../actors.ts'
import { providerRequest } from '../payments/provider.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import { payoutRequest } from '../payouts/bank.ts'
import type { SplitTransfer } from '../payouts/transfer.ts'
import type { OutsideRequest } from '../providers.ts'
import { assert } from '../shared/assert.ts'
import type { AccountId } from '../shared/ids.ts'
import type { Traceparent } from '../shared/traceparent.ts'
import type { Entry } from './entry.ts'
import type { Journal, Memory } from './ports.ts'
import type { ActorKind, ActorState, Command, Event } from './registry.ts'

/** A fact with the state that it made: what public events are rendered from. */
export type Step = { readonly event: Event; readonly after: ActorState }

/** An entry of the journal, applied. */
export type FlushedEntry = {
  readonly sequence: number
  readonly accountId: AccountId
  readonly atMs: number
  readonly steps: readonly Step[]
  readonly traceparent?: Traceparent | undefined
}

/** Brings a memory up to the end of a journal, from the sequence that it stands for; hands out each entry as it is applied. */
export const replay = function* (
  memory: Memory,
  journal: Pick<Journal, 'replay'>,
  afterSequence: number,
): Generator<FlushedEntry, void, undefined> {
  for (const { sequence, record } of journal.replay(afterSequence)) yield applyEntry(memory, sequence, record)
}

/** Lets memory know an entry of the journal: with the same result as when it was decided. */
export const applyEntry = (memory: Memory, sequence: number, entry: Entry): FlushedEntry => {
  const steps: Step[] = []
  for (const event of entry.events) {
    const before = stateAfter(steps, event.id) ?? memory.find(event.actor, event.id)?.state
    steps.push({ event, after: evolve(before, event) })
  }
  return keepEntry(memory, sequence, entry, steps)
}

/** Keeps what an entry made, which the journal has by now: memory reads there what it does not hold. */
export const keepEntry = (
  memory: Memory,
  sequence: number,
  { accountId, atMs, idempotency, traceparent }: Entry,
  steps: readonly Step[],
): FlushedEntry => {
  for (const { event } of steps) if (event.type === 'SandboxCleared') memory.clear(event.id, sequence)
  // What several steps made of an actor, the last of them holds.
  const last = new Map(steps.map((step) => [step.event.id as string, step]))
  const keep = (step: Step): void => {
    const { actor, id } = step.event
    if (last.get(id) === step) memory.keep(actor, id, { state: step.after, sequence })
  }
  // Money that arrived comes after the charge that it paid, whose fee its row in memory tells.
  for (const step of steps) if (step.event.actor !== 'received') keep(step)
  for (const step of steps) if (step.event.actor === 'received') keep(step)
  if (idempotency !== undefined) memory.keepReply(accountId, idempotency.key, sequence, atMs)
  return { sequence, accountId, atMs, steps, traceparent }
}

/** The state of an actor after these steps; undefined where they do not touch it. */
export const stateAfter = (steps: readonly Step[], id: string): ActorState | undefined => {
  for (let n = steps.length - 1; n >= 0; n--) if (steps[n]!.event.id === id) return steps[n]!.after
  return undefined
}

/** The actor that an idempotent entry is about: the last one of the kind that the command asks for. */
export const effectOf = ({ events }: Entry, kind: ActorKind): readonly [ActorKind, string] => {
  const fact = events.findLast(({ actor }) => actor === kind) ?? events.findLast(isListed)
  assert(fact !== undefined, 'an idempotent command changes more than the account')
  return [fact.actor, fact.id]
}

const isListed = ({ actor }: Event): boolean => actor !== 'account'

/** The call to a provider that these facts open, for somebody to wait for; null where they open none. */
export const callOpenedBy = (events: readonly Event[]): string | null => {
  for (const event of events) {
    if (event.type === 'ProviderCalled' && event.call.operation !== 'REVERSE') return event.call.id
  }
  return null
}

/** The refund, chargeback or MED that a command came to. A dispute ends refunds, or makes one: who asked decides. */
export const partOf = ({ type }: Command, events: readonly Event[], state: ActorState): string | null =>
  type === 'RequestRefund' || type === 'CancelCardPayment'
    ? refundOf(events, state)
    : (disputeOf(events) ?? refundOf(events, state))

const disputeOf = (events: readonly Event[]): string | null => {
  for (const event of events) {
    if (event.actor !== 'transaction') continue
    if ('chargebackId' in event) return event.chargebackId
    if ('chargeback' in event) return event.chargeback.id
    if ('medId' in event) return event.medId
    if ('med' in event) return event.med.id
  }
  return null
}

const refundOf = (events: readonly Event[], state: ActorState): string | null => {
  for (const event of events) {
    if (event.actor !== 'transaction') continue
    if ('refundId' in event) return event.refundId
    if (event.type === 'ProviderSilent')
      return (state as Transaction).calls.find(({ id }) => id === event.callId)?.refundId ?? null
  }
  return null
}

/** What an entry wants providers and banks to be asked, once it is on disk. */
export const providerRequestsOf = ({ steps }: FlushedEntry): readonly OutsideRequest[] => {
  const requests: OutsideRequest[] = []
  for (const { event, after } of steps) {
    if (event.type === 'TransferSent' || event.type === 'TransferSentAgain')
      requests.push(payoutRequest(after as SplitTransfer, event.atMs))
    if (event.type !== 'ProviderCalled' && event.type !== 'ProviderCalledAgain') continue
    const transaction = after as Transaction
    const callId = event.type === 'ProviderCalled' ? event.call.id : event.callId
    const call = transaction.calls.find(({ id }) => id === callId)!
    requests.push(providerRequest(transaction, call, event.atMs))
  }
  return requests
}
