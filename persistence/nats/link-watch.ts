/**
 * Watches whether NATS answers on a connection. It counts beats instead of time, so that after a pause of this
 * process the answers that arrived meanwhile are read first. A beat without any message counts twice: a busy
 * server answers late and still delivers messages, and leaving it would make things worse. The client's own pings
 * would notice a dead connection after twice as long.
 */
export const openLinkWatch = (options: {
  /** Resolves when a server has answered. */
  readonly ask: () => Promise<unknown>
  /** How many messages have arrived so far. */
  readonly received: () => number
  /** This many silent beats, or twice as many without an answer, are too many. */
  readonly beatsMax: number
  /** Called when there are too many, and again whenever the silence has lasted as long once more. */
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
