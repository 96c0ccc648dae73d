import type { Route } from '../../api/route.ts'
import { declareSplitTransferRoute, declareTransferRoute } from './declare.ts'
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
  declareTransferRoute,
  declareSplitTransferRoute,
  listSuspenseRoute,
  getSuspenseRoute,
  assignSuspenseRoute,
  returnSuspenseRoute,
  writeOffSuspenseRoute,
]
