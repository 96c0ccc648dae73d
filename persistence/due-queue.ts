/** Ids by due time, earliest first: a binary heap. An id may be in it more than once; the caller knows which time counts. */
export type DueQueue = {
  readonly push: (dueAtMs: number, id: string) => void
  readonly peek: () => { readonly dueAtMs: number; readonly id: string } | undefined
  readonly pop: () => void
}

export const newDueQueue = (): DueQueue => {
  const heap: { dueAtMs: number; id: string }[] = []
  const swap = (a: number, b: number): void => {
    const item = heap[a]!
    heap[a] = heap[b]!
    heap[b] = item
  }
  return {
    push: (dueAtMs, id) => {
      let place = heap.push({ dueAtMs, id }) - 1
      while (place > 0) {
        const parent = (place - 1) >>> 1
        if (heap[parent]!.dueAtMs <= heap[place]!.dueAtMs) break
        swap(parent, place)
        place = parent
      }
    },
    peek: () => heap[0],
    pop: () => {
      const last = heap.pop()
      if (last === undefined || heap.length === 0) return
      heap[0] = last
      for (let place = 0; ; ) {
        const left = 2 * place + 1
        if (left >= heap.length) break
        const child =
          left + 1 < heap.length && heap[left + 1]!.dueAtMs < heap[left]!.dueAtMs ? left + 1 : left
        if (heap[place]!.dueAtMs <= heap[child]!.dueAtMs) break
        swap(place, child)
        place = child
      }
    },
  }
}
