// Routes of divided payments: recipients, split rules, and the transfers to recipients.
import type { Route } from '../../api/route.ts'
import {
  changeRecipientRoute,
  createRecipientRoute,
  deleteRecipientRoute,
  getRecipientRoute,
  listRecipientsRoute,
} from './recipients.ts'
import {
  changeSplitRuleRoute,
  createSplitRuleRoute,
  deleteSplitRuleRoute,
  getSplitRuleRoute,
  listSplitRulesRoute,
} from './rules.ts'
import { simulateSplitRoute } from './simulate.ts'
import { listSplitTransfersRoute } from './transfers.ts'

/** Recipients, split rules, and transfers to recipients. */
export const splitRoutes: readonly Route[] = [
  listRecipientsRoute,
  createRecipientRoute,
  getRecipientRoute,
  changeRecipientRoute,
  deleteRecipientRoute,
  listSplitRulesRoute,
  createSplitRuleRoute,
  getSplitRuleRoute,
  changeSplitRuleRoute,
  deleteSplitRuleRoute,
  simulateSplitRoute,
  listSplitTransfersRoute,
]
