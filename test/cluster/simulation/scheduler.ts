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

  const step = (): void => {
    const happening = pop()
    nowMs = happening.atMs
    events += 1
    happening.run()
  }

  /** Lets one event happen after the other for as long as `mayGoOn` says so, which is asked when all promises of the one before are settled. */
  const stepWhile = (mayGoOn: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      // Not a loop that awaits: that makes four promises for each event.
      const next = (): void => {
        try {
          if (mayGoOn()) {
            step()
            process.nextTick(continueSettled)
          } else resolve()
        } catch (error) {
          reject(error)
        }
      }
      // Node takes its ticks one after the other, and what promises wait for only behind the last one.
      const continueSettled = (): void => void settled.then(next)
      next()
    })

  return {
    /** True time, in milliseconds since the start. */
    nowMs: (): number => nowMs,
    events: (): number => events,
    after: (ms: number, run: () => void): void =>
      push({ atMs: nowMs + Math.max(0, ms), order: random.next(), run }),
    /** Lets time pass, and calls `afterEach` after every event; ends early when that says so. */
    runFor: async (ms: number, afterEach: () => 'GO_ON' | 'STOP' = () => 'GO_ON'): Promise<void> => {
      const endMs = nowMs + ms
      let isStopped = false
      let isFirst = true
      await stepWhile(() => {
        isStopped = !isFirst && afterEach() === 'STOP'
        isFirst = false
        return !isStopped && heap.length > 0 && heap[0]!.atMs <= endMs
      })
      if (!isStopped) nowMs = endMs
    },
    /** Lets time pass until a promise is settled. */
    drive: async <Result>(promise: Promise<Result>): Promise<Result> => {
      let isOver = false
      const over = (): void => {
        isOver = true
      }
      promise.then(over, over)
      await new Promise<void>((resolve) => process.nextTick(resolve))
      await stepWhile(() => {
        if (!isOver && heap.length === 0) throw new Error('nothing is left that could settle the promise')
        return !isOver
      })
      return promise
    },
  }
}

const settled = Promise.resolve()
