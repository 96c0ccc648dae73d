import { type ActorKind, type ActorState, evolve } from './actors.ts'
import { assert } from './assert.ts'
import type { Entry, Event } from './events.ts'
import type { AccountId } from './ids.ts'
import type { Memory } from './ports.ts'

/** A fact with the state that it made: what public events are rendered from. */
export type Step = { readonly event: Event; readonly after: ActorState }

/** An entry of the journal, applied. */
export type FlushedEntry = {
  readonly sequence: number
  readonly accountId: AccountId
  readonly atMs: number
  readonly steps: readonly Step[]
}

/** Lets memory know an entry: when it is decided, and again at every replay, with the same result. */
export const applyEntry = (memory: Memory, sequence: number, entry: Entry): FlushedEntry => {
  const steps: Step[] = []
  for (const event of entry.events) {
    if (event.type === 'SandboxCleared') memory.clear(event.id, sequence)
    const before = stateAfter(steps, event.id) ?? memory.find(event.actor, event.id)?.state
    steps.push({ event, after: evolve(before, event) })
  }
  // Money that arrived comes after the charge that it paid, whose fee its row in memory tells.
  for (const step of steps) if (step.event.actor !== 'received') keepLast(memory, steps, step, sequence)
  for (const step of steps) if (step.event.actor === 'received') keepLast(memory, steps, step, sequence)
  const { accountId, atMs, idempotency } = entry
  if (idempotency !== undefined) memory.keepReply(accountId, idempotency.key, sequence, atMs)
  return { sequence, accountId, atMs, steps }
}

const keepLast = (memory: Memory, steps: readonly Step[], step: Step, sequence: number): void => {
  const { actor, id } = step.event
  if (lastStepOf(steps, id) === step) memory.keep(actor, id, { state: step.after, sequence })
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
