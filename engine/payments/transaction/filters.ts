import type { ChargeOrigin, Method } from '../../shared/method.ts'
import { familyOf } from '../methods/index.ts'
import type { Family } from './family.ts'
import { type ChargeProduct, kindOf, productOf, type TransactionGroup, type TransactionKind } from './row.ts'
import type { DatedIn, TransactionFilter, TransactionPage, TransactionTerms } from './search.ts'
import type { TransactionStatus } from './transaction.ts'

/** The filters of a transaction list (decisions, section 26). An empty list and null mean any. */
export type TransactionFilters = TransactionTerms & {
  readonly family: Family | null
  readonly statuses: readonly TransactionStatus[]
  /** For open boletos: whether the last day without a fine is over. */
  readonly overdue: boolean | null
  readonly methods: readonly Method[]
  readonly origins: readonly ChargeOrigin[]
  readonly products: readonly ChargeProduct[]
  readonly kinds: readonly TransactionKind[]
  readonly providerId: string | null
  /** Sales that are paid and name no fiscal document, or what names one. */
  readonly fiscalDocuments: 'MISSING' | 'PRESENT' | null
}

/** Matches every transaction: callers set what they narrow. */
export const anyTransaction: TransactionFilters = {
  family: null,
  statuses: [],
  overdue: null,
  methods: [],
  origins: [],
  products: [],
  kinds: [],
  providerId: null,
  fiscalDocuments: null,
  dateField: 'createdAt',
  minAmountCents: null,
  maxAmountCents: null,
  ids: [],
  externalIds: [],
  partyIds: {},
  customerId: null,
  customer: null,
  search: null,
}

/** The filters as memory applies them, for transactions dated in [fromMs, toMs) and created up to journal position `asOf`. */
export const filterOf = (filters: TransactionFilters, datedIn: DatedIn = anyTime): TransactionFilter => ({
  fits: (group) => groupFits(filters, group),
  ...filters,
  ...datedIn,
})

const anyTime: DatedIn = { asOf: null, fromMs: null, toMs: null, from: null, to: null }

/** No rows, only figures of everything that matches. */
export const figuresOnly: TransactionPage = {
  order: { by: 'createdAt', isDescending: true },
  start: { offset: 0 },
  limit: 0,
  tells: 'figures',
}

const groupFits = (filters: TransactionFilters, group: TransactionGroup): boolean =>
  (filters.family === null || familyOf(group) === filters.family) &&
  // Applies to open boletos only, so that a paid late boleto is not excluded.
  (filters.overdue === null || group.status !== 'PENDING' || group.overdue === filters.overdue) &&
  isAmong(filters.statuses, group.status) &&
  isAmong(filters.methods, group.method) &&
  isAmong(filters.origins, group.origin) &&
  isAmong(filters.products, productOf(group)) &&
  isAmong(filters.kinds, kindOf(group)) &&
  (filters.providerId === null || filters.providerId === group.providerId) &&
  documentsFit(filters.fiscalDocuments, group)

/** Deposits are no sales, and what was given back whole is none any more. */
const documentsFit = (
  wanted: TransactionFilters['fiscalDocuments'],
  { hasDocuments, status, origin }: TransactionGroup,
): boolean =>
  wanted === null ||
  (wanted === 'PRESENT'
    ? hasDocuments
    : !hasDocuments && origin !== 'DEPOSIT' && soldStatuses.includes(status))

const soldStatuses: readonly TransactionStatus[] = ['APPROVED', 'PARTIALLY_REFUNDED', 'CHARGEBACK']

const isAmong = <Word>(words: readonly Word[], value: Word): boolean =>
  words.length === 0 || words.includes(value)
