import type { Entry } from '../../engine/kernel/entry.ts'
import type { Journal, Versioned } from '../../engine/kernel/ports.ts'
import type { ActorKind, ActorState, ListedKind } from '../../engine/kernel/registry.ts'
import type { Account } from '../../engine/ledger/account.ts'
import { evolve, hasSnapshotEvents, isSnapshotEvent } from '../../engine/registry.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { newRecentMap } from '../../engine/shared/recent-map.ts'
import { sequencesOf } from '../index/table.ts'
import type { Row } from '../index/table-type.ts'
import { idOf } from '../index/tables.ts'

/**
 * The states of all actors except accounts. Those used last are kept; others are rebuilt from the journal's entries.
 */
export type States = {
  /** A kept state, without a look at its row. */
  readonly recent: (id: string) => Recent | undefined
  readonly keep: (id: string, recent: Recent) => void
  /** Keeps a state that a provider's answer will change. */
  readonly keepUntilAnswer: (id: string, recent: Recent) => void
  /** Drops a state that was kept until an answer, which has come. Returns whether there was one. */
  readonly dropAnswered: (id: string) => boolean
  readonly drop: (id: string) => void
  /** The state of a row's actor, kept from now on. A caller that knows the id passes it, to save its making. */
  readonly of: (row: Row, id?: string) => Recent
  /** The state of a row's actor, without keeping it: for scans over very many. */
  readonly glance: (row: Row) => Recent
  /** The state that an earlier entry left. */
  readonly asOf: (row: Row, sequence: number) => ActorState
  /** The state that an earlier entry found; undefined if the entry created the actor. */
  readonly before: (row: Row, sequence: number) => ActorState | undefined
  readonly forget: (accountId: AccountId) => void
}

export type Recent = Versioned<Exclude<ActorState, Account>> & {
  readonly kind: ListedKind
}

/** Keeps at most about `max` states. */
export const newStates = (journal: Pick<Journal, 'at'>, max: number): States => {
  const kept = newRecentMap<Recent>(max)
  /** Ids of states that are kept until an answer. */
  const waiting = new Set<string>()

  const glance = (row: Row, id = idOf(row)): Recent =>
    kept.get(id) ?? fold(id, neededOf(id, row.table.kind, sequencesOf(row.table, row.row)))

  const fold = (id: string, sequences: readonly number[]): Recent => foldEntries(id, sequences, journal.at)

  /** Leaves out entries before a fact that holds the whole state. */
  const neededOf = (id: string, kind: ListedKind, sequences: readonly number[]): readonly number[] => {
    if (!hasSnapshotEvents(kind)) return sequences
    const starts = (sequence: number): boolean =>
      journal.at(sequence).events.some((event) => event.id === id && isSnapshotEvent(event))
    return sequences.slice(Math.max(0, sequences.findLastIndex(starts)))
  }

  return {
    recent: kept.get,
    keep: kept.set,
    keepUntilAnswer: (id, recent) => {
      kept.set(id, recent)
      if (waiting.size >= max) waiting.clear()
      waiting.add(id)
    },
    dropAnswered: (id) => {
      if (!waiting.delete(id)) return false
      kept.delete(id)
      return true
    },
    drop: kept.delete,
    of: (row, id = idOf(row)) => {
      const known = kept.get(id)
      if (known !== undefined) return known
      const state = glance(row, id)
      kept.set(id, state)
      return state
    },
    glance: (row) => glance(row),
    asOf: (row, sequence) => {
      const glanced = glance(row)
      if (glanced.sequence === sequence) return glanced.state
      const until = sequencesOf(row.table, row.row).filter((other) => other <= sequence)
      return fold(idOf(row), neededOf(idOf(row), row.table.kind, until)).state
    },
    before: (row, sequence) => {
      const until = sequencesOf(row.table, row.row).filter((other) => other < sequence)
      return until.length === 0
        ? undefined
        : fold(idOf(row), neededOf(idOf(row), row.table.kind, until)).state
    },
    forget: (accountId) => {
      for (const [id, { state }] of kept.entries()) if (state.accountId === accountId) kept.delete(id)
    },
  }
}

/** The state that the entries of these sequences lead to. */
export const foldEntries = (
  id: string,
  sequences: ArrayLike<number> & Iterable<number>,
  entryAt: (sequence: number) => Entry,
): Recent => {
  let kind: ActorKind | undefined
  let state: ActorState | undefined
  for (const sequence of sequences) {
    for (const event of entryAt(sequence).events) {
      if (event.id !== id) continue
      kind = event.actor
      state = evolve(state, event)
    }
  }
  assert(kind !== undefined && kind !== 'account' && state !== undefined, `${id} follows from its entries`)
  return { kind, state: state as Recent['state'], sequence: sequences[sequences.length - 1]! }
}
