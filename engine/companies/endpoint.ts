import { heardByDefault } from '../kernel/event-types.ts'
import type { CompanyId, EndpointId, Environment } from '../shared/ids.ts'

/** A merchant's webhook URL. */
export type Endpoint = {
  readonly id: EndpointId
  readonly companyId: CompanyId
  readonly environment: Environment
  readonly url: string
  readonly description: string | null
  /** Event types; empty for all. */
  readonly eventTypes: readonly string[]
  /** Whether it hears types beyond the specification's list. */
  readonly extraEvents: boolean
  /** Headers of the receiver's own, which every attempt sends. Each value is sealed like the secret: it may be a password. */
  readonly headers: readonly EndpointHeader[]
  readonly signature: EndpointSignature
  /** The signing secret, encrypted and not hashed: signing needs to read it. */
  readonly sealedSecret: string
  /** The previous secret, which also signs until then; null for none. */
  readonly formerSecret: { readonly sealedSecret: string; readonly untilMs: number } | null
  /**
   * The endpoint receives the events of its shard's entries after this one, the last when it was created or
   * enabled. Null while it is disabled or deleted. A sequence, because the clocks of different nodes do not say
   * which came first.
   */
  readonly hearsAfter: number | null
  /** Whether it was ever disabled or deleted: deliveries planned until then may still have to be cancelled. */
  readonly wasSilenced: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** A deleted endpoint stays in the directory because its deliveries name it. */
  readonly deletedAtMs: number | null
}

export type EndpointHeader = { readonly name: string; readonly sealedValue: string }

/** How attempts are signed: as the specification says, or by the headers of Standard Webhooks 1.0 beside that. */
export const endpointSignatures = ['service', 'standard-webhooks'] as const
export type EndpointSignature = (typeof endpointSignatures)[number]

export type EndpointChanges = Partial<
  Pick<
    Endpoint,
    | 'url'
    | 'description'
    | 'eventTypes'
    | 'extraEvents'
    | 'headers'
    | 'signature'
    | 'sealedSecret'
    | 'formerSecret'
  >
>

/** Whether the endpoint receives the events of this entry of its shard. */
export const receives = ({ hearsAfter }: Endpoint, sequence: number): boolean =>
  hearsAfter !== null && hearsAfter < sequence

/** Whether the endpoint wants events of this type. */
export const subscribesTo = ({ eventTypes, extraEvents }: Endpoint, type: string): boolean =>
  heardByDefault(type, extraEvents) && (eventTypes.length === 0 || eventTypes.includes(type))
