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
import { limits } from '../shared/limits.ts'
import type { Search, SearchedKind, SearchFound } from './queries.ts'

/**
 * A search over everything that people name. Indexes find what is meant; where there is none, the newest are looked at, so that it takes
 * milliseconds however many there are. Customers are also found by the names under which they have paid.
 */
export const searchAnswers: Answerers<Search> = {
  Search: function* (search, reader) {
    const asked = { ...search, reader }
    const { text, kinds } = search
    const isAsked = (...some: SearchedKind[]): boolean => some.some((kind) => kinds.includes(kind))
    const says = (name: string | null): boolean => name !== null && foldCase(name).includes(foldCase(text))
    const transactions = isAsked('transaction', 'customer') ? yield* findTransactions(asked) : []
    const customers = isAsked('customer', 'subscription', 'invoice')
      ? yield* findCustomers(asked, transactions, says)
      : []
    const ofCustomers = <Kind extends 'subscription' | 'invoice'>(kind: Kind) =>
      customers.flatMap(({ id }) => newestWith(asked, kind, id))
    const isKept = ({ isRemoved }: { readonly isRemoved: boolean }): boolean => !isRemoved
    const found: SearchFound = {
      transaction: isAsked('transaction') ? transactions : [],
      customer: isAsked('customer') ? customers : [],
      subscription: isAsked('subscription')
        ? few(own(asked, 'subscription'), ofCustomers('subscription'))
        : [],
      invoice: isAsked('invoice')
        ? few(
            own(asked, 'invoice'),
            yield* invoicesNumbered(asked),
            newestWith(asked, 'invoice'),
            ofCustomers('invoice'),
          )
        : [],
      plan: isAsked('plan')
        ? few(own(asked, 'plan'), yield* amongNewest(asked, 'plan', ({ name }) => says(name))).filter(isKept)
        : [],
      coupon: isAsked('coupon')
        ? few(
            own(asked, 'coupon'),
            newestWith(asked, 'coupon', text.toUpperCase()),
            yield* amongNewest(asked, 'coupon', ({ code, name }) => says(code) || says(name)),
          ).filter(isKept)
        : [],
      delivery: isAsked('delivery') ? few(own(asked, 'delivery'), newestWith(asked, 'delivery')) : [],
      transfer: isAsked('transfer') ? yield* findMoneyOut(asked, 'transfer', says) : [],
      withdrawal: isAsked('withdrawal') ? yield* findMoneyOut(asked, 'withdrawal', says) : [],
    }
    return reader.result(found)
  },
}

type Asked = Pick<Search, 'accountId' | 'text'> & { readonly reader: Reader }

/** By what lists search, by the numbers of a boleto, and by the ids of refunds, chargebacks and MEDs. */
const findTransactions = function* ({ accountId, text, reader }: Asked): Work<readonly Transaction[]> {
  const { memory } = reader
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
  asked: Asked,
  transactions: readonly Transaction[],
  says: (name: string | null) => boolean,
): Work<readonly ActorStates['customer'][]> {
  const { text } = asked
  const payers = transactions.flatMap(({ customerId }) =>
    customerId === null ? [] : own(asked, 'customer', customerId),
  )
  const registered = yield* amongNewest(asked, 'customer', ({ customer, externalId }) => {
    const { name, email, phone } = customer
    return externalId === text || phone === text || says(name) || says(email)
  })
  return few(own(asked, 'customer'), newestWith(asked, 'customer', bareDocument(text)), payers, registered)
}

/** Invoices are numbered in the order in which they are issued, so that the number says where to look. */
const invoicesNumbered = function* ({
  accountId,
  text,
  reader: { memory, account },
}: Asked): Work<readonly ActorStates['invoice'][]> {
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
  asked: Asked,
  kind: Kind,
  says: (name: string | null) => boolean,
): Work<readonly ActorStates[Kind][]> {
  const { text } = asked
  const isMeant = ({ payee, externalId, railId }: MoneyOut): boolean =>
    says(payee.name) ||
    ('address' in payee && (says(payee.holderName) || payee.address === text)) ||
    [externalId, railId].includes(text)
  return few(own(asked, kind), yield* amongNewest(asked, kind, isMeant))
}

/** One actor of the account, by its id. */
const own = <Kind extends SearchedKind>(
  { reader, text }: Asked,
  kind: Kind,
  id: string = text,
): readonly ActorStates[Kind][] => {
  const { value } = reader.find(kind, id)
  return value === null ? [] : [value]
}

/** The newest with a lookup key. */
const newestWith = <Kind extends SearchedKind>(
  { accountId, reader, text }: Asked,
  kind: Kind,
  key: string = text,
): readonly ActorStates[Kind][] =>
  reader.memory
    .lookup(kind, accountId, key)
    .slice(-limits.searchHitsMax)
    .map(({ state }) => state)
    .reverse()

/** Those of the newest that fit. */
const amongNewest = function* <Kind extends SearchedKind>(
  { accountId, reader }: Asked,
  kind: Kind,
  fits: (state: ActorStates[Kind]) => boolean,
): Work<readonly ActorStates[Kind][]> {
  const page = { offset: 0, limit: limits.searchedNewest }
  return (yield* reader.memory.listing(accountId, kind, page)).states.filter(fits)
}

/** The first few of all, each once. */
const few = <State extends { readonly id: string }>(
  ...found: readonly (readonly State[])[]
): readonly State[] =>
  [...new Map(found.flat().map((state) => [state.id, state])).values()].slice(0, limits.searchHitsMax)
