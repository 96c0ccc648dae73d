import type { Duplex } from 'node:stream'

/** Connections with a time limit for their end. */
export type Endings = {
  /** Looks at a connection until it is closed. */
  readonly watch: (socket: Duplex) => void
  readonly stop: () => void
}

/**
 * Destroys connections whose end has not come within `timeoutMs`, an eighth of it late at most. `end` waits until everything before it has
 * left: a client that reads nothing more would keep the descriptor for ever. Node itself ends connections in several places and sets
 * none of them a time, so all connections are looked at, and not the calls.
 */
export const openEndings = (timeoutMs: number, onCut: () => void): Endings => {
  /** In how many looks the end of each was already under way. */
  const looks = new Map<Duplex, number>()
  let timer: NodeJS.Timeout | null = null

  const look = (): void => {
    if (looks.size === 0) stop()
    for (const [socket, seen] of looks) {
      if (!socket.writableEnded) continue
      if (seen > looksMax) {
        onCut()
        socket.destroy()
      } else looks.set(socket, seen + 1)
    }
  }
  const stop = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
  }

  return {
    watch: (socket) => {
      looks.set(socket, 0)
      timer ??= setInterval(look, Math.ceil(timeoutMs / looksMax)).unref()
      socket.once('close', () => looks.delete(socket))
    },
    stop,
  }
}

/** One look more than these must pass, because an end may have begun just before the first. */
const looksMax = 8
