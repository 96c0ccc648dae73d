type Place<Value> = { key: string; value: Value | undefined; isUsed: boolean }

/**
 * A map of about the last `max` keys used. A new key replaces the oldest that was not used again since the last round
 * (second chance, as in page replacement).
 * Uses a ring of places: a plain map would search for its oldest key past all those already deleted.
 */
export const newRecentMap = <Value>(max: number) => {
  const values = new Map<string, Place<Value>>()
  const places: Place<Value>[] = []
  /** Places whose keys were deleted. They are taken first, so that short-lived keys use few places. */
  const free: Place<Value>[] = []
  let generation = 0

  const takePlace = (): Place<Value> => {
    const freed = free.pop()
    if (freed !== undefined) return freed
    while (places[generation]?.isUsed) {
      places[generation]!.isUsed = false
      generation = (generation + 1) % max
    }
    places[generation] ??= { key: '', value: undefined, isUsed: false }
    const place = places[generation]!
    values.delete(place.key)
    generation = (generation + 1) % max
    return place
  }

  return {
    get: (key: string): Value | undefined => {
      const place = values.get(key)
      if (place === undefined) return undefined
      place.isUsed = true
      return place.value
    },
    set: (key: string, value: Value): void => {
      const known = values.get(key)
      const place = known ?? takePlace()
      place.key = key
      place.value = value
      place.isUsed = known !== undefined
      if (known === undefined) values.set(key, place)
    },
    delete: (key: string): void => {
      const place = values.get(key)
      if (place === undefined) return
      values.delete(key)
      place.value = undefined
      place.isUsed = false
      free.push(place)
    },
    entries: function* () {
      for (const [key, { value }] of values) yield [key, value!] as const
    },
  }
}
