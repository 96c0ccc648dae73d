import type { Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'

/** What people send: a transfer, or a withdrawal of stablecoins. */
export type MoneyOut = Schemas['Transfer'] | Schemas['CryptoWithdrawal']

/** Where each kind is in the API and in the dashboard, and its words in the language that is chosen. */
export const transferKind = {
  path: '/v1/transfers',
  page: 'transferencias',
  newPage: 'transferencias/nova',
  permission: 'transfers.create',
  news: ['transfer'],
  statuses: ['PENDING_APPROVAL', 'SCHEDULED', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'],
  waiting: ['PENDING_APPROVAL', 'SCHEDULED'],
  texts: () => ({ ...t.transfers, title: t.nav.transfers }),
} as const

export const withdrawalKind = {
  path: '/v1/crypto/withdrawals',
  page: 'saques',
  newPage: 'saques/novo',
  permission: 'crypto.withdraw',
  news: ['crypto_withdrawal', 'crypto'],
  statuses: ['PENDING_APPROVAL', 'PROCESSING', 'BROADCAST', 'COMPLETED', 'FAILED', 'CANCELLED'],
  waiting: ['PENDING_APPROVAL'],
  texts: () => ({ ...t.withdrawals, title: t.nav.withdrawals }),
} as const

export type MoneyOutKind = typeof transferKind | typeof withdrawalKind
