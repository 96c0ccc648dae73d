import type { ListedKind } from '../engine/actors.ts'
import type { AccountId } from '../engine/ids.ts'
import {
  again,
  type Fields,
  flag,
  nullable,
  number,
  text,
  type Variant,
  variant,
  variants,
  word,
} from './layout.ts'

/** What an entry of the journal means to the index: snapshots consist of these, in order. */
export type IndexFact = Born | Changed | Keyed | Cleared | Owns | Known | Asking

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

/** The actor got a part with an id of its own: a refund, a chargeback, a MED. */
export type Owns = {
  readonly type: 'Owns'
  readonly accountId: AccountId
  readonly ordinal: number
  readonly sequence: number
  readonly partId: string
}

/** The actor is looked up by this key. */
export type Known = {
  readonly type: 'Known'
  readonly kind: ListedKind
  readonly accountId: AccountId
  readonly ordinal: number
  readonly key: string
}

/** The actor waits for a provider's answer, or does not any more. */
export type Asking = { readonly type: 'Asking'; readonly ordinal: number; readonly asks: boolean }

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
  fact('Owns', { accountId: again(), ordinal: number(), sequence: number(), partId: text() }),
  fact('Known', { kind, accountId: again(), ordinal: number(), key: text() }),
  fact('Asking', { ordinal: number(), asks: flag }),
)
