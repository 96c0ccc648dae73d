import type { Plan } from '../billing/catalog/plan.ts'
import type { Invoice } from '../billing/invoice/invoice.ts'
import type { Subscription } from '../billing/subscription/subscription.ts'
import type { RegisteredCustomer } from '../customers/registered-customer.ts'
import type { ActorDefinition } from '../kernel/actor.ts'
import type { Request } from '../kernel/command.ts'
import type { ActorFact } from '../kernel/fact.ts'
import type { Question } from '../kernel/query.ts'
import { assert } from '../shared/assert.ts'
import type { AccountId, CustomerId, PlanId, PortalSessionId } from '../shared/ids.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly portalSession: PortalSession
  }
  interface ActorFacts {
    readonly portalSession: PortalOpened
  }
  interface FolderCommands {
    readonly portal: OpenPortal
  }
  interface FolderQueries {
    readonly portal: FindPortal
  }
  interface Answers {
    readonly FindPortal: PortalPage | null
  }
}

/** Half an hour in which who has its address sees and mends the subscriptions of one customer (checkout, section 10, C2). */
export type PortalSession = NewPortal & {
  readonly id: PortalSessionId
  readonly createdAtMs: number
}

export type NewPortal = {
  readonly accountId: AccountId
  readonly customerId: CustomerId
  /** Where its customer goes back to. */
  readonly returnUrl: string | null
  readonly expiresAtMs: number
  /** What the secret part of the page's address hashes to. */
  readonly tokenHash: string
}

type PortalOpened = ActorFact<'portalSession', 'PortalOpened'> & { readonly portal: NewPortal }

export type OpenPortal = Request<'OpenPortal'> & {
  readonly portalSessionId: PortalSessionId
  readonly ofCustomer: CustomerId
  readonly returnUrl: string | null
  readonly tokenHash: string
}

/** What a portal's address leads to; null for none, and once its time is over. */
export type FindPortal = Question<'FindPortal'> & {
  readonly hash: string
  /** The plans that the customer may change to, as the company allows it. */
  readonly planIds: readonly PlanId[]
}

/** What the customer of a portal sees: nothing of other customers is in it. */
export type PortalPage = {
  readonly portal: PortalSession
  readonly customer: RegisteredCustomer
  /** Newest first, as are invoices. */
  readonly subscriptions: readonly Subscription[]
  readonly invoices: readonly Invoice[]
  /** Those that are still sold. */
  readonly plans: readonly Plan[]
  /** Environment time. */
  readonly nowMs: number
}

export const portalLifeMs = 30 * 60_000

export const portalSessionKind: ActorDefinition<PortalSession, PortalOpened> = {
  prefix: 'ptl',
  namedBy: 'portalSessionId',
  evolve: (state, { id, atMs, portal }) => {
    assert(state === undefined, 'a portal is opened once')
    return { id, createdAtMs: atMs, ...portal }
  },
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: () => '',
  lookupKeys: ({ tokenHash }) => [tokenHash],
  auditedFields: ({ customerId }) => ({ customerId }),
}
