import type { CustomerFact } from '../../../../engine/customers/registered-customer.ts'
import { json, nullable, number, record, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, customerLayout } from '../shared.ts'

const registered = record<CustomerFact['registered']>({
  accountId,
  customer: customerLayout,
  externalId: nullable(text()),
  metadata: json(),
})

export const customerFacts = {
  CustomerRegistered: [1, { id: text(), atMs: number(), registered }],
} satisfies FactLayouts<'customer'>
