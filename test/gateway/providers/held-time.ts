/** Time that passes when the test says so. */
export const holdTime = () => {
  let nowMs = 0
  let timers: { readonly atMs: number; readonly callback: () => void }[] = []
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 4; turns++) await turn()
  }
  return {
    now: () => nowMs,
    timeout: (ms: number, callback: () => void): (() => void) => {
      const timer = { atMs: nowMs + ms, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    timers: () => timers.length,
    settle,
    /** Lets so many milliseconds pass, and everything happen that they make due. */
    pass: async (ms: number): Promise<void> => {
      const untilMs = nowMs + ms
      await settle()
      for (;;) {
        const due = timers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]
        if (due === undefined) break
        nowMs = due.atMs
        timers = timers.filter((timer) => timer !== due)
        due.callback()
        await settle()
      }
      nowMs = untilMs
    },
  }
}
