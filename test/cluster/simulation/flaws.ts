import type { ShardCopies, ShardMoves } from '../../../engine/companies/directory.ts'
import type { CopiesRule } from '../../../persistence/cluster/copies-rule.ts'
import { WrongLastSequence } from '../../../persistence/cluster/followed-stream.ts'
import type { LogStream } from '../../../persistence/cluster/log-stream.ts'
import type { TrimRule } from '../../../persistence/cluster/trim-rule.ts'
import type { StoreModel } from './store-model.ts'

/** A fault that is put between the code and what it uses, to see whether the simulation finds it. */
export type Flaw = {
  readonly leaseMs?: (node: string, leaseMs: number) => number
  readonly stream?: (stream: LogStream, store: StoreModel) => LogStream
  readonly store?: (store: StoreModel, pause: (ms: number) => Promise<void>) => StoreModel
  readonly logKept?: (rule: TrimRule) => TrimRule
  readonly copiesRule?: (rule: CopiesRule) => CopiesRule
  /** What a node knows of who holds copies. */
  readonly copies?: (known: (log: number) => ShardCopies | null) => (log: number) => ShardCopies | null
  /** What a node knows of moves because of load, by its own clock. */
  readonly moves?: (node: string, known: () => ShardMoves, nowMs: () => number) => () => ShardMoves
  readonly positions?: (ask: () => Promise<readonly number[]>) => () => Promise<readonly number[]>
}

export const noFlaw: Flaw = {}

/** Every flaw that the simulation must find, by what is wrong, with the first seed that finds it. */
export const flaws: Readonly<Record<string, Flaw & { readonly foundBy: number }>> = {
  'one node serves for longer than the others wait': {
    foundBy: 3,
    leaseMs: (node, leaseMs) => (node === 'a' ? 2 * leaseMs : leaseMs),
  },
  'appends compare nothing': {
    foundBy: 1,
    stream: (stream) => ({
      ...stream,
      append: async (bytes, expected) => {
        for (let last = expected; ; )
          try {
            return await stream.append(bytes, last)
          } catch (error) {
            if (!(error instanceof WrongLastSequence)) throw error
            last = error.last
          }
      },
    }),
  },
  'an append without an answer counts as stored': {
    foundBy: 1,
    stream: (stream) => ({
      ...stream,
      append: (bytes, expected) =>
        stream.append(bytes, expected).catch((error: unknown) => {
          if (error instanceof WrongLastSequence) throw error
        }),
    }),
  },
  'a record in the place of the own one is taken for it': {
    foundBy: 3,
    stream: (stream) => {
      const sent = new Map<number, Buffer>()
      return {
        ...stream,
        append: (bytes, expected) => {
          sent.set(expected + 1, Buffer.from(bytes))
          return stream.append(bytes, expected)
        },
        read: async (sequence) => {
          const found = await stream.read(sequence)
          return found === null ? null : (sent.get(sequence) ?? found)
        },
      }
    },
  },
  'repair compares nothing': {
    foundBy: 1004,
    stream: (stream, store) => ({
      ...stream,
      read: async (sequence) => {
        const found = await stream.read(sequence)
        return found === null ? null : (store.read(sequence) ?? found)
      },
    }),
  },
  'a candidate asks nobody for positions': {
    foundBy: 247,
    positions: () => async () => [],
  },
  'an owner acknowledges before its disk has written': {
    foundBy: 1,
    store: (store, pause) => {
      let seen = store.position()
      return {
        ...store,
        position: () => (seen.applied > store.position().applied ? seen : store.position()),
        write: async (records, after) => {
          seen = after
          void pause(1)
            .then(() => store.write(records, after))
            .catch(() => undefined)
        },
      }
    },
  },
  'servers drop what one node has': {
    foundBy: 31,
    logKept: (rule) => ({ ...rule, records: 5, ms: 0, nodesMin: 1 }),
  },
  'a former holder counts too few others': {
    foundBy: 1,
    copiesRule: (rule) => ({ ...rule, copies: Math.max(1, rule.copies - 1) }),
  },
  'a node says that it knows of a move, and does not': {
    foundBy: 26,
    moves: (node, known, nowMs) => {
      if (node !== 'a' && node !== 'b') return known
      let [stale, sinceMs] = [known().nodes, nowMs()]
      return () => {
        const { number, nodes } = known()
        if (nodes.size === stale.size || nowMs() - sinceMs > 5_000) [stale, sinceMs] = [nodes, nowMs()]
        return { number, nodes: stale }
      }
    },
  },
  'a lost consumer is not replaced': {
    foundBy: 2,
    stream: (stream) => ({
      ...stream,
      follow: (after, take) => {
        const following = stream.follow(after, take)
        return { ...following, restart: following.stop }
      },
    }),
  },
}
