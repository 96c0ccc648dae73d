import type { TransactionFilter, TransactionPage } from '../ports.ts'
import {
  kindOf,
  type MethodName,
  type OriginName,
  type Product,
  productOf,
  providerOf,
  type TransactionGroup,
  type TransactionKind,
} from './row.ts'
import type { TransactionStatus } from './transaction.ts'

/** What a list of transactions can be narrowed to (decisions, section 26). An empty list and null mean any. */
export type TransactionFilters = {
  readonly family: TransactionFamily | null
  readonly statuses: readonly TransactionStatus[]
  readonly methods: readonly MethodName[]
  readonly origins: readonly OriginName[]
  readonly products: readonly Product[]
  readonly kinds: readonly TransactionKind[]
  readonly providerId: string | null
  readonly minAmountCents: number | null
  readonly maxAmountCents: number | null
  readonly id: string | null
  readonly externalId: string | null
  readonly customerId: string | null
  /** Part of the customer's name, or their whole document or e-mail. */
  readonly customer: string | null
  /** An id or document exactly, or part of the customer's name or e-mail. */
  readonly search: string | null
}

/** What one family of routes shows of them. */
export type TransactionFamily = 'PIX_CHARGE' | 'PIX_DEPOSIT' | 'CARD' | 'BOLETO'

/** Every transaction: callers set what they narrow. */
export const anyTransaction: TransactionFilters = {
  family: null,
  statuses: [],
  methods: [],
  origins: [],
  products: [],
  kinds: [],
  providerId: null,
  minAmountCents: null,
  maxAmountCents: null,
  id: null,
  externalId: null,
  customerId: null,
  customer: null,
  search: null,
}

/** The filters as memory applies them, to what was created in [fromMs, toMs) and up to the journal position `asOf`. */
export const filterOf = (
  filters: TransactionFilters,
  fromMs: number | null,
  toMs: number | null,
  asOf: number | null,
): TransactionFilter => ({
  asOf,
  fromMs,
  toMs,
  fits: (group) => groupFits(filters, group),
  minAmountCents: filters.minAmountCents,
  maxAmountCents: filters.maxAmountCents,
  id: filters.id,
  externalId: filters.externalId,
  customerId: filters.customerId,
  customer: filters.customer,
  search: filters.search,
})

/** No rows, only what is told of all that fit. */
export const figuresOnly: TransactionPage = {
  order: { by: 'createdAt', isDescending: true },
  start: { offset: 0 },
  limit: 0,
  tells: 'figures',
}

const groupFits = (filters: TransactionFilters, group: TransactionGroup): boolean =>
  (filters.family === null || isOfFamily(filters.family, group)) &&
  isAmong(filters.statuses, group.status) &&
  isAmong(filters.methods, group.method) &&
  isAmong(filters.origins, group.origin) &&
  isAmong(filters.products, productOf(group)) &&
  isAmong(filters.kinds, kindOf(group)) &&
  (filters.providerId === null || filters.providerId === providerOf(group))

const isOfFamily = (family: TransactionFamily, { method, origin }: TransactionGroup): boolean => {
  switch (family) {
    case 'PIX_CHARGE':
      return method === 'PIX' && origin !== 'DEPOSIT'
    case 'PIX_DEPOSIT':
      return method === 'PIX' && origin === 'DEPOSIT'
    case 'CARD':
      return method === 'CREDIT_CARD' || method === 'DEBIT_CARD'
    case 'BOLETO':
      return method === 'BOLETO'
  }
}

const isAmong = <Word>(words: readonly Word[], word: Word): boolean =>
  words.length === 0 || words.includes(word)
