import { knownConnection } from '../../connections/rail-connection.ts'
import { doesWayOffer, type Way, wayOf } from '../../connections/way.ts'
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
  const way = wayOf(draft.context.institution, draft.account(), rail)
  if (way === null) return { reason: 'PROVIDER_ABSENT', rail }
  const { providerId, connectionId } = way
  const refusal = connectionRefusal(draft, way, command, rail)
  if (refusal !== null) return refusal
  const payer = payerOf(draft, command, linked)
  if (splitRuleId !== null) useRule(draft, splitRuleId)
  const connection = connectionId === null ? null : knownConnection(draft.account(), connectionId)
  const charge = { payer, split: divided.split, providerId, connection }
  const chargeContext = chargeContextOf(draft, command.transactionId, command.by, charge)
  return addDecided(draft, undefined, create(command, command.terms, chargeContext))
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
