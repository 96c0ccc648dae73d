import { knownConnection } from '../../connections/rail-connection.ts'
import { chosenWay, doesWayOffer, type RoutingInput, routeOfWay, type Way } from '../../connections/way.ts'
import { type Linked, type LinkedCustomer, linkCustomer } from '../../customers/link.ts'
import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { splitFor, splitOfPlan, useRule } from '../../recipients/register.ts'
import type { PaymentRail } from '../../shared/rail.ts'
import { methodOf } from '../methods/index.ts'
import type { CreateCharge } from './commands.ts'
import { addDecided, chargeContextOf } from './execute.ts'

/** Creates a charge for its payer; invoices use it too. Refused when no provider is connected for the rail. */
export const createTransaction = (draft: Draft, command: CreateCharge): Rejection | null => {
  const linked = linkCustomer(draft, command)
  if (!linked.ok) return linked.rejection
  const { splitRuleId, collects, amountCents } = command
  const divided =
    collects === null ? splitFor(draft, splitRuleId, amountCents) : splitOfPlan(draft, splitRuleId)
  if ('rejection' in divided) return divided.rejection
  const { rail, create } = methodOf(command.terms)
  const way = chosenWay(draft.context.institution, draft.account(), routingInput(command, rail))
  if (way === null) return { reason: 'PROVIDER_ABSENT', rail }
  const { providerId, connectionId } = way
  const refusal = connectionRefusal(draft, way, command, rail)
  if (refusal !== null) return refusal
  const payer = payerOf(draft, command, linked)
  if (splitRuleId !== null) useRule(draft, splitRuleId)
  const connection = connectionId === null ? null : knownConnection(draft.account(), connectionId)
  const charge = { payer, split: divided.split, providerId, connection }
  const chargeContext = chargeContextOf(draft, command.transactionId, command.by, charge)
  const decision = create(command, command.terms, chargeContext)
  const route = routeOfWay(way)
  if (route === null || !decision.accepted) return addDecided(draft, undefined, decision)
  // Behind the others, whose calls are named by the versions that they lead to.
  const chosen = { type: 'RouteChosen', route, ...chargeContext.fact } as const
  return addDecided(draft, undefined, { ...decision, events: [...decision.events, chosen] })
}

/** What is known of a charge before its way is chosen. */
const routingInput = (
  { terms, amountCents, origin, collects }: CreateCharge,
  rail: PaymentRail,
): RoutingInput => {
  const card = 'card' in terms ? terms.card : null
  return {
    rail,
    brand: card?.brand ?? null,
    bin: card?.bin ?? null,
    amountCents,
    installments: 'installments' in terms ? terms.installments : null,
    origin,
    attempt: collects?.attempt ?? 1,
  }
}

/** Why a connected provider cannot begin this charge; null if it can. Invoices wait for one that does not answer. */
const connectionRefusal = (
  { context: { institution } }: Draft,
  way: Way,
  { accountId, collects, terms }: CreateCharge,
  rail: PaymentRail,
): Rejection | null => {
  if ('captures' in terms && !terms.captures && !doesWayOffer(institution, accountId, rail, way, 'CAPTURE'))
    return { reason: 'NOT_OFFERED', rail, offer: 'CAPTURE' }
  const retryAfterSeconds =
    collects === null ? institution.unreachableSeconds(accountId, rail, way.connectionId) : null
  return retryAfterSeconds === null ? null : { reason: 'PROVIDER_UNREACHABLE', rail, retryAfterSeconds }
}

/** The payer, who is registered now if they were not yet, unless the command leaves that for later or the company forgets payers. */
const payerOf = (
  draft: Draft,
  { registersPayer = draft.account().profile.registersPayers ?? true }: CreateCharge,
  { payer, registered }: Extract<Linked, { readonly ok: true }>,
): LinkedCustomer => {
  if (!registersPayer && registered.length > 0) return { ...payer, customerId: null }
  draft.add(...registered)
  return payer
}
