import { callsIn, type Engine, kindIn } from './engine-definition.ts'
import type { Memory } from './ports.ts'
import type { ActorKind, ActorState, AnyFact, Command, ListedKind, Query } from './registry.ts'

export type ActorTarget = readonly [ActorKind, string]

/** Finds the actor that a command, query or call is about, by the definitions of all kinds. */
export const openSubjects = (engine: Engine, memory: Memory) => {
  const kinds = (Object.keys(engine.kinds) as ListedKind[]).map((name) => ({
    name,
    kind: kindIn(engine, name),
  }))
  const named = kinds.flatMap(({ name, kind: { namedBy, doesDueWorkFirst = false } }) =>
    namedBy === undefined ? [] : [{ name, namedBy, doesDueWorkFirst }],
  )
  const making = kinds.filter(({ kind }) => kind.madeBy !== undefined)
  const doingDueWorkFirst = named.filter(({ doesDueWorkFirst }) => doesDueWorkFirst)

  const transactionOfReversal = (reversalId: string): ActorTarget | null => {
    const id = memory.transactionOfReversal(reversalId)?.state.id
    return id === undefined ? null : ['transaction', id]
  }

  const nameIn = (command: Command) => named.find(({ namedBy }) => namedBy in command)

  return {
    /** The actor whose state the reply shows. */
    subjectOf: (command: Command): ActorTarget => {
      if ('reversalId' in command) return transactionOfReversal(command.reversalId)!
      for (const { name, kind } of making) {
        const id = kind.madeBy!(command, memory)
        if (id !== null) return [name, id]
      }
      const found = nameIn(command)
      if (found === undefined) return ['account', command.accountId]
      return [found.name, memberOf(command, found.namedBy) as string]
    },
    /** The kind of actor that a command names; if it names several, the first in the order of the registry. */
    kindNamedIn: (command: Command): ActorKind =>
      'reversalId' in command ? 'transaction' : (nameIn(command)?.name ?? 'account'),
    /** The actor whose due work runs before this command or query; null if there is none. */
    targetOf: (asked: Command | Query): ActorTarget | null => {
      if ('reversalId' in asked) return transactionOfReversal(asked.reversalId)
      for (const { name, namedBy } of doingDueWorkFirst) {
        const id = memberOf(asked, namedBy)
        if (typeof id === 'string') return [name, id]
      }
      return null
    },
    /** The refund, chargeback or MED that a command created or changed. */
    reversalIdOf: (kind: ActorKind, command: Command, events: readonly AnyFact[], state: ActorState) =>
      kind === 'account' ? null : (kindIn(engine, kind).reversalIdOf?.(command, events, state) ?? null),
    /** The call made by these facts that their request waits for; null when they make none. */
    awaitedCall: (events: readonly AnyFact[]): string | null => {
      for (const event of events) {
        const callId = callsIn(engine, event.actor)?.awaitedBy?.(event) ?? null
        if (callId !== null) return callId
      }
      return null
    },
    kindOfId: (id: string): ListedKind =>
      kinds.find(({ kind: { prefix } }) => id.startsWith(`${prefix}_`))!.name,
  }
}

const memberOf = (asked: Command | Query, member: string): unknown =>
  (asked as unknown as Readonly<Record<string, unknown>>)[member]
