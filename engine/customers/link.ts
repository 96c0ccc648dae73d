import { type Context, contextId } from '../kernel/context.ts'
import type { Rejection } from '../kernel/registry.ts'
import type { Account } from '../ledger/account.ts'
import type { CustomerId } from '../shared/ids.ts'
import type { Customer } from '../shared/party.ts'
import type { RegisterCustomer } from './commands.ts'
import type { CustomerEvent, RegisteredCustomer } from './customer.ts'

/** The register, as a decision may look at it. */
export type Register = {
  readonly find: (id: CustomerId) => RegisteredCustomer | undefined
  /** Those with this document, oldest first. */
  readonly withDocument: (document: string) => readonly RegisteredCustomer[]
}

/** Who is to pay, and that customer's entry in the register. */
export type LinkedCustomer = { readonly customer: Customer | null; readonly customerId: CustomerId | null }

export type Linked =
  | { readonly ok: true; readonly payer: LinkedCustomer; readonly registered: readonly CustomerEvent[] }
  | { readonly ok: false; readonly rejection: Rejection }

/**
 * Who pays a charge (decisions, section 8): an entry of the register, or a person as described. One whose document is in
 * the register is that entry; a new document makes one; without a document nobody is registered.
 */
export const linkCustomer = (
  { customer, customerId: wanted }: LinkedCustomer,
  account: Account,
  register: Register,
  context: Context,
): Linked => {
  if (wanted !== null) {
    const entry = register.find(wanted)
    if (entry === undefined || entry.accountId !== account.id)
      return { ok: false, rejection: { reason: 'REFERENCE_NOT_FOUND', field: 'customerId' } }
    return linked(entry.customer, entry.id)
  }
  if (customer === null || customer.document === null) return linked(customer, null)
  const [known] = register.withDocument(customer.document)
  if (known !== undefined) return linked(customer, known.id)
  const id = contextId(context, 'cus')
  return linked(customer, id, registered(id, customer, null, {}, account, context))
}

export const registerCustomer = (
  command: RegisterCustomer,
  account: Account,
  context: Context,
): CustomerEvent =>
  registered(command.customerId, command.customer, command.externalId, command.metadata, account, context)

const linked = (
  customer: Customer | null,
  customerId: CustomerId | null,
  ...registered: readonly CustomerEvent[]
): Linked => ({ ok: true, payer: { customer, customerId }, registered })

const registered = (
  id: CustomerId,
  customer: Customer,
  externalId: string | null,
  metadata: RegisteredCustomer['metadata'],
  account: Account,
  context: Context,
): CustomerEvent => ({
  actor: 'customer',
  type: 'CustomerRegistered',
  id,
  atMs: context.nowMs,
  registered: { accountId: account.id, customer, externalId, metadata },
})
