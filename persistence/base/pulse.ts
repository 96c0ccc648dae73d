/** What a pulse needs of its thread: a monotonic clock and a timer, in milliseconds. */
export type PulseClock = {
  readonly nowMs: () => number
  /** Calls back once; the timer does not keep an otherwise idle thread alive. */
  readonly after: (ms: number, callback: () => void) => () => void
}

/** Runs something again and again, and says how late; returns a function that stops it. A period may change from one time to the next. */
export type Every = (period: number | (() => number), run: (lateMs: number) => void) => () => void

type Job = { readonly periodMs: () => number; readonly run: (lateMs: number) => void; dueAtMs: number }

/**
 * Periodic work that is due at multiples of its period, all by one timer: work with periods that divide each other is done together. Waking
 * an idle thread takes more processor time than most of what it is woken for.
 */
export const newPulse = (clock: PulseClock): Every => {
  const jobs = new Set<Job>()
  let timerAtMs = Number.POSITIVE_INFINITY
  let stopTimer = (): void => undefined

  const beat = (): void => {
    timerAtMs = Number.POSITIVE_INFINITY
    const nowMs = clock.nowMs()
    // A timer may be a little early by this clock.
    const due = [...jobs].filter((job) => job.dueAtMs <= nowMs + earlyMs)
    const late = due.map((job) => {
      const lateMs = Math.max(0, nowMs - job.dueAtMs)
      job.dueAtMs = nextMultiple(Math.max(nowMs, job.dueAtMs), job.periodMs())
      return lateMs
    })
    // Before anything is done: what throws is not to stop the pulse.
    schedule()
    for (const [n, job] of due.entries()) if (jobs.has(job)) job.run(late[n]!)
  }
  const schedule = (): void => {
    const dueAtMs = Math.min(...[...jobs].map((job) => job.dueAtMs))
    if (dueAtMs >= timerAtMs) return
    stopTimer()
    timerAtMs = dueAtMs
    stopTimer = clock.after(Math.max(1, Math.ceil(dueAtMs - clock.nowMs())), beat)
  }

  return (period, run) => {
    const periodMs = typeof period === 'number' ? () => period : period
    const job: Job = { periodMs, run, dueAtMs: nextMultiple(clock.nowMs(), periodMs()) }
    jobs.add(job)
    schedule()
    return () => void jobs.delete(job)
  }
}

const nextMultiple = (ms: number, periodMs: number): number => (Math.floor(ms / periodMs) + 1) * periodMs

const earlyMs = 1

const inThread = newPulse({
  nowMs: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
})

/** The pulse of this thread. */
export const every: Every = (period, run) => inThread(period, run)
