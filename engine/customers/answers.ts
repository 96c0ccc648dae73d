import type { Answerers } from '../kernel/reader.ts'
import { foldCase } from '../shared/fold-case.ts'
import type { FindCustomer, ListCustomers } from './queries.ts'
import type { RegisteredCustomer } from './registered-customer.ts'

/** The register of payers. */
export const customerAnswers: Answerers<FindCustomer | ListCustomers> = {
  FindCustomer: ({ customerId }, { find }) => find('customer', customerId),
  ListCustomers: function* (query, { list, result }) {
    return result(yield* list('customer', query, () => true, customerMatches(query)))
  },
}

const customerMatches = (query: ListCustomers): ((registered: RegisteredCustomer) => boolean) | null => {
  const { document, email, externalId, search } = query
  if (document === null && email === null && externalId === null && search === null) return null
  return (registered) => {
    const { customer } = registered
    if (document !== null && customer.document !== document) return false
    if (email !== null && customer.email !== email) return false
    if (externalId !== null && registered.externalId !== externalId) return false
    if (search === null) return true
    if ([registered.id, registered.externalId, customer.document, customer.phone].includes(search))
      return true
    return [customer.name, customer.email].some((text) => text && foldCase(text).includes(foldCase(search)))
  }
}
