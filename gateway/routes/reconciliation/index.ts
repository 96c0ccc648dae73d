import type { Route } from '../../api/route.ts'
import {
  acceptReconciliationRoute,
  exportReconciliationRoute,
  getReconciliationRoute,
  listReconciliationsRoute,
} from './reconciliations.ts'
import { giveStatementRoute } from './statement.ts'
import {
  assignSuspenseRoute,
  getSuspenseRoute,
  listSuspenseRoute,
  returnSuspenseRoute,
  writeOffSuspenseRoute,
} from './suspense.ts'

/** Whether the books of banks and ours agree, and money that belongs to nothing. */
export const reconciliationRoutes: readonly Route[] = [
  listReconciliationsRoute,
  getReconciliationRoute,
  exportReconciliationRoute,
  acceptReconciliationRoute,
  giveStatementRoute,
  listSuspenseRoute,
  getSuspenseRoute,
  assignSuspenseRoute,
  returnSuspenseRoute,
  writeOffSuspenseRoute,
]
