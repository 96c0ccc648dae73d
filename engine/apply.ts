import { type ActorKind, type ActorState, evolve } from './actors.ts'
import { assert } from './assert.ts'
import type { Entry, Event } from './events.ts'
import type { AccountId } from './ids.ts'
import type { Memory } from './ports.ts'
import { type ProviderRequest, providerRequest } from './providers.ts'
import type { Transaction } from './transaction/transaction.ts'

/** A fact with the state that it made: what public events are rendered from. */
export type Step = { readonly event: Event; readonly after: ActorState }

/** An entry of the journal, applied. */
export type FlushedEntry = {
  readonly sequence: number
  readonly accountId: AccountId
  readonly atMs: number
  readonly steps: readonly Step[]
}

/** Lets memory know an entry of the journal: at every replay, with the same result as when it was decided. */
export const applyEntry = (memory: Memory, sequence: number, entry: Entry): FlushedEntry =>
  keepSteps(memory, sequence, entry, stepsOf(memory, entry))

/**
 * What facts make of their actors. Throws where one is impossible: before the entry is in the journal, because one that is
 * there would break every recovery again.
 */
export const stepsOf = (memory: Memory, { events }: Pick<Entry, 'events'>): readonly Step[] => {
  const steps: Step[] = []
  for (const event of events) {
    const before = stateAfter(steps, event.id) ?? memory.find(event.actor, event.id)?.state
    steps.push({ event, after: evolve(before, event) })
  }
  return steps
}

export const keepSteps = (
  memory: Memory,
  sequence: number,
  entry: Entry,
  steps: readonly Step[],
): FlushedEntry => {
  for (const step of steps) {
    const { actor, id, type } = step.event
    if (type === 'SandboxCleared') memory.clear(id, sequence)
    if (lastStepOf(steps, id) === step) memory.keep(actor, id, { state: step.after, sequence })
  }
  const { accountId, atMs, idempotency } = entry
  if (idempotency !== undefined) memory.keepReply(accountId, idempotency.key, sequence, atMs)
  return { sequence, accountId, atMs, steps }
}

/** The state of an actor after these steps; undefined where they do not touch it. */
export const stateAfter = (steps: readonly Step[], id: string): ActorState | undefined =>
  lastStepOf(steps, id)?.after

const lastStepOf = (steps: readonly Step[], id: string): Step | undefined => {
  for (let n = steps.length - 1; n >= 0; n--) if (steps[n]!.event.id === id) return steps[n]
  return undefined
}

/** The actor that an idempotent entry is about: the last transaction that it touched. */
export const effectOf = (entry: Entry): readonly [ActorKind, string] => {
  const fact = entry.events.findLast((event) => event.actor === 'transaction')
  assert(fact !== undefined, 'an idempotent command changes a transaction')
  return ['transaction', fact.id]
}

/** The call to a provider that these facts open, for somebody to wait for; null where they open none. */
export const callOpenedBy = (events: readonly Event[]): string | null => {
  for (const event of events) {
    if (event.type === 'ProviderCalled' && event.call.operation !== 'REVERSE') return event.call.id
  }
  return null
}

/** The refund, chargeback or MED that these facts are about. */
export const partOf = (events: readonly Event[], state: ActorState): string | null => {
  for (const event of events) {
    if (event.actor !== 'transaction') continue
    if ('refundId' in event) return event.refundId
    if ('chargebackId' in event) return event.chargebackId
    if ('chargeback' in event) return event.chargeback.id
    if ('medId' in event) return event.medId
    if ('med' in event) return event.med.id
    if (event.type === 'ProviderSilent')
      return (state as Transaction).calls.find(({ id }) => id === event.callId)?.refundId ?? null
  }
  return null
}

/** The refunds that a chargeback ends come before it in its entry. */
export const chargebackOpenedBy = (events: readonly Event[]): string | null =>
  events.find((event) => event.type === 'ChargebackOpened')?.chargeback.id ?? null

/** What an entry wants providers to be asked, once it is on disk. */
export const providerRequestsOf = ({ steps }: FlushedEntry): readonly ProviderRequest[] => {
  const requests: ProviderRequest[] = []
  for (const { event, after } of steps) {
    if (event.type !== 'ProviderCalled' && event.type !== 'ProviderCalledAgain') continue
    const transaction = after as Transaction
    const callId = event.type === 'ProviderCalled' ? event.call.id : event.callId
    const call = transaction.calls.find(({ id }) => id === callId)!
    requests.push(providerRequest(transaction, call, event.atMs))
  }
  return requests
}
