import type { Idempotency } from './command.ts'
import type { Institution } from './context.ts'
import type { ActorStates, AnyFact, Command } from './registry.ts'

/** Requests to providers, by the folder that makes them. Plain data. */
export interface ProviderRequests {}
export type ProviderCallRequest = ProviderRequests[keyof ProviderRequests] & {
  /** Whether it was under way when its shard was opened: the process before may have sent it once more. */
  readonly isResumed?: true
}

/**
 * Calls to providers. The intent is a fact; once it is on disk the provider is called. The answer comes back as a
 * command whose fact ends the call. A call's id is the actor's id, a dot and a suffix.
 */
export type ProviderCalls<State, Fact> = {
  /** The call that a fact starts or repeats; null for other facts. */
  readonly madeBy: (fact: Fact) => string | null
  /** The same, if the request that caused the fact waits for the answer. */
  readonly awaitedBy?: (fact: Fact) => string | null
  /** The call that a fact answers; null for other facts. */
  readonly answeredBy: (fact: Fact) => string | null
  /** The request of a call, built from this state. */
  readonly request: (state: State, callId: string, nowMs: number) => ProviderCallRequest
  /** Calls that are under way, without those postponed for a retry. */
  readonly onTheirWay: (state: State) => readonly string[]
  readonly isOpen?: (state: State, callId: string) => boolean
  /** The command that a start sends for an actor waiting for a provider to be connected. */
  readonly resume?: (
    state: State,
    account: ActorStates['account'],
    institution: Institution,
  ) => Command | null
  /** The merchant's idempotency key, when the answer is the effect that the key stands for. */
  readonly keyOfAnswer?: (state: State, callId: string, fact: Fact) => Idempotency | null
  /** The facts that remain of an effect whose call failed; null when its key is free again. */
  readonly withoutCall?: (events: readonly AnyFact[]) => readonly AnyFact[] | null
}
