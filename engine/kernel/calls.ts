import type { Idempotency } from './command.ts'
import type { Institution } from './context.ts'
import type { Command, Event } from './registry.ts'

/** What providers are asked, by the folder that asks. Plain data. */
export interface ProviderRequests {}
export type ProviderCallRequest = ProviderRequests[keyof ProviderRequests]

/**
 * Calls to providers. The intent is a fact; once it is on disk the provider is asked; its answer comes back as a command, whose
 * fact ends the call. A call's id begins with that of its actor and a dot.
 */
export type ProviderCalls<State, Fact> = {
  /** The call that a fact makes, for the first time or again; null where it makes none. */
  readonly madeBy: (fact: Fact) => string | null
  /** The same, where the request that caused the fact waits for the answer. */
  readonly awaitedBy?: (fact: Fact) => string | null
  /** The call that a fact answers. */
  readonly answeredBy: (fact: Fact) => string | null
  /** What the provider is asked by a call of this state. */
  readonly request: (state: State, callId: string, nowMs: number) => ProviderCallRequest
  /** Its calls that are on their way, and not put off until they are made again. */
  readonly onTheirWay: (state: State) => readonly string[]
  readonly isOpen?: (state: State, callId: string) => boolean
  /** What a start has to do for one that waits for a provider to be connected. */
  readonly resume?: (state: State, institution: Institution) => Command | null
  /** The merchant's key where the answer is the effect that it stands for. */
  readonly keyOfAnswer?: (state: State, callId: string, fact: Fact) => Idempotency | null
  /** What is left of an effect whose call came to nothing; null where its key is free again. */
  readonly withoutCall?: (events: readonly Event[]) => readonly Event[] | null
}
