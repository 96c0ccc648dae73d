import type { Clock } from './clock.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'

/** A process, as far as what happens to it goes: it runs, stands still, or is gone. */
export type Process = {
  /** Runs something in the process: later if it stands still, never if it has ended. */
  readonly run: (kind: 'TIMER' | 'MESSAGE', work: () => void) => void
}

/** What ties one process to the NATS servers: a connection that is slow, cut, or cut in one direction. */
export type Link = ReturnType<typeof newLink>

export type LinkFaults = {
  /** Nothing that the process sends arrives. */
  isMute: boolean
  /** Nothing that is sent to the process arrives. */
  isDeaf: boolean
  /** Milliseconds that each direction takes in addition. */
  lateMs: number
}

export const newLink = (
  { after, nowMs }: Pick<Scheduler, 'after' | 'nowMs'>,
  random: Random,
  clock: Pick<Clock, 'trueMs'>,
  process: Process,
  faults: LinkFaults,
) => {
  /** Counts connections: what is on its way on an old one is lost. */
  let connection = 1
  let isConnected = true
  let received = 0
  let hear = (): void => undefined
  const waiting: (() => void)[] = []
  const unanswered = new Set<(error: Error) => void>()
  const ways = { there: 0, back: 0 }

  /** Each direction keeps its order. */
  const arrival = (way: 'there' | 'back'): number => {
    ways[way] = Math.max(ways[way] + 1e-6, nowMs() + random.skewed(0.1, 20) + faults.lateMs)
    return ways[way] - nowMs()
  }

  const isOpen = (): boolean => isConnected && !faults.isMute && !faults.isDeaf

  /** Runs something at the servers. What is sent without a connection is lost, or arrives when there is one. */
  const send = (work: () => void): void => {
    if (!isConnected) {
      if (random.chance(0.5)) waiting.push(work)
      return
    }
    const sentOn = connection
    after(arrival('there'), () => {
      if (!faults.isMute) work()
      else if (sentOn === connection && random.chance(0.3)) waiting.push(work)
    })
  }

  /** Runs something that the servers send to the process; calls `onLost` where it never arrives. */
  const receive = (work: () => void, onLost: () => void = () => undefined): void => {
    const sentOn = connection
    after(arrival('back'), () => {
      if (faults.isDeaf || sentOn !== connection || !isConnected) return onLost()
      received += 1
      process.run('MESSAGE', () => (sentOn === connection ? work() : onLost()))
    })
  }

  const sendWaiting = (): void => {
    for (const work of waiting.splice(0)) send(work)
  }

  const timer = (ms: number, work: () => void): void =>
    after(clock.trueMs(ms), () => process.run('TIMER', work))

  return {
    send,
    receive,
    timer,
    pause: (ms: number): Promise<void> => new Promise((resolve) => timer(ms, resolve)),
    isOpen,
    receivedCount: (): number => received,
    /** Resolves when the servers have answered; rejects when the connection is lost. */
    flush: (): Promise<void> =>
      new Promise((resolve, reject) => {
        unanswered.add(reject)
        send(() => receive(() => (unanswered.delete(reject) ? resolve() : undefined)))
      }),
    /** Hears of every connection behind the first. */
    onReconnected: (listener: () => void): void => {
      hear = listener
    },
    /** Leaves the server, and comes back to one as soon as it can. */
    reconnect: (): void => {
      if (!isConnected) return
      isConnected = false
      connection += 1
      for (const reject of unanswered) reject(new Error('the connection is lost'))
      unanswered.clear()
      const tryToConnect = (): void =>
        timer(random.skewed(20, 600), () => {
          if (faults.isMute || faults.isDeaf) return tryToConnect()
          isConnected = true
          sendWaiting()
          process.run('MESSAGE', hear)
        })
      tryToConnect()
    },
    /** A fault is over: some of what was sent meanwhile arrives now. */
    mended: (): void => {
      if (isConnected) sendWaiting()
    },
  }
}
