/**
 * A map of about the last `max` keys used. A new key replaces the oldest that was not used again since the last round
 * (second chance, as in page replacement).
 */
export type RecentMap<Value> = {
  readonly get: (key: string) => Value | undefined
  readonly set: (key: string, value: Value) => void
  readonly delete: (key: string) => void
  readonly entries: () => Iterable<readonly [key: string, value: Value]>
}

type Place<Value> = { readonly key: string; value: Value; isUsed: boolean }

/** Uses a ring of places: a plain map would search for its oldest key past all those already deleted. */
export const newRecentMap = <Value>(max: number): RecentMap<Value> => {
  const values = new Map<string, Place<Value>>()
  const places: Place<Value>[] = []
  let turn = 0

  const put = (place: Place<Value>): void => {
    while (places[turn]?.isUsed) {
      places[turn]!.isUsed = false
      turn = (turn + 1) % max
    }
    const oldest = places[turn]
    if (oldest !== undefined && values.get(oldest.key) === oldest) values.delete(oldest.key)
    places[turn] = place
    turn = (turn + 1) % max
    values.set(place.key, place)
  }

  return {
    get: (key) => {
      const place = values.get(key)
      if (place === undefined) return undefined
      place.isUsed = true
      return place.value
    },
    set: (key, value) => {
      const place = values.get(key)
      if (place === undefined) return put({ key, value, isUsed: false })
      place.value = value
      place.isUsed = true
    },
    delete: (key) => {
      const place = values.get(key)
      if (place === undefined) return
      place.isUsed = false
      values.delete(key)
    },
    entries: function* () {
      for (const [key, { value }] of values) yield [key, value] as const
    },
  }
}
