import { assert } from '../shared/assert.ts'
import type { ProviderCallRequest } from './calls.ts'
import { callsIn, type Engine, kindIn } from './engine-definition.ts'
import type { Entry } from './entry.ts'
import type { Journal, Memory, PartOfCall } from './ports.ts'
import type { ActorKind, AnyFact } from './registry.ts'
import { type FlushedEntry, type Step, stateAfter } from './step.ts'

/** Brings a memory up to the end of a journal: applies the entries after `afterSequence`, and yields each one. */
export const replay = function* (
  engine: Engine,
  memory: Memory,
  journal: Pick<Journal, 'replay'>,
  afterSequence: number,
): Generator<FlushedEntry, void, undefined> {
  for (const { sequence, record } of journal.replay(afterSequence))
    yield applyEntry(engine, memory, sequence, record)
}

/** Applies a journal entry to a memory, with the same result as when it was decided. */
export const applyEntry = (engine: Engine, memory: Memory, sequence: number, entry: Entry): FlushedEntry => {
  const steps: Step[] = []
  for (const event of entry.events) {
    const before = stateAfter(steps, event.id) ?? memory.find(event.actor, event.id)?.state
    steps.push({ event, after: engine.evolve(before, event) })
  }
  return keepEntry(engine, memory, sequence, entry, steps)
}

/** Puts the entry's states into memory. The journal has the entry already: memory reads there what it does not hold. */
export const keepEntry = (
  engine: Engine,
  memory: Memory,
  sequence: number,
  { accountId, atMs, idempotency, traceparent }: Entry,
  steps: readonly Step[],
): FlushedEntry => {
  for (const { event } of steps) if (event.type === 'SandboxCleared') memory.clear(event.id, sequence)
  const part = partOfCall(engine, steps)
  // When several steps change an actor, the last state counts.
  const last = new Map<string, Step>()
  for (const step of steps) last.set(step.event.id, step)
  const later: Step[] = []
  for (const step of steps) {
    const { actor, id } = step.event
    if (last.get(id) !== step) continue
    if (actor !== 'account' && kindIn(engine, actor).isKeptLast === true) later.push(step)
    else memory.keep(actor, id, { state: step.after, sequence }, part)
  }
  for (const { event, after } of later) memory.keep(event.actor, event.id, { state: after, sequence }, part)
  if (idempotency !== undefined) memory.keepReply(accountId, idempotency.key, sequence, atMs)
  return { sequence, accountId, atMs, steps, traceparent }
}

const partOfCall = (engine: Engine, steps: readonly Step[]): PartOfCall => {
  let isAnswer = false
  for (const { event } of steps) {
    const calls = callsIn(engine, event.actor)
    if (calls === undefined) continue
    if (calls.madeBy(event) !== null) return 'INTENT'
    isAnswer ||= calls.answeredBy(event) !== null
  }
  return isAnswer ? 'ANSWER' : null
}

/** The actor that an idempotent entry created or changed: the last one of the kind that the command names. */
export const effectOf = (
  { events }: Entry,
  kind: ActorKind,
  isAside: (event: AnyFact) => boolean,
): readonly [ActorKind, string] => {
  const fact =
    events.findLast((event) => event.actor === kind && !isAside(event)) ?? events.findLast(isListed)
  assert(fact !== undefined, 'an idempotent command changes more than the account')
  return [fact.actor, fact.id]
}

/** Account facts and the audit entry accompany an effect; neither is the effect itself. */
const isListed = ({ actor }: AnyFact): boolean => actor !== 'account' && actor !== 'auditEntry'

/** The provider calls of an entry, to be made once it is on disk. */
export const providerRequestsOf = (engine: Engine, { steps }: FlushedEntry): readonly ProviderCallRequest[] =>
  steps.flatMap(({ event, after }) => {
    const calls = callsIn(engine, event.actor)
    const callId = calls?.madeBy(event) ?? null
    return callId === null ? [] : [calls!.request(after, callId, (event as Timed).atMs)]
  })

/** Every fact that makes a call has a time. */
type Timed = { readonly atMs: number }
