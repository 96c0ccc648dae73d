import { everyRow } from '../rows.ts'
import type { Call } from '../service.ts'
import { everyDivided } from '../shares.ts'
import { clockOf } from './shop.ts'

/** Everything that a shop's key can read about its subscriptions. Rows are as the API answers them. */
export type Books = {
  readonly nowMs: number
  readonly subscriptions: readonly any[]
  readonly invoices: readonly any[]
  readonly charges: readonly any[]
  /** The payments that were divided, in detail. */
  readonly divided: readonly any[]
  readonly transfers: readonly any[]
  readonly coupons: readonly any[]
  readonly subscribers: readonly any[]
  readonly overview: any
}

export const readBooks = async (call: Call): Promise<Books> => {
  const charges = await everyRow(call, '/v1/transactions')
  return {
    nowMs: (await clockOf(call)).nowMs,
    subscriptions: await everyRow(call, '/v1/subscriptions'),
    invoices: await everyRow(call, '/v1/invoices'),
    charges,
    divided: await everyDivided(call, charges),
    transfers: await everyRow(call, '/v1/split/transfers'),
    coupons: await everyRow(call, '/v1/coupons'),
    subscribers: await everyRow(call, '/v1/recurring/customers'),
    overview: (await call('GET', '/v1/recurring/overview')).body,
  }
}

/** The books as lines that are the same of two shops of one moment, to which the same happened. */
const linesOf = (books: Books): readonly string[] => {
  const { subscriptions, invoices, charges, divided, transfers, coupons, overview } = books
  const names = new Map([...subscriptions, ...charges].map(({ id, metadata }) => [id, metadata.name]))
  const line = (what: string, owner: string, row: object): string =>
    `${what} ${names.get(owner)}: ${JSON.stringify(row, (key, value) => (isChance(key) ? undefined : value))}`
  return [
    ...subscriptions.map((row) => line('subscription', row.id, row)),
    ...invoices.map((row) => line('invoice', row.subscriptionId, row)),
    ...charges.map((row) => line('charge', row.id, row)),
    ...divided.map(({ id, split, receivables }) => line('shares', id, { split, receivables })),
    ...transfers.map((row) => line('transfer', row.transactionId, row)),
    ...coupons.map((row) => line('coupon', row.code, row)),
    line('overview', '', overview),
  ].sort()
}

/** Ids and what is made of them, moments, counters of changes. */
const chances = [
  ...['id', 'number', 'reference', 'version', 'asOf'],
  ...['txid', 'idTransacao', 'copyPaste', 'qrCodeUrl', 'barcode', 'digitableLine', 'ourNumber', 'pdfUrl'],
  ...['nsu', 'tid', 'authorizationCode', 'providerReference'],
]
const isChance = (key: string): boolean => chances.includes(key) || /(Id|Ids|At)$/.test(key)

/** What only one of two books says. */
export const differences = (found: Books, expected: Books): readonly string[] => {
  const [lines, wanted] = [linesOf(found), linesOf(expected)]
  return [
    ...without(lines, wanted).map((line) => `there is ${line}`),
    ...without(wanted, lines).map((line) => `there is no ${line}`),
  ]
}

/** Lines that are there more often than in the others. */
const without = (lines: readonly string[], others: readonly string[]): readonly string[] => {
  const left = new Map<string, number>()
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}
