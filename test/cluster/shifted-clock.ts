/** Loaded before a node: its wall clock differs by CLOCK_SHIFT_MS, in every thread. */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS)
const { now } = Date
Date.now = () => now() + shiftMs
globalThis.Date = class extends Date {
  constructor(...values: readonly unknown[]) {
    if (values.length === 0) super(now() + shiftMs)
    else super(...(values as [number]))
  }
} as DateConstructor
