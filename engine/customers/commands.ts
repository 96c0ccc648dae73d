import type { Request } from '../kernel/command.ts'
import type { Customer } from '../shared/customer.ts'
import type { CustomerId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly customers: RegisterCustomer
  }
}

/** Registers a payer. */
export type RegisterCustomer = Request<'RegisterCustomer'> & {
  readonly customerId: CustomerId
  readonly customer: Customer
  readonly externalId: string | null
  readonly metadata: Metadata
}
