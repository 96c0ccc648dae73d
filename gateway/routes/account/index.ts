// Routes about the account itself: company, balance and statement, audit log, notices, support, search and live
// news.
import type { Route } from '../../api/route.ts'
import { exportAuditEntriesRoute, listAuditEntriesRoute, verifyAuditLogRoute } from './audit.ts'
import { exportStatementRoute, getBalanceRoute, getStatementRoute } from './balance.ts'
import {
  changeCompanyRoute,
  getBrandingRoute,
  getChecklistRoute,
  getCompanyRoute,
  setCompanyLogoRoute,
} from './company.ts'
import { listenLiveRoute } from './listen.ts'
import { addNoteRoute, listNotesRoute, removeNoteRoute } from './notes.ts'
import {
  getNoticePreferencesRoute,
  listNoticesRoute,
  readNoticesRoute,
  setNoticePreferencesRoute,
} from './notices.ts'
import { getOverviewRoute } from './read-overview.ts'
import { getAgendaRoute, listReceivablesRoute } from './receivables.ts'
import { getRemindersRoute, setRemindersRoute } from './reminders.ts'
import { searchRoute } from './search.ts'
import {
  answerTicketRoute,
  closeTicketRoute,
  createTicketRoute,
  getTicketRoute,
  listTicketsRoute,
} from './tickets.ts'
import { listViewsRoute, removeViewRoute, saveViewRoute } from './views.ts'

/** Balance and statement. */
export const balanceRoutes: readonly Route[] = [
  getBalanceRoute,
  getStatementRoute,
  exportStatementRoute,
  listReceivablesRoute,
  getAgendaRoute,
]

/** The company itself. */
export const companyRoutes: readonly Route[] = [
  getCompanyRoute,
  changeCompanyRoute,
  setCompanyLogoRoute,
  getChecklistRoute,
  getBrandingRoute,
  getRemindersRoute,
  setRemindersRoute,
]

/** Audit log, support, notices, and what the dashboard reads besides. */
export const accountRoutes: readonly Route[] = [
  listAuditEntriesRoute,
  exportAuditEntriesRoute,
  verifyAuditLogRoute,
  createTicketRoute,
  listTicketsRoute,
  getTicketRoute,
  answerTicketRoute,
  closeTicketRoute,
  listNoticesRoute,
  readNoticesRoute,
  getNoticePreferencesRoute,
  setNoticePreferencesRoute,
  listNotesRoute,
  addNoteRoute,
  removeNoteRoute,
  listViewsRoute,
  saveViewRoute,
  removeViewRoute,
  listenLiveRoute,
  searchRoute,
  getOverviewRoute,
]
