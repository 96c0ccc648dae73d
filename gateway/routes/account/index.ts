import type { Route } from '../../api/route.ts'
import { exportAuditEntries, listAuditEntries, verifyAuditLog } from './audit.ts'
import { exportStatement, getBalance, getStatement } from './balance.ts'
import { changeCompany, getCompany, setCompanyLogo } from './company.ts'
import { listenLive } from './listen.ts'
import { getNoticePreferences, listNotices, readNotices, setNoticePreferences } from './notices.ts'
import { getOverview } from './read-overview.ts'
import { search } from './search.ts'
import { answerTicket, closeTicket, createTicket, getTicket, listTickets } from './tickets.ts'
import { listViews, removeView, saveView } from './views.ts'

/** Balance and statement. */
export const balanceRoutes: readonly Route[] = [getBalance, getStatement, exportStatement]

/** The company itself. */
export const companyRoutes: readonly Route[] = [getCompany, changeCompany, setCompanyLogo]

/** Audit log, support, notices, and what the dashboard reads besides. */
export const accountRoutes: readonly Route[] = [
  listAuditEntries,
  exportAuditEntries,
  verifyAuditLog,
  createTicket,
  listTickets,
  getTicket,
  answerTicket,
  closeTicket,
  listNotices,
  readNotices,
  getNoticePreferences,
  setNoticePreferences,
  listViews,
  saveView,
  removeView,
  listenLive,
  search,
  getOverview,
]
