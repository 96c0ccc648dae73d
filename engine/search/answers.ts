import { invoiceNumber } from '../billing/invoice/issue.ts'
import type { Answerers, Reader } from '../kernel/reader.ts'
import type { ActorStates } from '../kernel/registry.ts'
import type { Work } from '../kernel/work.ts'
import type { MoneyOutKind } from '../money-out/asked.ts'
import type { MoneyOut } from '../money-out/money-out.ts'
import { ourNumberIn } from '../payments/methods/boleto/numbers.ts'
import { anyTransaction, filterOf } from '../payments/transaction/filters.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import { bounds } from '../shared/bounds.ts'
import { bareDocument } from '../shared/documents.ts'
import { foldCase } from '../shared/fold-case.ts'
import type { Search, SearchedKind, SearchFound } from './queries.ts'

/**
 * Searches all objects by the texts that people see. Lookup keys and indexes find most of them; where none exists,
 * only the newest objects are scanned, so that a search takes milliseconds at any size. Customers are also found
 * through matching payments.
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

/** Finds transactions as lists do, and by a boleto's numbers and the ids of refunds, chargebacks and MEDs. */
const findTransactions = function* ({ accountId, text, reader }: Asked): Work<readonly Transaction[]> {
  const { memory } = reader
  const reversed = memory.transactionOfReversal(text)?.state
  const filter = filterOf({ ...anyTransaction, search: ourNumberIn(text) ?? text })
  const { states } = yield* memory.transactions(accountId, filter, {
    order: { by: 'createdAt', isDescending: true },
    start: { offset: 0 },
    limit: bounds.searchHitsMax,
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

/** Finds invoices by number. Numbers follow the order of issue, so a number says how far back to look. */
const invoicesNumbered = function* ({
  accountId,
  text,
  reader: { memory, account },
}: Asked): Work<readonly ActorStates['invoice'][]> {
  const number = Number(/^INV-(\d{1,12})$/i.exec(text)?.[1] ?? 0)
  const behind = (account?.recurring.invoicesIssued ?? 0) - number
  if (number === 0 || behind < 0) return []
  const { states } = yield* memory.listing(accountId, 'invoice', {
    offset: Math.max(0, behind - bounds.searchHitsMax),
    limit: 2 * bounds.searchHitsMax,
  })
  return states.filter((invoice) => invoiceNumber(invoice.number) === text.toUpperCase())
}

/** Finds money out by its payee, its id, and the ids that the company or the rail gave it. */
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

/** The newest actors with a lookup key. */
const newestWith = <Kind extends SearchedKind>(
  { accountId, reader, text }: Asked,
  kind: Kind,
  key: string = text,
): readonly ActorStates[Kind][] =>
  reader.memory
    .lookup(kind, accountId, key)
    .slice(-bounds.searchHitsMax)
    .map(({ state }) => state)
    .reverse()

/** The newest actors of a kind, filtered. */
const amongNewest = function* <Kind extends SearchedKind>(
  { accountId, reader }: Asked,
  kind: Kind,
  fits: (state: ActorStates[Kind]) => boolean,
): Work<readonly ActorStates[Kind][]> {
  const page = { offset: 0, limit: bounds.searchedNewest }
  return (yield* reader.memory.listing(accountId, kind, page)).states.filter(fits)
}

/** The first few of all lists together, without duplicates. */
const few = <State extends { readonly id: string }>(
  ...found: readonly (readonly State[])[]
): readonly State[] =>
  [...new Map(found.flat().map((state) => [state.id, state])).values()].slice(0, bounds.searchHitsMax)
