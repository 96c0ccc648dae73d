import type { ActorDefinition } from '../kernel/actor.ts'
import { assert } from '../shared/assert.ts'
import type { Customer } from '../shared/customer.ts'
import { maskedDocument } from '../shared/documents.ts'
import type { AccountId, CustomerId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly customer: RegisteredCustomer
  }
  interface ActorFacts {
    readonly customer: CustomerFact
  }
}

/** A payer in the company's register. Never changed: charges hold their own copy. */
export type RegisteredCustomer = {
  readonly id: CustomerId
  readonly accountId: AccountId
  readonly customer: Customer
  readonly externalId: string | null
  readonly metadata: Metadata
  readonly createdAtMs: number
}

export type CustomerFact = {
  readonly actor: 'customer'
  readonly type: 'CustomerRegistered'
  readonly id: CustomerId
  readonly atMs: number
  readonly registered: Omit<RegisteredCustomer, 'id' | 'createdAtMs'>
}

export const customerKind: ActorDefinition<RegisteredCustomer, CustomerFact> = {
  prefix: 'cus',
  namedBy: 'customerId',
  evolve: (state, { id, atMs, registered }) => {
    assert(state === undefined, 'a customer is registered once')
    return {
      id,
      accountId: registered.accountId,
      customer: registered.customer,
      externalId: registered.externalId,
      metadata: registered.metadata,
      createdAtMs: atMs,
    }
  },
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  // What is personal stays in the register.
  auditedFields: ({ customer: { document }, externalId }) => ({
    document: document && maskedDocument(document),
    externalId,
  }),
  label: () => '',
  lookupKeys: ({ customer: { document, email } }) => [
    ...(document === null ? [] : [document]),
    ...(email === null ? [] : [addressKey(email)]),
  ],
  isKnownByKey: true,
}

/** The lookup key of those with an e-mail address, however its letters are written. */
export const addressKey = (email: string): string => email.toLowerCase()
