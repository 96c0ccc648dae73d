import type { Plan } from '../billing/catalog/plan.ts'
import type { Invoice } from '../billing/invoice/invoice.ts'
import type { Subscription } from '../billing/subscription/subscription.ts'
import type { RegisteredCustomer } from '../customers/registered-customer.ts'
import type { ActorDefinition } from '../kernel/actor.ts'
import type { Request } from '../kernel/command.ts'
import type { ActorFact } from '../kernel/fact.ts'
import type { Question } from '../kernel/query.ts'
import { assert } from '../shared/assert.ts'
import { bounds } from '../shared/bounds.ts'
import type { AccountId, CustomerId, PlanId, PortalSessionId } from '../shared/ids.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly portalSession: PortalSession
  }
  interface ActorFacts {
    readonly portalSession: PortalFact
  }
  interface FolderCommands {
    readonly portal: OpenPortal | MailPortals | RecordPortalMail | EnterPortal
  }
  interface FolderQueries {
    readonly portal: FindPortal | ListWaitingPortals | FindPortalMail
  }
  interface Answers {
    readonly FindPortal: FoundPortal | null
    readonly ListWaitingPortals: readonly PortalSessionId[]
    readonly FindPortalMail: PortalMail | null
  }
}

/**
 * Half an hour in which who has its address sees and mends the subscriptions of one customer (checkout, section 10, C2). One that was
 * asked for by mail only leads to another, once: the mail may lie in a box for long, and programs that look into mail open its links.
 */
export type PortalSession = NewPortal & {
  readonly id: PortalSessionId
  readonly createdAtMs: number
  /** Whether its mail waits for the queue of mails. */
  readonly isWaiting: boolean
  /** When it led to another; null for one by key, and before. */
  readonly enteredAtMs: number | null
}

export type NewPortal = {
  readonly accountId: AccountId
  readonly customerId: CustomerId
  /** Where its customer goes back to. */
  readonly returnUrl: string | null
  readonly expiresAtMs: number
  /** What the secret part of the page's address hashes to. */
  readonly tokenHash: string
  /** In which language its mail is; null for one that a key or a mail's link opened. */
  readonly mailedIn: 'pt' | 'en' | null
}

export type PortalFact =
  | (Fact<'PortalOpened'> & { readonly portal: NewPortal })
  | Fact<'PortalMailQueued'>
  | Fact<'PortalEntered'>

type Fact<Type extends string> = ActorFact<'portalSession', Type>

export type OpenPortal = Request<'OpenPortal'> & {
  readonly portalSessionId: PortalSessionId
  readonly ofCustomer: CustomerId
  readonly returnUrl: string | null
  readonly tokenHash: string
}

/** Has links mailed to an address, one for each of its customers who have a subscription. It is accepted whether there are any or not. */
export type MailPortals = Request<'MailPortals'> & {
  readonly email: string
  readonly language: 'pt' | 'en'
  /** The portals that it may open, as many as it may mail at once. */
  readonly portals: readonly { readonly id: PortalSessionId; readonly tokenHash: string }[]
}

/** Records that the mail with a portal's link is queued. */
export type RecordPortalMail = Request<'RecordPortalMail'> & { readonly portalSessionId: PortalSessionId }

/** Leads from the link of a mail to a portal, once. */
export type EnterPortal = Request<'EnterPortal'> & {
  readonly portalSessionId: PortalSessionId
  readonly entered: { readonly id: PortalSessionId; readonly tokenHash: string }
}

/** What a portal's address leads to; null for none, once its time is over, and for the link of a mail that was used. */
export type FindPortal = Question<'FindPortal'> & {
  readonly hash: string
  /** The plans that the customer may change to, as the company allows it. */
  readonly planIds: readonly PlanId[]
}

/** The link of a mail leads to a step that enters; every other address to the portal. */
export type FoundPortal =
  | { readonly type: 'ENTRY'; readonly portal: PortalSession; readonly nowMs: number }
  | ({ readonly type: 'PORTAL' } & PortalPage)

/** Lists the portals whose mails are to be queued. */
export type ListWaitingPortals = Question<'ListWaitingPortals'>

/** Finds what the mail of a portal says, when it is written; null where its link leads nowhere any more. */
export type FindPortalMail = Question<'FindPortalMail'> & { readonly portalSessionId: PortalSessionId }

export type PortalMail = {
  readonly to: string
  readonly name: string
  readonly language: 'pt' | 'en'
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

const evolvePortal = (state: PortalSession | undefined, event: PortalFact): PortalSession => {
  if (event.type === 'PortalOpened') {
    assert(state === undefined, 'a portal is opened once')
    const { id, atMs: createdAtMs, portal } = event
    return { id, createdAtMs, isWaiting: portal.mailedIn !== null, enteredAtMs: null, ...portal }
  }
  assert(state !== undefined, `${event.type} follows PortalOpened`)
  return event.type === 'PortalMailQueued'
    ? { ...state, isWaiting: false }
    : { ...state, enteredAtMs: event.atMs }
}

export const portalSessionKind: ActorDefinition<PortalSession, PortalFact> = {
  prefix: 'ptl',
  namedBy: 'portalSessionId',
  evolve: evolvePortal,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: () => '',
  lookupKeys: ({ tokenHash, mailedIn, customerId, isWaiting, createdAtMs }) => [
    tokenHash,
    ...(mailedIn === null ? [] : [mailedTo(customerId, createdAtMs)]),
    ...(isWaiting ? [waitingPortals] : []),
  ],
  auditedFields: ({ customerId }) => ({ customerId }),
}

/** The lookup key of those that were mailed to a customer within the same hour of the clock, so that none looks through years of them. */
export const mailedTo = (id: CustomerId, atMs: number): string =>
  `mailed ${id} ${Math.floor(atMs / bounds.portalMailsMs)}`

/** The lookup key of those with a mail that is not queued yet. */
export const waitingPortals = 'waiting'
