import { companyOperations } from './company-operations.ts'
import { companyProfileOperations } from './company-profile.ts'
import { deliveryOperations } from './delivery-operations.ts'
import type { Operations } from './input.ts'
import { keyOperations } from './key-operations.ts'
import type { OperationsOptions } from './operation-options.ts'
import { sandboxOperations } from './sandbox-operations.ts'
import { ticketOperations } from './ticket-operations.ts'
import { webhookOperations } from './webhook-operations.ts'

/** All operations on companies, keys, endpoints, deliveries and Sandboxes. The command line calls these. */
export const openOperations = (options: OperationsOptions): Operations => ({
  ...companyOperations(options),
  ...companyProfileOperations(options),
  ...keyOperations(options),
  ...webhookOperations(options),
  ...deliveryOperations(options),
  ...sandboxOperations(options),
  ...ticketOperations(options),
})
