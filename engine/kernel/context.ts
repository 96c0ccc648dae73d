import {
  type AccountId,
  type Entropy,
  type Environment,
  environmentOf,
  type Id,
  type IdPrefix,
  newId,
} from '../shared/ids.ts'
import type { Rail } from '../shared/rail.ts'

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
  /** The names of the providers that are connected. */
  readonly providers: Readonly<Record<Environment, Readonly<Partial<Record<Rail, string>>>>>
}

/** The name of the provider that is connected for an account's rail; null where none is. */
export const providerOf = (
  { providers }: Pick<Institution, 'providers'>,
  accountId: AccountId,
  rail: Rail,
): string | null => providers[environmentOf(accountId)][rail] ?? null

export const contextId = <Prefix extends IdPrefix>(context: Context, prefix: Prefix): Id<Prefix> =>
  newId(prefix, context.atMs, context.entropy)
