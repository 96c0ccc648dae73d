const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Delays after failed attempts 1 to 11, from the end of each (payments-api, Events, Delivery). */
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
