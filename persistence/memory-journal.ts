import type { Journal } from '../engine/ports.ts'
import { pack, unpack } from './codec.ts'

/**
 * The oracle of the journal's contract: entries in an array, each through the codec. A flush happens when the caller
 * says so, which lets a test stand between an append and its flush.
 */
export const memoryJournal = <Record>(): Journal<Record> & { readonly flush: () => void } => {
  const stored: Buffer[] = []
  let flushed = 0
  let waiting: (() => void)[] = []
  let notify: (sequence: number) => void = () => undefined
  return {
    appended: () => stored.length,
    flushed: () => flushed,
    append: (record) => stored.push(pack(record)),
    settled: (sequence) =>
      sequence <= flushed ? undefined : new Promise((resolve) => waiting.push(resolve)),
    onFlushed: (listener) => {
      notify = listener
    },
    flush: () => {
      flushed = stored.length
      for (const resolve of waiting) resolve()
      waiting = []
      notify(flushed)
    },
    replay: function* (afterSequence) {
      for (let n = afterSequence; n < flushed; n++)
        yield { sequence: n + 1, record: unpack(stored[n]!) as Record }
    },
    close: async () => undefined,
  }
}
