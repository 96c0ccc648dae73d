import type { ShardCopies, ShardMoves } from '../../../engine/companies/directory.ts'

/**
 * A model of the directory's log, as far as it says who holds copies and who should own a log: facts in one order, of which each node knows the
 * first so many. What is asked for is stored only where what it was decided on is still so.
 */
export type PlacementsModel = ReturnType<typeof newPlacementsModel>

type State = { readonly copies: ReadonlyMap<number, ShardCopies>; readonly moves: ShardMoves }

export const newPlacementsModel = (
  /** A log was moved because of its load. */
  onMoved: (log: number) => void = () => undefined,
) => {
  /** By how many facts there are: what is so then. */
  const states: State[] = [{ copies: new Map(), moves: { number: 0, nodes: new Map() } }]
  const last = (): State => states.at(-1)!
  const withMove = (log: number, node: string | null): ShardMoves => {
    const { number, nodes } = last().moves
    const after = new Map(nodes)
    if (node === null) after.delete(log)
    else after.set(log, node)
    return { number: number + 1, nodes: after }
  }
  return {
    count: (): number => states.length - 1,
    at: (count: number, log: number): ShardCopies | null => states[count]!.copies.get(log) ?? null,
    movesAt: (count: number): ShardMoves => states[count]!.moves,
    now: (log: number): ShardCopies | null => last().copies.get(log) ?? null,
    movesNow: (): ShardMoves => last().moves,
    place: (log: number, number: number, nodes: readonly string[]): boolean => {
      const { copies, moves } = last()
      if ((copies.get(log)?.number ?? 0) !== number) return false
      states.push({ moves, copies: new Map([...copies, [log, { number: number + 1, nodes }]]) })
      return true
    },
    move: (log: number, number: number, node: string): boolean => {
      if (last().moves.number !== number) return false
      states.push({ ...last(), moves: withMove(log, node) })
      onMoved(log)
      return true
    },
    /** An operator pins a log, or takes that back. */
    pinned: (log: number): void => {
      if (last().moves.nodes.has(log)) states.push({ ...last(), moves: withMove(log, null) })
    },
  }
}
