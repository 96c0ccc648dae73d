import type { Route } from '../../api/route.ts'
import {
  changeRecipient,
  createRecipient,
  deleteRecipient,
  getRecipient,
  listRecipients,
} from './recipients.ts'
import { changeSplitRule, createSplitRule, deleteSplitRule, getSplitRule, listSplitRules } from './rules.ts'
import { simulateSplit } from './simulate.ts'
import { listSplitTransfers } from './transfers.ts'

/** Recipients, rules, and what recipients are sent. */
export const splitRoutes: readonly Route[] = [
  listRecipients,
  createRecipient,
  getRecipient,
  changeRecipient,
  deleteRecipient,
  listSplitRules,
  createSplitRule,
  getSplitRule,
  changeSplitRule,
  deleteSplitRule,
  simulateSplit,
  listSplitTransfers,
]
