import { type Entropy, type Environment, type Id, type IdPrefix, newId } from '../shared/ids.ts'

/** Time, ids and randomness: everything that a decision may not make for itself. */
export type Context = {
  /** The environment clock: virtual in Sandbox. All that the domain knows of time. */
  readonly nowMs: number
  /** The real clock: ids, idempotency, webhook back-off. */
  readonly atMs: number
  readonly entropy: Entropy
  readonly institution: Institution
}

/** The payment institution in whose name charges are issued. */
export interface Institution {
  /** Eight characters; part of every end-to-end id. */
  readonly ispb: string
  /** Host and path, without a scheme, that the payer's app asks for a charge; a token follows it. */
  readonly pixLocation: string
  /** Whether card payments can be made: an acquirer is connected. */
  readonly acquirers: Readonly<Record<Environment, boolean>>
  /** Whether recipients of splits can be paid: a bank is connected. Until then their transfers wait. */
  readonly banks: Readonly<Record<Environment, boolean>>
}

export const contextId = <Prefix extends IdPrefix>(context: Context, prefix: Prefix): Id<Prefix> =>
  newId(prefix, context.atMs, context.entropy)
