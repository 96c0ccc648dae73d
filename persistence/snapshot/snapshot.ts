/**
 * Snapshots of a shard: frozen columns and accounts, written in the background beside the journal, so that a start
 * replays little. A snapshot can always be made again from the journal.
 */

import type { Versioned } from '../../engine/kernel/ports.ts'
import type { ListedKind } from '../../engine/kernel/registry.ts'
import type { Account } from '../../engine/ledger/account.ts'
import { listedKinds } from '../../engine/registry.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import type { FrozenColumns, StoredColumns } from '../base/columns.ts'
import type { FrozenKeys } from '../base/keys/keys.ts'
import { recentKeySchema } from '../base/keys/recent-keys.ts'
import { tableDescription } from '../index/table.ts'
import { replySchema } from './reply-register.ts'

/** The changes that one snapshot writes, all or nothing. */
export type SnapshotChanges = {
  /** The journal position that the store represents afterwards. */
  readonly sequence: number
  /** The accounts that changed. */
  readonly accounts: readonly (readonly [id: string, account: Versioned<Account>])[]
  /** Up to which sequence an account's actors are forgotten, for every account ever cleared. */
  readonly cleared: readonly (readonly [AccountId, number])[]
  readonly tableSnapshots: readonly FrozenTable[]
  readonly keys: FrozenKeys
  /** Table snapshots that no longer exist, by number, with the keys of their values in the store. */
  readonly dropped: readonly { readonly number: number; readonly keys: () => readonly number[] }[]
}

/** Columns that are stored together: a table of actors, a day of replies, or the keys of late. */
export type TableSnapshotHead =
  | {
      readonly of: 'table'
      readonly kind: ListedKind
      readonly accountId: AccountId
      readonly labels: readonly string[]
      /** Absent for 0. */
      readonly payersForgottenMs?: number
    }
  | { readonly of: 'replies'; readonly day: number }
  | { readonly of: 'keys' }

export type FrozenTable = {
  readonly number: number
  readonly head: TableSnapshotHead
  /** The columns with rows, by name. */
  readonly columns: readonly (readonly [name: string, FrozenColumns])[]
}

export type StoredTableSnapshot = {
  readonly number: number
  readonly head: TableSnapshotHead
  /** The columns with rows. */
  readonly columns: Readonly<Partial<Record<string, StoredColumns>>>
}

/** Raised when anything changes that the description does not cover. */
const snapshotFormat = 14

/** The meaning of a snapshot's bytes. A snapshot with another description is another version's, and is remade. */
export const snapshotDescription = [
  `format ${snapshotFormat}, little-endian`,
  listedKinds.join(' '),
  tableDescription,
  `replies ${replySchema.description}`,
  `keys ${recentKeySchema.description}`,
].join('; ')
