import Type from 'typebox'
import type {
  Evidence,
  InquiryOutcome,
  ProviderAsk,
  ProviderInstance,
  ProviderModule,
  ProviderOutcome,
  Refusal,
} from '../port.ts'

/** Sandbox providers that take their time decide after this long (decisions, section 29). */
const decidesAfterMs = 5_000

/** Whether a call has been open long enough for a slow Sandbox provider to decide. */
export const isDecided = ({ openedAtMs, nowMs }: Pick<ProviderAsk, 'openedAtMs' | 'nowMs'>): boolean =>
  nowMs - openedAtMs >= decidesAfterMs

/** What every module of the Sandbox has: nothing to be set, and nothing that could hang. */
export const sandboxBase: Pick<ProviderModule, 'settings' | 'limits'> = {
  settings: Type.Object({}),
  limits: null,
}

/**
 * A Sandbox provider at work. It remembers nothing, and its outcome follows from the ask alone: so does what has become of it.
 */
export const opened =
  (
    outcomeOf: (ask: ProviderAsk) => ProviderOutcome,
    more: Pick<ProviderInstance, 'prices'> = {},
  ): ProviderModule['open'] =>
  () => ({
    ask: async (ask) => outcomeOf(ask),
    inquire: async (ask): Promise<InquiryOutcome> => outcomeOf(ask),
    health: async () => ({ works: true, detail: null, certificateEndsAtMs: null }),
    close: () => undefined,
    ...more,
  })

/** It is done, as it was asked. */
export const doneAs = (
  { reference, amountCents }: ProviderAsk,
  evidence: Evidence | null = null,
): ProviderOutcome => ({ type: 'DONE', echo: { reference, amountCents, payee: null }, evidence })

/** Not decided yet. */
export const undecidedYet: ProviderOutcome = { type: 'PENDING', againInMs: null, evidence: null }

/** No outcome. */
export const saysNothing: ProviderOutcome = { type: 'SILENT' }

/** A refusal: the provider cannot do this, and nothing was done. */
export const refusedWith = (message: string, change: Partial<Refusal> = {}): ProviderOutcome => ({
  type: 'REFUSED',
  refusal: {
    reason: 'PROVIDER_ERROR',
    message,
    network: null,
    provider: null,
    retryOn: 'NONE',
    stepUp: false,
    attempt: null,
    ...change,
  },
})

/** How a slow rail answers a refund; null if the rail confirms at once. */
export const refundOutcome = (ask: ProviderAsk): ProviderOutcome | null => {
  const { scenario } = ask
  if (scenario !== 'refund_fails' && scenario !== 'refund_slow') return null
  if (!isDecided(ask)) return undecidedYet
  return scenario === 'refund_slow' ? null : refusedWith('the refund was refused')
}
