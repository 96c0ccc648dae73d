import type { Waiter } from '../../../engine/kernel/handler.ts'
import type { Journal } from '../../../engine/kernel/ports.ts'
import { assert } from '../../../engine/shared/assert.ts'
import { packBatch } from '../../../persistence/codec/codec.ts'
import { decode, encode, type Layout } from '../../../persistence/codec/layout.ts'
import type { StoredJournal } from '../../../persistence/journal/journal.ts'

/**
 * The reference implementation of the journal contract: entries in an array, each encoded by its layout. It flushes on
 * request, so a test can act between an append and its flush.
 */
export const memoryJournal = <Record>(
  layout: Layout<Record>,
): Journal<Record> & Pick<StoredJournal, 'batchAt'> & { readonly flush: () => void } => {
  const stored: Buffer[] = []
  let flushed = 0
  const waiting: Waiter<void>[] = []
  let notify: (sequence: number) => void = () => undefined
  return {
    appended: () => stored.length,
    flushed: () => flushed,
    append: (record) => stored.push(encode(layout, record)),
    whenFlushed: (sequence, to) => {
      if (sequence <= flushed) to.resolve()
      else waiting.push(to)
    },
    onFlushed: (listener) => {
      notify = listener
    },
    flush: () => {
      flushed = stored.length
      notify(flushed)
      for (const to of waiting.splice(0)) to.resolve()
    },
    at: (sequence) => {
      const bytes = stored[sequence - 1]
      assert(bytes !== undefined, `the journal has an entry ${sequence}`)
      return decode(layout, bytes)
    },
    batchAt: (sequence) => ({
      first: sequence,
      last: sequence,
      bytes: packBatch(layout, [decode(layout, stored[sequence - 1]!)]),
    }),
    replay: function* (afterSequence) {
      for (let n = afterSequence; n < flushed; n++)
        yield { sequence: n + 1, record: decode(layout, stored[n]!) }
    },
    close: async () => undefined,
  }
}
