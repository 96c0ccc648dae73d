import { mix } from '../base/hash.ts'
import type { BloomFilter, TransactionTable } from './table-type.ts'

const bits = 2 ** 17
const bitsPerKey = 3

/** The filter of a full segment, made on first use; null while the segment still grows. */
export const bloomFilterOf = (table: TransactionTable, segment: number): BloomFilter | null => {
  const stats = table.segmentStats[segment]!
  const { rowsPerSegment } = table.rows.schema
  if (stats.bloomFilter === null && table.rows.count >= (segment + 1) * rowsPerSegment) {
    const bloomFilter = new Uint32Array(bits / 32)
    for (let row = 0; row < rowsPerSegment; row++) addRow(bloomFilter, table, segment, row)
    stats.bloomFilter = bloomFilter
  }
  return stats.bloomFilter
}

/** Adds a new or changed row. Bits of its former values may stay. */
export const addToBloomFilter = (table: TransactionTable, row: number): void => {
  const { bits, mask } = table.rows.schema
  const { bloomFilter } = table.segmentStats[row >>> bits]!
  if (bloomFilter !== null) addRow(bloomFilter, table, row >>> bits, row & mask)
}

const addRow = (bloomFilter: BloomFilter, table: TransactionTable, segment: number, row: number): void => {
  const { externalId, key0, key1, payer } = table.rows.segments[segment]!.views
  add(bloomFilter, externalId[row]!)
  add(bloomFilter, key0[row]!)
  add(bloomFilter, key1[row]!)
  add(bloomFilter, payerHash(payer[row]!))
}

/** Whether a row of the segment may have this 53-bit hash. */
export const mayHaveHash = (bloomFilter: BloomFilter, hash: number): boolean => {
  const step = stepOf(hash)
  for (let n = 0, bit = hash >>> 0; n < bitsPerKey; n++, bit += step)
    if (((bloomFilter[(bit & (bits - 1)) >>> 5]! >>> (bit & 31)) & 1) === 0) return false
  return true
}

/** Whether a row of the segment may have this payer. */
export const mayHavePayer = (bloomFilter: BloomFilter, payer: number): boolean =>
  mayHaveHash(bloomFilter, payerHash(payer))

const add = (bloomFilter: BloomFilter, hash: number): void => {
  if (hash === 0) return
  const step = stepOf(hash)
  for (let n = 0, bit = hash >>> 0; n < bitsPerKey; n++, bit += step)
    bloomFilter[(bit & (bits - 1)) >>> 5]! |= 1 << (bit & 31)
}

const stepOf = (hash: number): number => Math.floor(hash / 4294967296) | 1

const payerHash = (payer: number): number => (payer === 0 ? 0 : mix(payer) * 2097152 + (payer & 2097151))
