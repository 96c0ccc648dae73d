import { attest, checkAttestation, type PagesSeen } from '../checkout/attest.ts'
import { type Input, type Operations, operationsOn, taking } from '../operations/input.ts'
import { refuse, refuseInvalid } from '../problems/refusal.ts'

export type AttestOptions = {
  readonly masterKey: Uint8Array
  readonly realNow: () => number
  readonly pagesSeen: () => Promise<PagesSeen>
}

/** What the pages where payers pay load, signed, for an assessor; or what has changed since such a list was kept. */
export const attestOperations = (options: AttestOptions): Operations =>
  operationsOn(options, { 'checkout attest': taking(['verify'], attested) })

const attested = async (
  { masterKey, realNow, pagesSeen }: AttestOptions,
  { verify }: Input,
): Promise<object> => {
  const seen = await pagesSeen()
  if (seen.origin === '') refuse('this service has no pages where payers pay: CHECKOUT_ORIGIN is not set')
  const current = attest(masterKey, seen, realNow())
  if (verify === undefined) return current
  if (typeof verify !== 'object' || verify === null || Array.isArray(verify))
    return refuseInvalid('verify must be what `payments checkout attest --json` printed')
  return checkAttestation(verify, current)
}
