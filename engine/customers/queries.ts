import type { Paging, Question } from '../kernel/query.ts'
import type { CustomerId } from '../shared/ids.ts'

export type FindCustomer = Question<'FindCustomer'> & { readonly customerId: CustomerId }
export type ListCustomers = Question<'ListCustomers'> &
  Paging & {
    readonly document: string | null
    readonly email: string | null
    readonly externalId: string | null
    readonly search: string | null
  }
