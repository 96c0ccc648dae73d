import type { ProviderIo } from '../port.ts'

/** The end of an ask: what is still under way then is aborted, with all that it had begun. */
export type Deadline = { readonly signal: AbortSignal; readonly passed: Promise<void> }

/** How much time exchanges have in milliseconds (rails, section 1.4). What is asked while a request waits has less. */
export const waits = { connectMs: 2_000, tokenMs: 5_000, askMs: 8_000, backgroundMs: 20_000 } as const

/** Sets a deadline so many milliseconds ahead. */
export const deadlineIn = (io: Pick<ProviderIo, 'wait'>, ms: number): Deadline => {
  const controller = new AbortController()
  const passed = io.wait(ms).then(() => controller.abort())
  return { signal: controller.signal, passed }
}
