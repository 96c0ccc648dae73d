import type { Versioned } from '../../engine/kernel/ports.ts'
import type { ActorKind, ActorStates } from '../../engine/kernel/registry.ts'
import type { Account } from '../../engine/ledger/account.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { newReversalIndex } from '../index/reversals.ts'
import { newTables } from '../index/tables.ts'
import type { EntrySource } from '../journal/journal.ts'
import { newReplyRegister } from '../snapshot/reply-register.ts'
import { newStates } from '../snapshot/states.ts'
import type { Store } from '../snapshot/store.ts'
import { newTableSnapshots } from '../snapshot/table-snapshots.ts'
import { newTimers } from './timers.ts'

/** What the parts of a memory share. */
export type MemoryParts = ReturnType<typeof newMemoryParts>

/** The parts of a memory that has the accounts of a snapshot and none of its tables yet. */
export const newMemoryParts = (store: Store, journal: EntrySource, hotStates: number) => {
  const accounts = new Map<string, Versioned<Account>>(store.accounts())
  const tables = newTables(store.seed)
  const states = newStates(journal, hotStates)
  const replies = newReplyRegister()
  return {
    seed: store.seed,
    journal,
    accounts,
    changedAccounts: new Set<string>(),
    /** The entries that reset the Sandbox of an account last. */
    cleared: new Map<AccountId, number>(store.cleared()),
    tables,
    states,
    timers: newTimers(tables, states, (id) => accounts.get(id)!.state),
    reversals: newReversalIndex(tables),
    replies,
    tableSnapshots: newTableSnapshots(tables, replies),
    /** Entries up to here are replayed. */
    replayedTo: journal.appended(),
    /** How many changes are not in a snapshot yet. */
    unsaved: 0,
  }
}

/** An actor by its id: a kept state, or one that is rebuilt from its entries. */
export const findActor = <Kind extends ActorKind>(
  { accounts, states, tables }: MemoryParts,
  kind: Kind,
  id: string,
): Versioned<ActorStates[Kind]> | undefined => {
  let found: Versioned<unknown> | undefined
  if (kind === 'account') found = accounts.get(id)
  else {
    const recent = states.recent(id)
    const row = recent === undefined ? tables.at(kind, tables.find(kind, id)) : undefined
    found = recent === undefined ? row && states.of(row, id) : recent.kind === kind ? recent : undefined
  }
  return found as Versioned<ActorStates[Kind]> | undefined
}
