import type { Hash } from 'node:crypto'
import type { ActorKind, ActorState, ListedKind } from '../../engine/kernel/registry.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { definitionOf, listedKinds } from '../../engine/registry.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import { appendTo } from '../base/append-to.ts'
import { pack } from '../codec/codec.ts'
import { tableDifferences } from '../index/compare.ts'
import { idOf } from '../index/tables.ts'
import type { StoredMemory } from '../shard/memory.ts'
import type { TransactionWalk } from './transaction-walk.ts'

/** The number of actors, including accounts. */
export const countActors = (accounts: ReadonlySet<AccountId>, memory: StoredMemory): number => {
  let count = accounts.size
  for (const accountId of accounts)
    for (const kind of listedKinds) count += memory.tableOf(accountId, kind)?.rows.count ?? 0
  return count
}

/**
 * The differences between states and columns on top of the snapshot and those of the journal alone. Adds the journal's states to a digest,
 * and every transaction to a walk.
 */
export const differences = async (
  accountId: AccountId,
  replayed: StoredMemory,
  stored: StoredMemory,
  digest: Hash,
  walk: TransactionWalk,
  onCompared: () => Promise<void> | undefined,
): Promise<string[]> => {
  const problems: string[] = []
  const compare = (kind: ActorKind, id: string, isMadeAlike: boolean): ActorState => {
    const made = replayed.find(kind, id)!
    const expected = pack(made)
    digest.update(expected)
    const difference = stored === replayed ? null : differenceIn(stored, kind, id, expected, isMadeAlike)
    if (difference !== null) problems.push(difference)
    return made.state
  }
  compare('account', accountId, false)
  await onCompared()
  for (const kind of listedKinds) {
    const table = replayed.tableOf(accountId, kind)
    if (table === undefined) continue
    const different = stored === replayed ? [] : tableDifferences(table, stored.tableOf(accountId, kind))
    appendTo(problems, different)
    for (const id of idsOf(accountId, kind, replayed)) {
      const state = compare(kind, id, different.length === 0)
      if (stored !== replayed && !isFoundByKeys(stored, kind, id, state))
        problems.push(`${id}: not found by what it is looked up by`)
      if (kind === 'transaction') walk.add(state as Transaction)
      const reported = onCompared()
      if (reported !== undefined) await reported
    }
  }
  return problems
}

const isFoundByKeys = (stored: StoredMemory, kind: ListedKind, id: string, state: ActorState): boolean => {
  const keys = definitionOf(kind).lookupKeys?.(state)
  return keys === undefined || stored.isUnder(kind, id, keys)
}

/** How a stored actor differs from the one that the journal makes; null where it does not. */
const differenceIn = (
  stored: StoredMemory,
  kind: ActorKind,
  id: string,
  expected: Buffer,
  isMadeAlike: boolean,
): string | null => {
  // Where the columns are equal the same entries make both, so it is enough that it is found.
  if (isMadeAlike && kind !== 'account' && stored.entriesOf(kind, id, 1).length > 0) return null
  const found = stored.find(kind, id)
  if (found === undefined) return `${id}: missing in the stored state`
  return expected.equals(pack(found)) ? null : `${id}: stored state differs from the journal`
}

/** The ids of an account's actors of a kind. */
export const idsOf = function* (
  accountId: AccountId,
  kind: ListedKind,
  memory: StoredMemory,
): Iterable<string> {
  const table = memory.tableOf(accountId, kind)
  for (let row = 0; row < (table?.rows.count ?? 0); row++) yield idOf({ table: table!, row })
}
