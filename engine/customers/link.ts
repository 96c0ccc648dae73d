import { contextId } from '../kernel/context.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Rejection } from '../kernel/registry.ts'
import type { Customer } from '../shared/customer.ts'
import type { CustomerId } from '../shared/ids.ts'
import type { RegisterCustomer } from './commands.ts'
import type { CustomerFact } from './registered-customer.ts'

/** The payer of a charge and their entry in the register. */
export type LinkedCustomer = { readonly customer: Customer | null; readonly customerId: CustomerId | null }

export type Linked =
  | { readonly ok: true; readonly payer: LinkedCustomer; readonly registered: readonly CustomerFact[] }
  | { readonly ok: false; readonly rejection: Rejection }

/**
 * Finds or registers the payer of a charge (decisions, section 8). A registered document means the payer of that
 * entry; a new document registers the payer; without a document nothing is registered.
 */
export const linkCustomer = (draft: Draft, { customer, customerId: wanted }: LinkedCustomer): Linked => {
  if (wanted !== null) {
    const entry = draft.find('customer', wanted)
    if (entry === undefined || entry.accountId !== draft.account().id)
      return { ok: false, rejection: { reason: 'REFERENCE_NOT_FOUND', field: 'customerId' } }
    return linked(entry.customer, entry.id)
  }
  if (customer === null || customer.document === null) return linked(customer, null)
  const known = draft.lookupId('customer', customer.document)
  if (known !== undefined) return linked(customer, known)
  const id = contextId(draft.context, 'cus')
  return linked(customer, id, registerCustomer(draft, id, { customer, externalId: null, metadata: {} }))
}

/** The fact that puts a payer into the register. */
export const registerCustomer = (
  draft: Draft,
  id: CustomerId,
  { customer, externalId, metadata }: Pick<RegisterCustomer, 'customer' | 'externalId' | 'metadata'>,
): CustomerFact => ({
  actor: 'customer',
  type: 'CustomerRegistered',
  id,
  atMs: draft.context.nowMs,
  registered: { accountId: draft.account().id, customer, externalId, metadata },
})

const linked = (
  customer: Customer | null,
  customerId: CustomerId | null,
  ...registered: readonly CustomerFact[]
): Linked => ({ ok: true, payer: { customer, customerId }, registered })
