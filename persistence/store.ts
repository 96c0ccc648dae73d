import { open } from 'lmdb'
import type { ActorKind, ActorState } from '../engine/actors.ts'
import type { Kept, KeptReply } from '../engine/ports.ts'
import { pack, unpack } from './codec.ts'
import { requireSpace } from './disk-space.ts'
import type { Row } from './rows.ts'

/** What one checkpoint writes, all of it or nothing. */
export type Checkpoint = {
  /** The journal position that the store stands for afterwards. */
  readonly sequence: number
  readonly actors: readonly (readonly [id: string, actor: StoredActor])[]
  readonly removed: readonly string[]
  readonly rows: readonly StoredRow[]
  readonly replies: readonly (readonly [key: string, reply: StoredReply])[]
}

export type StoredActor = Kept<ActorState> & {
  readonly kind: ActorKind
  /** The sequence of the entry that created it. */
  readonly bornAt: number
}

/** An idempotency record. Its state is null where it is the one that the actor was born with. */
export type StoredReply = Omit<KeptReply, 'state'> & {
  readonly id: string
  readonly state: ActorState | null
}

/** What a start has to know of an actor without opening it. `gone` takes the row of an account's clearing out again. */
export type StoredRow =
  | (Row & {
      readonly kind: ActorKind
      readonly accountId: string
      readonly dueAtMs: number | null
      readonly objectId: string | null
    })
  | { readonly gone: string }

/** The snapshot of a shard: one LMDB environment beside its journal. It can always be made again from the journal. */
export type Store = {
  readonly sequence: () => number
  readonly actor: (id: string) => StoredActor | undefined
  readonly reply: (key: string, atMs: number) => StoredReply | undefined
  readonly rows: () => Iterable<StoredRow>
  /** Packs in slices, so that requests get their turn in between, then writes in one transaction. */
  readonly write: (checkpoint: Checkpoint) => Promise<void>
  readonly close: () => Promise<void>
}

export const openStore = (path: string, pause: () => Promise<void>): Store => {
  const root = open<Buffer, string>({ path, encoding: 'binary', cache: false, maxDbs: 16 })
  const actors = root.openDB<Buffer, string>({ name: 'actors', encoding: 'binary' })
  const segments = root.openDB<Buffer, number>({ name: 'rows', encoding: 'binary' })
  const meta = root.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' })
  const replyDays = new Map<number, ReplyDay>()
  for (const day of read<number[]>(meta.get('replyDays')) ?? []) replyDays.set(day, openReplyDay(root, day))
  const storedSequence = meta.get('sequence')
  let sequence = storedSequence === undefined ? 0 : (unpack(storedSequence) as number)

  const write = async (checkpoint: Checkpoint): Promise<void> => {
    const packedActors = await packed(checkpoint.actors)
    const packedReplies = (await packed(checkpoint.replies)).map(
      ([key, bytes], n) => [key, bytes, checkpoint.replies[n]![1].atMs] as const,
    )
    const packedRows = checkpoint.rows.length === 0 ? null : pack(checkpoint.rows)
    const bytes = [packedActors, packedReplies].flat().reduce((sum, [, { length }]) => sum + length, 0)
    requireSpace(path, bytes + (packedRows?.length ?? 0))
    // All of these are issued in one turn of the event loop: lmdb-js commits them in one transaction.
    for (const [id, bytes] of packedActors) actors.put(id, bytes)
    for (const id of checkpoint.removed) actors.remove(id)
    for (const [key, bytes, atMs] of packedReplies) replyDayOf(dayOf(atMs)).put(key, bytes)
    if (packedRows !== null) segments.put(checkpoint.sequence, packedRows)
    const expired = [...replyDays.keys()].filter((day) => day < Math.max(...replyDays.keys()) - 1)
    for (const day of expired) {
      void replyDays.get(day)!.drop()
      replyDays.delete(day)
    }
    meta.put('replyDays', pack([...replyDays.keys()]))
    await meta.put('sequence', pack(checkpoint.sequence))
    sequence = checkpoint.sequence
  }

  const replyDayOf = (day: number): ReplyDay => {
    let table = replyDays.get(day)
    if (table === undefined) {
      table = openReplyDay(root, day)
      replyDays.set(day, table)
    }
    return table
  }

  const packed = async <Value>(
    values: readonly (readonly [string, Value])[],
  ): Promise<[string, Buffer][]> => {
    const result: [string, Buffer][] = []
    for (const [key, value] of values) {
      result.push([key, pack(value)])
      if (result.length % sliceMax === 0) await pause()
    }
    return result
  }

  return {
    sequence: () => sequence,
    actor: (id) => read<StoredActor>(actors.get(id)),
    reply: (key, atMs) =>
      read<StoredReply>(replyDays.get(dayOf(atMs))?.get(key) ?? replyDays.get(dayOf(atMs) - 1)?.get(key)),
    rows: function* () {
      for (const { value } of segments.getRange()) yield* unpack(value) as StoredRow[]
    },
    write,
    close: () => root.close(),
  }
}

const sliceMax = 200

/** Idempotency records live in one table a day of real time: forgetting a day is dropping its table. */
type ReplyDay = ReturnType<typeof openReplyDay>
const openReplyDay = (root: ReturnType<typeof open<Buffer, string>>, day: number) =>
  root.openDB<Buffer, string>({ name: `replies-${day}`, encoding: 'binary' })

const dayOf = (atMs: number): number => Math.floor(atMs / 86_400_000)

const read = <Value>(bytes: Buffer | undefined): Value | undefined =>
  bytes === undefined ? undefined : (unpack(bytes) as Value)

/** A snapshot of nothing: whoever stands on it replays the whole journal. */
export const emptyStore = (): Store => ({
  sequence: () => 0,
  actor: () => undefined,
  reply: () => undefined,
  rows: () => [],
  write: async () => undefined,
  close: async () => undefined,
})
