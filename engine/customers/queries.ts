import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { CustomerId } from '../shared/ids.ts'
import type { RegisteredCustomer } from './registered-customer.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly customers: FindCustomer | ListCustomers
  }
  interface Answers {
    readonly FindCustomer: RegisteredCustomer | null
    readonly ListCustomers: Listed<RegisteredCustomer>
  }
}

export type FindCustomer = Question<'FindCustomer'> & { readonly customerId: CustomerId }

export type ListCustomers = Question<'ListCustomers'> &
  Paging & {
    readonly document: string | null
    readonly email: string | null
    readonly externalId: string | null
    readonly search: string | null
  }
