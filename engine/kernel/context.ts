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
  /** The environment clock, virtual in Sandbox. The only time that the domain knows. */
  readonly nowMs: number
  /** The real clock, for ids, idempotency and webhook back-off. */
  readonly atMs: number
  readonly entropy: Entropy
  readonly institution: Institution
}

/** The payment institution in whose name charges are issued. */
export interface Institution {
  /** Eight characters (ISPB), part of every end-to-end id. */
  readonly ispb: string
  /** Host and path (without a scheme) where the payer's app fetches a charge; a token is appended. */
  readonly pixLocation: string
  /** Whether mail leaves the service. */
  readonly sendsMail: boolean
  /** Whether pages where payers pay have an address. */
  readonly hasPages: boolean
  /** The names of the providers that are there for all accounts of an environment, as those of the Sandbox are. */
  readonly providers: Readonly<Record<Environment, Readonly<Partial<Record<Rail, string>>>>>
  /** Whether the provider that is there for all accounts has what only some have. */
  readonly offers: (accountId: AccountId, rail: Rail, offer: ProviderOffer) => boolean
  /** After how many seconds a connection that answers nothing may be tried; null for one that takes calls. */
  readonly unreachableSeconds: (
    accountId: AccountId,
    rail: Rail,
    /** Null for the provider that is there for all accounts. */
    connectionId: string | null,
  ) => number | null
}

/** What some providers of a rail have, and others do not. */
export type ProviderOffer =
  /** Cards can be authorized first and captured, or voided, later. */
  | 'CAPTURE'
  | 'REFUND'
  /** Ways to send reais. */
  | 'PIX'
  | 'TED'
  /** Conversions between reais and stablecoins, and stablecoins that leave. */
  | 'CONVERT'
  | 'SEND'
  /** Mandates by which a subscription collects its invoices. */
  | 'PIX_AUTOMATIC'
  /** Look-ups of PIX keys. */
  | 'LOOKUP_KEY'
  /** The defence of a MED, and the contest of what one has returned. */
  | 'DEFEND_MED'
  | 'CONTEST_MED'
  /** Files with either. */
  | 'MED_FILES'

/** The provider that is there for all accounts of an environment; null if there is none. Payers' rails: `wayOf` of connections. */
export const providerOf = (
  { providers }: Pick<Institution, 'providers'>,
  accountId: AccountId,
  rail: Rail,
): string | null => providers[environmentOf(accountId)][rail] ?? null

/** A new id at the context's real time. */
export const contextId = <Prefix extends IdPrefix>(context: Context, prefix: Prefix): Id<Prefix> =>
  newId(prefix, context.atMs, context.entropy)
