import { invoiceNumber } from '../billing/invoice/issue.ts'
import type { Answerers, Reader } from '../kernel/reader.ts'
import type { ActorStates } from '../kernel/registry.ts'
import type { Work } from '../kernel/work.ts'
import type { MoneyOutKind } from '../money-out/asked.ts'
import type { MoneyOut } from '../money-out/money-out.ts'
import { ourNumberIn } from '../payments/methods/boleto/numbers.ts'
import { anyTransaction, filterOf } from '../payments/transaction/filters.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import { bareDocument } from '../shared/documents.ts'
import { foldCase } from '../shared/fold-case.ts'
import type { AccountId } from '../shared/ids.ts'
import { limits } from '../shared/limits.ts'
import type { Search, SearchedKind, SearchFound } from './queries.ts'

/**
 * A search over everything that people name. Indexes find what is meant; where there is none, the newest are looked at, so that it takes
 * milliseconds however many there are. Customers are also found by the names under which they have paid.
 */
export const searchAnswers: Answerers<Search> = {
  Search: function* (query, reader) {
    const { accountId, text, kinds } = query
    const { result } = reader
    const isAsked = (kind: SearchedKind): boolean => kinds.includes(kind)
    const transactions =
      isAsked('transaction') || isAsked('customer') ? yield* findTransactions(accountId, text, reader) : []
    const isBilling = isAsked('subscription') || isAsked('invoice')
    const customers =
      isAsked('customer') || isBilling ? yield* findCustomers(accountId, text, transactions, reader) : []
    const found: SearchFound = {
      transaction: transactions,
      customer: customers,
      subscription: isAsked('subscription')
        ? few(
            own(reader, 'subscription', text),
            customers.flatMap(({ id }) => newestWith(reader, 'subscription', accountId, id)),
          )
        : [],
      invoice: isAsked('invoice')
        ? few(
            own(reader, 'invoice', text),
            yield* invoicesNumbered(accountId, text, reader),
            newestWith(reader, 'invoice', accountId, text),
            customers.flatMap(({ id }) => newestWith(reader, 'invoice', accountId, id)),
          )
        : [],
      plan: isAsked('plan')
        ? few(
            own(reader, 'plan', text),
            yield* amongNewest(accountId, 'plan', reader, ({ name }) => says(name, text)),
          ).filter(({ isRemoved }) => !isRemoved)
        : [],
      coupon: isAsked('coupon')
        ? few(
            own(reader, 'coupon', text),
            newestWith(reader, 'coupon', accountId, text.toUpperCase()),
            yield* amongNewest(
              accountId,
              'coupon',
              reader,
              ({ code, name }) => says(code, text) || says(name, text),
            ),
          ).filter(({ isRemoved }) => !isRemoved)
        : [],
      delivery: isAsked('delivery')
        ? few(own(reader, 'delivery', text), newestWith(reader, 'delivery', accountId, text))
        : [],
      transfer: isAsked('transfer') ? yield* findMoneyOut(accountId, 'transfer', text, reader) : [],
      withdrawal: isAsked('withdrawal') ? yield* findMoneyOut(accountId, 'withdrawal', text, reader) : [],
    }
    return result({
      ...found,
      transaction: isAsked('transaction') ? transactions : [],
      customer: isAsked('customer') ? customers : [],
    })
  },
}

/** By what lists search, by the numbers of a boleto, and by the ids of refunds, chargebacks and MEDs. */
const findTransactions = function* (
  accountId: AccountId,
  text: string,
  { memory }: Reader,
): Work<readonly Transaction[]> {
  const reversed = memory.transactionOfReversal(text)?.state
  const filter = filterOf({ ...anyTransaction, search: ourNumberIn(text) ?? text })
  const { states } = yield* memory.transactions(accountId, filter, {
    order: { by: 'createdAt', isDescending: true },
    start: { offset: 0 },
    limit: limits.searchHitsMax,
    tells: 'nothing',
  })
  return few(reversed?.accountId === accountId ? [reversed] : [], states)
}

const findCustomers = function* (
  accountId: AccountId,
  text: string,
  transactions: readonly Transaction[],
  reader: Reader,
): Work<readonly ActorStates['customer'][]> {
  const payers = transactions.flatMap(({ customerId }) =>
    customerId === null ? [] : own(reader, 'customer', customerId),
  )
  const document = bareDocument(text)
  const registered = yield* amongNewest(accountId, 'customer', reader, ({ customer, externalId }) => {
    const { name, email, phone } = customer
    return externalId === text || phone === text || says(name, text) || says(email, text)
  })
  return few(
    own(reader, 'customer', text),
    newestWith(reader, 'customer', accountId, document),
    payers,
    registered,
  )
}

/** Invoices are numbered in the order in which they are issued, so that the number says where to look. */
const invoicesNumbered = function* (
  accountId: AccountId,
  text: string,
  { memory, account }: Reader,
): Work<readonly ActorStates['invoice'][]> {
  const number = Number(/^INV-(\d{1,12})$/i.exec(text)?.[1] ?? 0)
  const behind = (account?.recurring.invoicesIssued ?? 0) - number
  if (number === 0 || behind < 0) return []
  const { states } = yield* memory.listing(accountId, 'invoice', {
    offset: Math.max(0, behind - limits.searchHitsMax),
    limit: 2 * limits.searchHitsMax,
  })
  return states.filter((invoice) => invoiceNumber(invoice.number) === text.toUpperCase())
}

/** By what payees are called, and by the ids that the company, the bank and the network have given. */
const findMoneyOut = function* <Kind extends MoneyOutKind>(
  accountId: AccountId,
  kind: Kind,
  text: string,
  reader: Reader,
): Work<readonly ActorStates[Kind][]> {
  const isMeant = ({ payee, externalId, railId }: MoneyOut): boolean =>
    says(payee.name, text) ||
    ('address' in payee && (says(payee.holderName, text) || payee.address === text)) ||
    [externalId, railId].includes(text)
  return few(own(reader, kind, text), yield* amongNewest(accountId, kind, reader, isMeant))
}

/** One actor of the account, by its id. */
const own = <Kind extends SearchedKind>(
  reader: Reader,
  kind: Kind,
  id: string,
): readonly ActorStates[Kind][] => {
  const { value } = reader.find(kind, id)
  return value === null ? [] : [value]
}

/** The newest with a lookup key. */
const newestWith = <Kind extends SearchedKind>(
  { memory }: Reader,
  kind: Kind,
  accountId: AccountId,
  key: string,
): readonly ActorStates[Kind][] =>
  memory
    .lookup(kind, accountId, key)
    .slice(-limits.searchHitsMax)
    .map(({ state }) => state)
    .reverse()

/** Those of the newest that fit. */
const amongNewest = function* <Kind extends SearchedKind>(
  accountId: AccountId,
  kind: Kind,
  { memory }: Reader,
  fits: (state: ActorStates[Kind]) => boolean,
): Work<readonly ActorStates[Kind][]> {
  const { states } = yield* memory.listing(accountId, kind, { offset: 0, limit: limits.searchedNewest })
  return states.filter(fits)
}

/** The first few of all, each once. */
const few = <State extends { readonly id: string }>(
  ...found: readonly (readonly State[])[]
): readonly State[] =>
  [...new Map(found.flat().map((state) => [state.id, state])).values()].slice(0, limits.searchHitsMax)

const says = (text: string | null, searched: string): boolean =>
  text !== null && foldCase(text).includes(foldCase(searched))
