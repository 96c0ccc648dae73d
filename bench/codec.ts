import { setFlagsFromString } from 'node:v8'
import { Packr } from 'msgpackr'
import type { Entry } from '../engine/kernel/entry.ts'
import { assert } from '../engine/shared/assert.ts'
import { packBatch, unpackFromBatch } from '../persistence/codec/codec.ts'
import { entryLayout } from '../persistence/codec/entry.ts'
import { everyKind } from '../test/persistence/codec/every-kind.ts'
import { machine } from './conditions.ts'
import type { Options } from './options.ts'
import { printConditions } from './report.ts'

/**
 * Times writing and reading of journal entries: by the layouts of `persistence/codec/`, and by MessagePack whose
 * record structures all entries share, as if a journal stored them once.
 */
export const benchCodec = async ({ codecRepeats, rounds }: Options): Promise<void> => {
  // Because the sample stays alive, V8 may decide that all decoded objects do, and allocate them in its old space:
  // then reading takes two to six times as long with either codec, by chance.
  setFlagsFromString('--no-allocation-site-pretenuring')
  const entries = await everyKind()
  const packr = new Packr({ structures: [], maxSharedStructures: 8160, moreTypes: false })
  const layouts: Codec = {
    write: (entry) => packBatch(entryLayout, [entry]),
    read: (bytes) => unpackFromBatch(entryLayout, bytes, 0),
  }
  const messagePack: Codec = { write: (entry) => packr.pack(entry), read: (bytes) => packr.unpack(bytes) }
  for (const entry of entries) messagePack.write(entry)

  printConditions({ ...machine(), entries: entries.length, codecRepeats, rounds })
  console.log(line('entry', ['bytes', 'MessagePack', 'write us', 'MessagePack', 'read us', 'MessagePack']))
  for (const [name, types] of Object.entries(hotEntries)) {
    const some = entries.filter(({ events }) => typesOf(events).startsWith(types))
    assert(some.length > 0, `the sample has entries that begin with ${types}`)
    const measured = [layouts, messagePack].map((codec) => measureCodec(codec, some, codecRepeats, rounds))
    const columns = (['bytes', 'writeUs', 'readUs'] as const).flatMap((column) =>
      measured.map((of) => of[column].toFixed(column === 'bytes' ? 0 : 2)),
    )
    console.log(line(name, columns))
  }
}

type Codec = { readonly write: (entry: Entry) => Buffer; readonly read: (bytes: Buffer) => unknown }

/** The entries that a busy service writes, by the types of their first facts. */
const hotEntries: Readonly<Record<string, string>> = {
  'PIX charge': 'ChargeCreated ChargeIssued',
  'PIX paid': 'PixReceived ChargePaid PaymentBooked',
  'card payment': 'ChargeCreated ProviderCalled',
  'card approved': 'CardApproved PaymentBooked',
  'webhook planned': 'DeliveryScheduled DeliveryScheduled',
  'webhook sent': 'AttemptRecorded',
  'invoice paid': 'PixReceived ChargePaid AttemptSucceeded SubscriptionPaid',
  'every fact': '',
}

const typesOf = (events: Entry['events']): string => events.map(({ type }) => type).join(' ')

const measureCodec = (
  { write, read }: Codec,
  entries: readonly Entry[],
  repeats: number,
  rounds: number,
): { readonly bytes: number; readonly writeUs: number; readonly readUs: number } => {
  // MessagePack returns a view of a buffer that it overwrites later.
  const stored = entries.map((entry) => Buffer.from(write(entry)))
  return {
    bytes: stored.reduce((sum, { length }) => sum + length, 0) / stored.length,
    writeUs: bestUs(write, entries, repeats, rounds),
    readUs: bestUs(read, stored, repeats, rounds),
  }
}

/** The best of several rounds: other work on the machine only adds time. */
const bestUs = <Value>(
  run: (value: Value) => unknown,
  values: readonly Value[],
  repeats: number,
  rounds: number,
): number => {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now()
    for (let n = 0; n < repeats; n++) run(values[n % values.length]!)
    best = Math.min(best, ((performance.now() - startedMs) * 1000) / repeats)
  }
  return best
}

const line = (name: string, columns: readonly string[]): string =>
  name.padEnd(16) + columns.map((column) => column.padStart(13)).join('')
