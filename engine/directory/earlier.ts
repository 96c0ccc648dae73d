import { defaultFees } from '../ledger/fees.ts'
import type { Company, Endpoint, Key } from './directory.ts'

/**
 * What facts lack that were written before companies, keys and endpoints had all of their members. A fact that has a
 * member keeps it.
 */
export const firstRevision = 1

export const wholeCompany = (company: Company): Company => ({
  ...{
    address: null,
    fees: defaultFees,
    revision: firstRevision,
    suspendedAtMs: null,
    updatedAtMs: company.createdAtMs,
  },
  ...company,
})

export const wholeKey = (key: Key): Key => ({ ...{ expiresAtMs: null, rolledTo: null }, ...key })

export const wholeEndpoint = (endpoint: Endpoint): Endpoint => ({
  ...{
    description: null,
    hearsFromMs: endpoint.createdAtMs,
    updatedAtMs: endpoint.createdAtMs,
    deletedAtMs: null,
  },
  ...endpoint,
})
