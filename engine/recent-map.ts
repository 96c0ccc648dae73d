/** A map of the last `max` keys that were put into it: a new one takes the place of the oldest. */
export type RecentMap<Value> = {
  readonly get: (key: string) => Value | undefined
  readonly set: (key: string, value: Value) => void
  readonly delete: (key: string) => void
  readonly entries: () => Iterable<readonly [key: string, value: Value]>
}

/** Places in turn, because a plain map looks for its oldest key among all the ones that it has already lost. */
export const newRecentMap = <Value>(max: number): RecentMap<Value> => {
  const values = new Map<string, Value>()
  const keys: string[] = []
  let turn = 0
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      if (!values.has(key)) {
        const oldest = keys[turn]
        if (oldest !== undefined) values.delete(oldest)
        keys[turn] = key
        turn = (turn + 1) % max
      }
      values.set(key, value)
    },
    delete: (key) => {
      values.delete(key)
    },
    entries: () => values.entries(),
  }
}
