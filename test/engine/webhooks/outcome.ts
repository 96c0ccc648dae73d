import type { AttemptOutcome } from '../../../engine/webhooks/delivery.ts'

/** The outcome of an attempt that the receiver took, or another one. */
export const anOutcome = (different: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  url: '',
  startedAtMs: 0,
  latencyMs: 1,
  statusCode: 200,
  error: null,
  responseSnippet: '',
  ...different,
})
