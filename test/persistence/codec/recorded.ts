import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Entry } from '../../../engine/kernel/entry.ts'
import type { ActorState } from '../../../engine/kernel/registry.ts'
import { evolve } from '../../../engine/registry.ts'
import { batchSize, unpackFromBatch } from '../../../persistence/codec/codec.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'

/** Bytes as a program of their time wrote them, what they meant to it, and what it made of them. */
export type Recorded = {
  /** One batch of the journal, in base64. */
  readonly batch: string
  readonly entries: readonly {
    readonly events: readonly {
      readonly actor: string
      readonly type: string
      readonly id: string
      readonly atMs: number
    }[]
  }[]
  /** The last states of all actors, by their ids; of an account that was cleared also the one before. */
  readonly states: Readonly<Record<string, object>>
}

/** Bytes of which a part is sealed, with the key. */
export type RecordedSealed = Pick<Recorded, 'batch' | 'entries'> & {
  readonly key: { readonly number: number; readonly base64: string }
}

export const fixtures = join(resolve(import.meta.dirname, '../../../..'), 'test/fixtures')

/** Every recording, by the name of its file. */
export const everyRecorded = (): readonly (readonly [string, Recorded])[] =>
  readdirSync(fixtures)
    .filter((name) => name.startsWith('journal-'))
    .map((name) => [name, readFixture(name) as Recorded])

/** What the bytes of a recording mean today. */
export const entriesOf = ({ batch }: Recorded): readonly Entry[] => {
  const bytes = Buffer.from(batch, 'base64')
  return Array.from({ length: batchSize(bytes) }, (_, place) => unpackFromBatch(entryLayout, bytes, place))
}

/** What is in a fixture. */
export const readFixture = (name: string): unknown =>
  JSON.parse(gunzipSync(readFileSync(join(fixtures, name))).toString('utf8'))

/** What facts make of all actors, one after the other, as `Recorded` has them. */
export const statesOf = (entries: readonly Entry[]): Recorded['states'] => {
  const states: Record<string, ActorState> = {}
  for (const event of entries.flatMap(({ events }) => events)) {
    const name = event.type === 'SandboxCleared' ? `${event.id}, cleared` : event.id
    states[name] = evolve(states[event.id], event)
  }
  return plain(states)
}

/** As JSON can say it. */
export const plain = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_, value) => {
      if (value instanceof Uint8Array) return [...value]
      return typeof value === 'bigint' ? `${value}n` : value
    }),
  )
