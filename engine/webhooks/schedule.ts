const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Waits after failed attempts 1 to 11, each counted from the end of the attempt (payments-api, Events, Delivery). */
export const retryDelaysMs: readonly number[] = [
  30_000,
  2 * minuteMs,
  8 * minuteMs,
  32 * minuteMs,
  128 * minuteMs,
  ...Array.from({ length: 6 }, () => 8 * hourMs),
]

/** The first attempt and one after each wait. */
export const attemptsMax = retryDelaysMs.length + 1
