import type { RegisteredCustomer } from '../../engine/customers/customer.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'

/** An entry of the register (decisions, section 8). */
export const registeredCustomerView = (registered: RegisteredCustomer) => {
  const { name, document, documentType, email, phone } = registered.customer
  const createdAt = isoInstant(registered.createdAtMs)
  return {
    id: registered.id,
    object: 'customer',
    name,
    document,
    documentType,
    email,
    phone,
    externalId: registered.externalId,
    metadata: registered.metadata,
    createdAt,
    updatedAt: createdAt,
  }
}
