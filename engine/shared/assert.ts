/** Throws when an invariant is broken. The bug is ours, so the shard stops and recovers from its journal. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`)
}

/** The last line of a switch over a closed union: a forgotten case does not compile. */
export const unreachable = (value: never): never => {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
