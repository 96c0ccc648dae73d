/** Whether NATS answers on a connection. */
export type LinkWatch = {
  /** Asks again once the last answer has come. Called in equal intervals. */
  readonly beat: () => void
  /** Whether no answer has come for too long. */
  readonly isLost: () => boolean
}

/**
 * Watches a connection. Beats are counted rather than time: after a pause of this process, answers that have arrived meanwhile are
 * read first. The client's own pings would notice a connection that hears or speaks no more after twice as long.
 */
export const openLinkWatch = (options: {
  /** Resolves when a server has answered. */
  readonly ask: () => Promise<unknown>
  /** This many beats without an answer are too many. */
  readonly beatsMax: number
  /** Called when that happens, and again after as many beats. */
  readonly onLost: () => void
}): LinkWatch => {
  const { ask, beatsMax, onLost } = options
  let beats = 0
  let isPending = false

  const send = async (): Promise<void> => {
    isPending = true
    try {
      await ask()
      beats = 0
    } catch {
      // The connection was lost, and comes back by itself.
    }
    isPending = false
  }

  return {
    beat: () => {
      beats += 1
      if (!isPending) void send()
      if (beats % beatsMax === 0) onLost()
    },
    isLost: () => beats >= beatsMax,
  }
}
