import type { Deadline } from '../http/http.ts'
import type { ProviderIo } from '../port.ts'

/** How much time exchanges have in milliseconds (rails, section 1.4). What is asked while a request waits has less. */
export const waits = { tokenMs: 5_000, askMs: 8_000, backgroundMs: 20_000 } as const

/** Runs an exchange with a deadline so many milliseconds ahead, which is lifted with its outcome. */
export const within = <Outcome>(
  { timeout }: Pick<ProviderIo, 'timeout'>,
  ms: number,
  run: (deadline: Deadline) => Promise<Outcome>,
): Promise<Outcome> => {
  const callbacks = new Set<() => void>()
  let hasPassed = false
  const lift = timeout(ms, () => {
    hasPassed = true
    for (const callback of callbacks) callback()
    callbacks.clear()
  })
  const deadline: Deadline = {
    hasPassed: () => hasPassed,
    onPassed: (callback) => {
      callbacks.add(callback)
      return () => void callbacks.delete(callback)
    },
  }
  return run(deadline).finally(lift)
}
