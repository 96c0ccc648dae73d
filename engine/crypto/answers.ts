import type { Answerers } from '../kernel/reader.ts'
import { foldCase } from '../shared/fold-case.ts'
import type { CryptoQuery, ListWithdrawals } from './queries.ts'
import type { CryptoWithdrawal } from './withdrawal.ts'

/** Answers about stablecoins that are no charges. */
export const cryptoAnswers: Answerers<CryptoQuery> = {
  ListCryptoDeposits: function* (query, { list, result }) {
    return result(yield* list('cryptoDeposit', query, isAmong(query.statuses), null))
  },
  FindConversion: ({ conversionId }, { find }) => find('conversion', conversionId),
  ListConversions: function* (query, { list, result }) {
    const fits = isAmong(query.statuses)
    return result(yield* list('conversion', query, (label) => fits(label.split(' ')[0]!), null))
  },
  FindWallet: ({ walletId }, { find, nowMs }) => {
    const { value: wallet, sequence } = find('wallet', walletId)
    return { value: wallet && { wallet, nowMs }, sequence }
  },
  ListWallets: function* (query, { list, result }) {
    const { isActive } = query
    const fits = (label: string): boolean => isActive === null || isActive === (label === 'ACTIVE')
    return result(yield* list('wallet', query, fits, null))
  },
  FindWithdrawal: ({ withdrawalId }, { find }) => find('cryptoWithdrawal', withdrawalId),
  ListWithdrawals: function* (query, { list, result }) {
    const [isStatus, isAsset, isNetwork] = [query.statuses, query.assets, query.networks].map(isAmong)
    const fits = (label: string): boolean => {
      const [status, asset, network] = label.split(' ')
      return isStatus!(status!) && isAsset!(asset!) && isNetwork!(network!)
    }
    return result(yield* list('cryptoWithdrawal', query, fits, withdrawalMatches(query)))
  },
}

const withdrawalMatches = (query: ListWithdrawals): ((withdrawal: CryptoWithdrawal) => boolean) | null => {
  const { wallet, createdBy, search, minUnits, maxUnits } = query
  if ([wallet, createdBy, search, minUnits, maxUnits].every((filter) => filter === null)) return null
  return (withdrawal) =>
    (wallet === null || withdrawal.walletId === wallet) &&
    (createdBy === null || withdrawal.createdBy === createdBy) &&
    (minUnits === null || withdrawal.units >= minUnits) &&
    (maxUnits === null || withdrawal.units <= maxUnits) &&
    (search === null || isFound(withdrawal, search))
}

const isFound = ({ id, externalId, txHash, wallet }: CryptoWithdrawal, search: string): boolean =>
  [id, externalId, txHash, wallet.holderDocument].includes(search) ||
  // Addresses of some networks may be written in either case.
  foldCase(wallet.address) === foldCase(search) ||
  [wallet.name, wallet.holderName].some((name) => foldCase(name).includes(foldCase(search)))

const isAmong =
  (statuses: readonly string[]) =>
  (label: string): boolean =>
    statuses.length === 0 || statuses.includes(label)
