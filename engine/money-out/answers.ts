import type { Answerers } from '../kernel/reader.ts'
import { foldCase } from '../shared/fold-case.ts'
import type { OutgoingTransfer } from './money-out.ts'
import { type Beneficiary, beneficiaryStatusAt } from './payees/beneficiary.ts'
import type { Payee } from './payees/payee.ts'
import type { ListBeneficiaries, ListOutgoingTransfers, OutgoingQuery } from './queries.ts'

/** Answers about transfers and beneficiaries. */
export const transferAnswers: Answerers<OutgoingQuery> = {
  FindOutgoingTransfer: ({ outgoingTransferId }, { find }) => find('outgoingTransfer', outgoingTransferId),
  ListOutgoingTransfers: function* (query, { list, result }) {
    return result(yield* list('outgoingTransfer', query, transferFits(query), transferMatches(query)))
  },
  FindBeneficiary: ({ beneficiaryId }, { find, nowMs }) => {
    const { value, sequence } = find('beneficiary', beneficiaryId)
    return { value: value && { beneficiary: value, nowMs }, sequence }
  },
  ListBeneficiaries: function* (query, { list, result, nowMs }) {
    return result(yield* list('beneficiary', query, beneficiaryFits(query), beneficiaryMatches(query, nowMs)))
  },
}

const isWanted = (wanted: readonly string[], word: string): boolean =>
  wanted.length === 0 || wanted.includes(word)

const transferFits =
  ({ statuses, kinds }: ListOutgoingTransfers) =>
  (label: string): boolean => {
    const [status, kind] = label.split(' ')
    return isWanted(statuses, status!) && isWanted(kinds, kind!)
  }

const transferMatches = (query: ListOutgoingTransfers): ((transfer: OutgoingTransfer) => boolean) | null => {
  const { beneficiary, createdBy, search, minCents, maxCents } = query
  const filters = [beneficiary, createdBy, search, minCents, maxCents]
  if (filters.every((filter) => filter === null)) return null
  return (transfer) =>
    (beneficiary === null || transfer.beneficiaryId === beneficiary) &&
    (createdBy === null || transfer.createdBy === createdBy) &&
    (minCents === null || transfer.amountCents >= minCents) &&
    (maxCents === null || transfer.amountCents <= maxCents) &&
    (search === null ||
      [transfer.id, transfer.externalId, transfer.endToEndId].includes(search) ||
      isPayeeFound(transfer.payee, search))
}

const beneficiaryFits =
  ({ statuses, kinds }: ListBeneficiaries) =>
  (label: string): boolean => {
    const [listed, kind] = label.split(' ')
    if (!isWanted(kinds, kind!)) return false
    // Whether one still cools off is a question of time.
    return statuses.length === 0 || listed === 'LISTED' || statuses.includes('INACTIVE')
  }

const beneficiaryMatches = (
  { statuses, search }: ListBeneficiaries,
  nowMs: number,
): ((beneficiary: Beneficiary) => boolean) | null => {
  if (statuses.length === 0 && search === null) return null
  return (beneficiary) =>
    isWanted(statuses, beneficiaryStatusAt(beneficiary, nowMs)) &&
    (search === null ||
      beneficiary.id === search ||
      foldCase(beneficiary.nickname ?? '').includes(foldCase(search)) ||
      isPayeeFound(beneficiary.payee, search))
}

const isPayeeFound = ({ name, document, pixKey }: Payee, search: string): boolean =>
  document === search || pixKey === search || foldCase(name).includes(foldCase(search))
