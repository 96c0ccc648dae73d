import { toldSteps } from '../audit/told-steps.ts'
import type { Answerers } from '../kernel/reader.ts'
import { foldCase } from '../shared/fold-case.ts'
import { byClock, type Initiator } from '../shared/initiator.ts'
import type { MoneyOut, MoneyOutFact } from './money-out.ts'
import type { Beneficiary } from './payees/beneficiary.ts'
import { type Payee, payeeStatusAt } from './payees/payee.ts'
import type { Wallet } from './payees/wallet.ts'
import type { ListBeneficiaries, ListMoneyOut, ListWallets, MoneyOutQuery } from './queries.ts'

/** Answers about transfers, withdrawals and payees. */
export const moneyOutAnswers: Answerers<MoneyOutQuery> = {
  FindMoneyOut: (query, { find, memory }) => {
    const [kind, id] =
      'transferId' in query
        ? (['transfer', query.transferId] as const)
        : (['withdrawal', query.withdrawalId] as const)
    const { value: out, sequence } = find(kind, id)
    if (out === null) return { value: null, sequence }
    return { value: { out, steps: toldSteps(memory, kind, id, moneyOutActor) }, sequence }
  },
  ListMoneyOut: function* (query, { list, result }) {
    return result(yield* list(query.kind, query, labelFits(query.labels), moneyOutMatches(query)))
  },
  FindBeneficiary: ({ beneficiaryId }, { find, nowMs }) => {
    const { value, sequence } = find('beneficiary', beneficiaryId)
    return { value: value && { beneficiary: value, nowMs }, sequence }
  },
  ListBeneficiaries: function* (query, { list, result, nowMs }) {
    return result(yield* list('beneficiary', query, beneficiaryFits(query), beneficiaryMatches(query, nowMs)))
  },
  FindWallet: ({ walletId }, { find, nowMs }) => {
    const { value: wallet, sequence } = find('wallet', walletId)
    return { value: wallet && { wallet, nowMs }, sequence }
  },
  ListWallets: function* (query, { list, result }) {
    const { isActive } = query
    const fits = (label: string): boolean => isActive === null || isActive === (label === 'ACTIVE')
    return result(yield* list('wallet', query, fits, walletMatches(query)))
  },
}

/** Who acted is in the audit log; a provider answers calls, and the rest the service does when its time has come. */
const moneyOutActor = (fact: MoneyOutFact, recorded: Initiator | null): Initiator => {
  if (recorded !== null) return recorded
  switch (fact.type) {
    case 'OutcomeDeclared':
    case 'OutcomeConfirmed':
      return fact.by
    case 'MoneyOutCreated':
      return { kind: 'PERSON', id: fact.created.createdBy }
    case 'MoneyOutDecided': {
      const { personId: id } = fact.decision
      return id === null ? { kind: 'SANDBOX', id } : { kind: 'PERSON', id }
    }
    case 'MoneyOutBroadcast':
    case 'MoneyOutCompleted':
    case 'MoneyOutUnanswered':
    case 'MoneyOutIdentified':
    case 'MoneyOutNumbered':
    case 'MoneyOutCharged':
    case 'MoneyOutCameBack':
    case 'OutcomeLost':
      return byProvider
    case 'MoneyOutFailed':
      return fact.callId === null ? byClock : byProvider
    default:
      return byClock
  }
}

const byProvider: Initiator = { kind: 'PROVIDER', id: null }

const walletMatches = ({ search }: ListWallets): ((wallet: Wallet) => boolean) | null => {
  if (search === null) return null
  const wanted = foldCase(search)
  return ({ id, address, name, holderName, providerName }) =>
    id === search ||
    address === search ||
    [name, holderName, providerName].some((text) => text !== null && foldCase(text).includes(wanted))
}

const isWanted = (wanted: readonly string[], value: string): boolean =>
  wanted.length === 0 || wanted.includes(value)

const labelFits =
  (wanted: ListMoneyOut['labels']) =>
  (label: string): boolean => {
    const words = label.split(' ')
    return wanted.every((some, n) => isWanted(some, words[n]!))
  }

const moneyOutMatches = (query: ListMoneyOut): ((out: MoneyOut) => boolean) | null => {
  const { payeeId, createdBy, search, minCents, maxCents } = query
  if ([payeeId, createdBy, search, minCents, maxCents].every((filter) => filter === null)) return null
  return (out) =>
    (payeeId === null || out.payeeId === payeeId) &&
    (createdBy === null || out.createdBy === createdBy) &&
    (minCents === null || out.amountCents >= minCents) &&
    (maxCents === null || out.amountCents <= maxCents) &&
    (search === null ||
      [out.id, out.externalId, out.railId].includes(search) ||
      isPayeeFound(out.payee, search))
}

const beneficiaryFits =
  ({ statuses, kinds }: ListBeneficiaries) =>
  (label: string): boolean => {
    const [listed, kind] = label.split(' ')
    if (!isWanted(kinds, kind!)) return false
    // The label cannot say whether a payee still cools off: that depends on the time.
    return statuses.length === 0 || listed === 'LISTED' || statuses.includes('INACTIVE')
  }

const beneficiaryMatches = (
  { statuses, search }: ListBeneficiaries,
  nowMs: number,
): ((beneficiary: Beneficiary) => boolean) | null => {
  if (statuses.length === 0 && search === null) return null
  return (beneficiary) =>
    isWanted(statuses, payeeStatusAt(beneficiary.isActive, beneficiary.availableAtMs, nowMs)) &&
    (search === null ||
      beneficiary.id === search ||
      foldCase(beneficiary.nickname ?? '').includes(foldCase(search)) ||
      isPayeeFound(beneficiary.payee, search))
}

const isPayeeFound = (payee: Payee, search: string): boolean => {
  const says = (text: string): boolean => foldCase(text).includes(foldCase(search))
  return 'address' in payee
    ? payee.holderDocument === search ||
        // Addresses of some networks may be written in either case.
        foldCase(payee.address) === foldCase(search) ||
        says(payee.name) ||
        says(payee.holderName)
    : payee.document === search || payee.pixKey === search || says(payee.name)
}
