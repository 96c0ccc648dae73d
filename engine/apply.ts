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
  const steps = entry.events.map((event): Step => {
    if (event.type === 'SandboxCleared') memory.clear(event.id, sequence)
    const after = evolve(memory.find(event.actor, event.id)?.state, event)
    memory.keep(event.actor, event.id, { state: after, sequence })
    return { event, after }
  })
  if (entry.idempotency !== undefined) keepReply(memory, sequence, entry)
  return { sequence, accountId: entry.accountId, atMs: entry.atMs, steps }
}

const keepReply = (memory: Memory, sequence: number, entry: Entry): void => {
  const { key, fingerprint } = entry.idempotency!
  const [kind, id] = effectOf(entry)
  const { state } = memory.find(kind, id)!
  memory.keepReply(entry.accountId, key, { fingerprint, kind, state, sequence, atMs: entry.atMs })
}

/** The actor that an idempotent entry is about: the last transaction that it touched. */
const effectOf = (entry: Entry): [ActorKind, string] => {
  const fact = entry.events.findLast((event) => event.actor === 'transaction')
  assert(fact !== undefined, 'an idempotent command changes a transaction')
  return ['transaction', fact.id]
}
