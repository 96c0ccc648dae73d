/**
 * Loaded before all else: time goes on as the machine's, and can be moved on from outside. Dates, the stopwatch and timers of this thread move
 * together; a timer that is passed over fires once.
 */
let shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0)

const wallNow = Date.now
const stopwatchNow = performance.now.bind(performance)
Date.now = () => wallNow() + shiftMs
performance.now = () => stopwatchNow() + shiftMs
globalThis.Date = class extends Date {
  constructor(...values: readonly unknown[]) {
    if (values.length === 0) super(Date.now())
    else super(...(values as [number]))
  }
} as DateConstructor

const { setTimeout: wait, clearTimeout: stopWaiting } = globalThis

/** A busy machine must not make the service impatient with a bank: long waits end when the clock is moved, and much later without. */
const longMs = 2_000
const slowly = 20

type Timer = ReturnType<typeof newTimer>
const timers = new Set<Timer>()

const newTimer = (callback: (...values: any[]) => void, ms: number, values: any[], repeats: boolean) => {
  const everyMs = Number.isFinite(ms) && ms > 0 ? ms : 1
  let real: NodeJS.Timeout | undefined
  let holdsOpen = true
  const arm = (inMs: number): void => {
    stopWaiting(real)
    real = wait(fire, inMs < longMs ? Math.max(inMs, 0) : slowly * inMs)
    if (!holdsOpen) real.unref()
  }
  const start = (): void => {
    timer.dueMs = performance.now() + everyMs
    timers.add(timer)
    arm(everyMs)
  }
  const fire = (): void => {
    timers.delete(timer)
    if (repeats) start()
    callback(...values)
  }
  const timer = {
    dueMs: 0,
    arm: () => arm(timer.dueMs - performance.now()),
    clear: () => {
      timers.delete(timer)
      stopWaiting(real)
    },
    ref: () => {
      holdsOpen = true
      real?.ref()
      return timer
    },
    unref: () => {
      holdsOpen = false
      real?.unref()
      return timer
    },
    hasRef: () => holdsOpen,
    refresh: () => {
      start()
      return timer
    },
    close: () => timer.clear(),
    [Symbol.toPrimitive]: () => 0,
  }
  start()
  return timer
}

const clear = (timer: any): void => {
  if (timers.has(timer)) timer.clear()
  else stopWaiting(timer)
}

Object.assign(globalThis, {
  setTimeout: (callback: any, ms: number, ...values: any[]) => newTimer(callback, ms, values, false),
  setInterval: (callback: any, ms: number, ...values: any[]) => newTimer(callback, ms, values, true),
  clearTimeout: clear,
  clearInterval: clear,
})

/** Moves the time of this thread on. What becomes due happens from the next turn on, in its order. */
export const moveClock = (ms: number): void => {
  shiftMs += ms
  for (const timer of [...timers].sort((a, b) => a.dueMs - b.dueMs)) timer.arm()
}

/** Waits by the machine's clock. */
export const realWait = (ms: number): Promise<void> => new Promise((resolve) => void wait(resolve, ms))
