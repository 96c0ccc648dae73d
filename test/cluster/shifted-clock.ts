import { existsSync } from 'node:fs'

/** Loaded before a node: its wall clock differs by CLOCK_SHIFT_MS, in every thread, until there is the file CLOCK_SET_FILE. */
let shiftMs = Number(process.env.CLOCK_SHIFT_MS)
const looking = setInterval(() => {
  if (!existsSync(process.env.CLOCK_SET_FILE!)) return
  shiftMs = 0
  clearInterval(looking)
}, 100).unref()
const { now } = Date
Date.now = () => now() + shiftMs
globalThis.Date = class extends Date {
  constructor(...values: readonly unknown[]) {
    if (values.length === 0) super(now() + shiftMs)
    else super(...(values as [number]))
  }
} as DateConstructor
