import { companyOperations } from '../operations/account/company-operations.ts'
import { companyProfileOperations } from '../operations/account/company-profile.ts'
import { ticketOperations } from '../operations/account/ticket-operations.ts'
import {
  type ConnectionTools,
  connectionOperations,
} from '../operations/connections/connection-operations.ts'
import { deliveryOperations } from '../operations/developers/delivery-operations.ts'
import { keyOperations } from '../operations/developers/key-operations.ts'
import { resendOperations } from '../operations/developers/resend-operations.ts'
import { webhookOperations } from '../operations/developers/webhook-operations.ts'
import type { Operations } from '../operations/input.ts'
import type { OperationsOptions } from '../operations/operation-options.ts'
import { routeContext } from './call-route.ts'
import { linkOperations } from './link-operations.ts'
import { reconciliationOperations } from './reconciliation-operations.ts'
import { sandboxOperations } from './sandbox-operations.ts'

/** All operations on companies, keys, endpoints, deliveries and Sandboxes. The command line calls these. */
export const openOperations = (options: OperationsOptions & ConnectionTools): Operations => ({
  ...companyOperations(options),
  ...companyProfileOperations(options),
  ...keyOperations(options),
  ...webhookOperations(options),
  ...deliveryOperations(options),
  ...resendOperations(options),
  ...sandboxOperations(routeContext(options)),
  ...linkOperations(routeContext(options)),
  ...reconciliationOperations(routeContext(options)),
  ...ticketOperations(options),
  ...connectionOperations(options),
})
