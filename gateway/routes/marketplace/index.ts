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

/** Recipients, rules, and what recipients are sent. */
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
