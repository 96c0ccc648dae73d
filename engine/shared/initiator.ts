/** Who caused a step: an API key, a person at the dashboard, the payer, a provider, the service's clock, the Sandbox or an operator. */
export type Initiator = {
  readonly kind: 'KEY' | 'PERSON' | 'PAYER' | 'CLOCK' | 'SANDBOX' | 'OPERATOR' | 'PROVIDER'
  readonly id: string | null
}

/** The service's clock starts a step by itself. */
export const byClock: Initiator = { kind: 'CLOCK', id: null }

/** An operator, or the service on behalf of one. */
export const byOperator: Initiator = { kind: 'OPERATOR', id: null }

/** A bank or acquirer, by what it has reported. */
export const byProvider: Initiator = { kind: 'PROVIDER', id: null }

/** Whether a client waits for the reply: keys, people, payers and the Sandbox do; everything else comes from inside. */
export const isAsker = ({ kind }: Initiator): boolean =>
  kind === 'KEY' || kind === 'PERSON' || kind === 'PAYER' || kind === 'SANDBOX'
