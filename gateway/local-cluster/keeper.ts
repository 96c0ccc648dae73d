import { setTimeout as delay } from 'node:timers/promises'
import type { Teller } from './lines.ts'
import type { Running } from './process.ts'

/** A program that is kept running, as a supervisor does on a server. */
export type KeptProgram = {
  readonly name: string
  readonly pid: () => number
  /** Resolves when the check succeeds; rejects if the program ends first, or is no longer wanted. */
  readonly ready: (check: () => Promise<boolean>, stopping: AbortSignal) => Promise<void>
  /** Resolves when it has ended for good. */
  readonly gone: Promise<void>
  readonly stop: (withinMs: number) => Promise<void>
}

/** Starts a program, and restarts it if it is killed or asked to end. A program that failed is not restarted: it has said why. */
export const keepRunning = (name: string, start: () => Running, teller: Teller): KeptProgram => {
  let running = start()
  const stop = new AbortController()

  const watch = async (): Promise<void> => {
    for (;;) {
      const how = await running.ended
      if (stop.signal.aborted) return
      if (typeof how === 'number' && how !== 0)
        return teller.say(name, `ended with ${how}, and is not started again`)
      teller.say(name, `ended${how === 0 ? '' : ` by ${how}`}; it starts again in ${restartMs / 1000} s`)
      await delay(restartMs, undefined, { signal: stop.signal })
      running = start()
      teller.say(name, `starts again, pid ${running.pid}`)
    }
  }
  const gone = watch().catch(() => undefined)

  return {
    name,
    pid: () => running.pid,
    gone,
    ready: async (check, stopping) => {
      while (!(await check().catch(() => false))) {
        stopping.throwIfAborted()
        if (!running.isRunning()) throw new Error(`${name} ended before it was ready`)
        await delay(pollMs)
      }
    },
    stop: async (withinMs) => {
      stop.abort()
      if (running.isRunning()) await running.stop(withinMs)
    },
  }
}

/** Long enough to see that the others go on without it. */
const restartMs = 15_000
const pollMs = 50
