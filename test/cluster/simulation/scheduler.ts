import type { Random } from './random.ts'

/**
 * The only source of time and order in a simulation: events in virtual time, one after the other. What promises an event resolves runs to
 * its end before the next one begins. Events of one instant come in random order.
 */
export type Scheduler = ReturnType<typeof newScheduler>

type Happening = { readonly atMs: number; readonly order: number; readonly run: () => void }

export const newScheduler = (random: Random) => {
  const heap: Happening[] = []
  let nowMs = 0
  let events = 0

  const isBefore = (a: Happening, b: Happening): boolean =>
    a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)

  const push = (happening: Happening): void => {
    let place = heap.push(happening) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!isBefore(happening, heap[parent]!)) break
      heap[place] = heap[parent]!
      place = parent
    }
    heap[place] = happening
  }

  const pop = (): Happening => {
    const first = heap[0]!
    const last = heap.pop()!
    if (heap.length === 0) return first
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1
      if (!isBefore(heap[child]!, last)) break
      heap[place] = heap[child]!
      place = child
    }
    heap[place] = last
    return first
  }

  const step = async (): Promise<void> => {
    const happening = pop()
    nowMs = happening.atMs
    events += 1
    happening.run()
    await settled()
  }

  return {
    /** True time, in milliseconds since the start. */
    nowMs: (): number => nowMs,
    events: (): number => events,
    after: (ms: number, run: () => void): void =>
      push({ atMs: nowMs + Math.max(0, ms), order: random.next(), run }),
    /** Lets time pass, and calls `afterEach` after every event; ends early when that says so. */
    runFor: async (ms: number, afterEach: () => 'GO_ON' | 'STOP' = () => 'GO_ON'): Promise<void> => {
      const endMs = nowMs + ms
      while (heap.length > 0 && heap[0]!.atMs <= endMs) {
        await step()
        if (afterEach() === 'STOP') return
      }
      nowMs = endMs
    },
    /** Lets time pass until a promise is settled. */
    drive: async <Result>(promise: Promise<Result>): Promise<Result> => {
      let isOver = false
      const over = (): void => {
        isOver = true
      }
      promise.then(over, over)
      await settled()
      while (!isOver) {
        if (heap.length === 0) throw new Error('nothing is left that could settle the promise')
        await step()
      }
      return promise
    },
  }
}

/** Resolves when no promise has a reaction left: Node takes its ticks when it has run all of these. */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))
