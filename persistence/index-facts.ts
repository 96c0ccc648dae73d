import type { ListedKind } from '../engine/actors.ts'
import type { AccountId } from '../engine/ids.ts'
import {
  again,
  type Fields,
  nullable,
  number,
  text,
  type Variant,
  variant,
  variants,
  word,
} from './layout.ts'

/** What an entry of the journal means to the index: snapshots consist of these, in order. */
export type IndexFact = Born | Changed | Keyed | Cleared

/** An actor exists. */
export type Born = {
  readonly type: 'Born'
  readonly kind: ListedKind
  readonly id: string
  readonly accountId: AccountId
  readonly createdAtMs: number
  readonly sequence: number
  readonly label: string
  readonly dueAtMs: number | null
  /** What a delivery tells of. */
  readonly objectId: string | null
}

/** A later entry changed the actor that was the nth to be born. */
export type Changed = {
  readonly type: 'Changed'
  readonly kind: ListedKind
  readonly accountId: AccountId
  readonly ordinal: number
  readonly sequence: number
  readonly label: string
  readonly dueAtMs: number | null
}

/** The entry was made for an idempotency key, of which this is the hash. */
export type Keyed = {
  readonly type: 'Keyed'
  readonly hash: number
  readonly sequence: number
  readonly atMs: number
}

/** Every actor of the account but the account itself is forgotten. */
export type Cleared = { readonly type: 'Cleared'; readonly accountId: AccountId; readonly sequence: number }

const kind = word<ListedKind>('transaction', 'received', 'delivery', 'customer', 'batch')

const fact = <Type extends IndexFact['type']>(
  type: Type,
  fields: Fields<Omit<Extract<IndexFact, { type: Type }>, 'type'>>,
): Variant<IndexFact> => variant<IndexFact>({ type }, fields)

export const indexFactLayout = variants<IndexFact>(
  fact('Born', {
    kind,
    id: text(),
    accountId: again(),
    createdAtMs: number(),
    sequence: number(),
    label: again(),
    dueAtMs: nullable(number()),
    objectId: nullable(text()),
  }),
  fact('Changed', {
    kind,
    accountId: again(),
    ordinal: number(),
    sequence: number(),
    label: again(),
    dueAtMs: nullable(number()),
  }),
  fact('Keyed', { hash: number(), sequence: number(), atMs: number() }),
  fact('Cleared', { accountId: again(), sequence: number() }),
)
