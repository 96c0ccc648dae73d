/** Ids by due time, earliest first: a binary heap. An id may be in it more than once; the caller knows which time counts. */
export type DueQueue = {
  readonly push: (dueAtMs: number, id: string) => void
  readonly peek: () => { readonly dueAtMs: number; readonly id: string } | undefined
  /** Takes the first one out; there is one. */
  readonly pop: () => void
}

export const newDueQueue = (): DueQueue => {
  // Two columns instead of objects: nearly every charge waits here for its expiry.
  const times: number[] = []
  const ids: string[] = []
  const swap = (a: number, b: number): void => {
    const dueAtMs = times[a]!
    times[a] = times[b]!
    times[b] = dueAtMs
    const id = ids[a]!
    ids[a] = ids[b]!
    ids[b] = id
  }
  return {
    push: (dueAtMs, id) => {
      ids.push(id)
      let place = times.push(dueAtMs) - 1
      while (place > 0) {
        const parent = (place - 1) >>> 1
        if (times[parent]! <= times[place]!) break
        swap(parent, place)
        place = parent
      }
    },
    peek: () => (times.length === 0 ? undefined : { dueAtMs: times[0]!, id: ids[0]! }),
    pop: () => {
      swap(0, times.length - 1)
      times.pop()
      ids.pop()
      for (let place = 0; ; ) {
        const left = 2 * place + 1
        if (left >= times.length) break
        const child = left + 1 < times.length && times[left + 1]! < times[left]! ? left + 1 : left
        if (times[place]! <= times[child]!) break
        swap(place, child)
        place = child
      }
    },
  }
}
