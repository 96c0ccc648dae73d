/**
 * The time of a simulator, which its test holds: nothing in it reads the machine's clock or waits. As a process it can follow the
 * machine's clock from any moment on, and still be advanced.
 */
export type RailClock = {
  readonly nowMs: () => number
  /** Has work done when the clock reaches a moment, or in the next `advance` if that has passed; returns what cancels it. */
  readonly at: (dueMs: number, work: () => unknown) => () => void
  /** Moves on, doing what becomes due in its order and at its moment; resolves when all of it is done. */
  readonly advance: (ms: number) => Promise<void>
  /** The moments of what is still to be done, earliest first. */
  readonly due: () => readonly number[]
  /** Ends the timers of a clock that follows the machine's. */
  readonly stop: () => void
}

export type ClockOptions = {
  readonly startMs: number
  /** Whether the clock goes on by itself. */
  readonly runs?: boolean
}

type Due = { readonly dueMs: number; readonly order: number; readonly work: () => unknown }

/** Opens a clock that stands at a moment, or goes on from it. */
export const openClock = ({ startMs, runs = false }: ClockOptions): RailClock => {
  let waiting: readonly Due[] = []
  let order = 0
  let setMs = startMs
  let setAt = performance.now()
  let timer: NodeJS.Timeout | undefined
  let done = Promise.resolve()

  const nowMs = (): number => Math.floor(runs ? setMs + performance.now() - setAt : setMs)
  const setTo = (ms: number): void => {
    setMs = ms
    setAt = performance.now()
  }

  const advanceTo = async (targetMs: number): Promise<void> => {
    for (;;) {
      const [next] = waiting
      if (next === undefined || next.dueMs > targetMs) break
      waiting = waiting.slice(1)
      if (next.dueMs > nowMs()) setTo(next.dueMs)
      await next.work()
    }
    if (targetMs > nowMs()) setTo(targetMs)
  }

  /** One after the other: what is advanced by two at once is advanced by the sum. */
  const advance = (ms: number): Promise<void> => {
    const moved = done.then(() => advanceTo(nowMs() + ms)).then(wake)
    done = moved.catch(() => undefined)
    return moved
  }

  const wake = (): void => {
    clearTimeout(timer)
    const [next] = waiting
    if (!runs || next === undefined) return
    // Longer waits than a timer can hold are taken in turns.
    timer = setTimeout(() => void advance(0), Math.min(Math.max(next.dueMs - nowMs(), 0) + 1, 2 ** 30))
  }

  return {
    nowMs,
    at: (dueMs, work) => {
      const due = { dueMs, order: order++, work }
      waiting = [...waiting, due].sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)
      wake()
      return () => {
        waiting = waiting.filter((other) => other !== due)
      }
    },
    advance,
    due: () => waiting.map(({ dueMs }) => dueMs),
    stop: () => {
      clearTimeout(timer)
      waiting = []
    },
  }
}
