import type { Company } from '../../engine/directory/directory.ts'
import type { Fees } from '../../engine/ledger/fees.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { instantOrNull } from './fields.ts'

/** A company as operators see it. */
export const companyView = (company: Company) => ({
  id: company.id,
  object: 'company',
  name: company.name,
  document: company.document,
  status: company.suspendedAtMs === null ? 'ACTIVE' : 'SUSPENDED',
  city: company.city,
  address: company.address,
  timezone: company.timeZone,
  products: company.products,
  fees: feesView(company.fees),
  createdAt: isoInstant(company.createdAtMs),
  updatedAt: isoInstant(company.updatedAtMs),
  suspendedAt: instantOrNull(company.suspendedAtMs),
})

const feesView = ({ pixBps, boletoCents, cards, effectiveFrom }: Fees) => ({
  pixBps,
  boletoAmount: String(boletoCents),
  cards,
  effectiveFrom,
})
