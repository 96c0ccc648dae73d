/**
 * Watches whether NATS answers on a connection. Beats are counted rather than time: after a pause of this process, answers that have arrived meanwhile are
 * read first. A beat in which nothing at all arrived counts twice: a server with much to do answers late and still delivers messages,
 * and leaving it would make things worse. The client's own pings would notice a connection that hears or speaks no more after twice
 * as long.
 */
export const openLinkWatch = (options: {
  /** Resolves when a server has answered. */
  readonly ask: () => Promise<unknown>
  /** How many messages have arrived so far. */
  readonly received: () => number
  /** This many silent beats, or twice as many without an answer, are too many. */
  readonly beatsMax: number
  /** Called when that happens, and again whenever it has lasted as long once more. */
  readonly onLost: () => void
}) => {
  const { ask, received, beatsMax, onLost } = options
  const waitedMax = 2 * beatsMax
  let waited = 0
  let nextLoss = waitedMax
  let before = received()
  let isPending = false

  const send = async (): Promise<void> => {
    isPending = true
    try {
      await ask()
      waited = 0
      nextLoss = waitedMax
    } catch {
      // The connection was lost, and comes back by itself.
    }
    isPending = false
  }

  return {
    /** Asks again once the last answer has come. Called in equal intervals. */
    beat: (): void => {
      const receivedBytes = received()
      waited += receivedBytes === before ? 2 : 1
      before = receivedBytes
      if (!isPending) void send()
      if (waited < nextLoss) return
      nextLoss = waited + waitedMax
      onLost()
    },
    /** Whether no answer has come for too long. */
    isLost: (): boolean => waited >= waitedMax,
  }
}
