// The operations of the API, one file for each small group of routes. A folder's index lists its subject; here all
// subjects are put in the order of the OpenAPI document.
import type { Route } from '../api/route.ts'
import { accountRoutes, balanceRoutes, companyRoutes } from './account/index.ts'
import { planRoutes, subscriptionRoutes } from './billing/index.ts'
import { checkoutRoutes } from './checkout/index.ts'
import { connectionRoutes } from './connections/index.ts'
import { cryptoRoutes } from './crypto/index.ts'
import { developerRoutes } from './developers/index.ts'
import { splitRoutes } from './marketplace/index.ts'
import { controlRoutes, transferRoutes, withdrawalRoutes } from './money-out/index.ts'
import { chargeRoutes, transactionRoutes } from './payments/index.ts'
import { peopleRoutes } from './people/index.ts'
import { reconciliationRoutes } from './reconciliation/index.ts'

/** Every operation of the API, in the order of its document. */
export const routes: readonly Route[] = [
  ...chargeRoutes,
  ...cryptoRoutes,
  ...withdrawalRoutes,
  ...checkoutRoutes,
  ...transactionRoutes,
  ...planRoutes,
  ...splitRoutes,
  ...subscriptionRoutes,
  ...balanceRoutes,
  ...transferRoutes,
  ...companyRoutes,
  ...controlRoutes,
  ...connectionRoutes,
  ...reconciliationRoutes,
  ...developerRoutes,
  ...peopleRoutes,
  ...accountRoutes,
]
