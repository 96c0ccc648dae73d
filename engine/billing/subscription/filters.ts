import { dateIn } from '../../shared/calendar.ts'
import type { Customer } from '../../shared/customer.ts'
import { foldCase } from '../../shared/fold-case.ts'
import type { Invoice } from '../invoice/invoice.ts'
import { invoiceNumber } from '../invoice/issue.ts'
import type { Subscriber } from '../subscriber/subscriber.ts'
import type { ListInvoices, ListSubscribers, ListSubscriptions } from './queries.ts'
import type { Subscription } from './subscription.ts'

/**
 * Filters for lists of subscriptions, invoices and subscribers: `…Fits` reads the label alone, `…Matches` the state.
 */
export const subscriptionFits =
  ({ dateField, from, to, statuses, methods, planId }: ListSubscriptions) =>
  (label: string): boolean => {
    const [status, plan, method, cancelledOn] = label.split(' ')
    if (planId !== null && plan !== planId) return false
    if (dateField === 'cancelledAt') {
      if (cancelledOn === undefined) return false
      if ((from !== null && cancelledOn < from) || (to !== null && cancelledOn > to)) return false
    }
    return isAmong(statuses, status!) && isAmong(methods, method!)
  }

/** What lists filter by: status, plan and method, and for a cancelled one the day. */
export const subscriptionLabel = (subscription: Subscription): string => {
  const { status, planId, method, timeZone, cancelledAtMs } = subscription
  const label = `${status} ${planId} ${method}`
  return status === 'CANCELLED' ? `${label} ${dateIn(timeZone, cancelledAtMs!)}` : label
}

/** The days of creation that a list is about: none where they are those of cancellation. */
export const createdIn = (query: ListSubscriptions): ListSubscriptions =>
  query.dateField === 'createdAt' ? query : { ...query, from: null, to: null }

/** A search over a subscription's ids and its customer; null without one. */
export const subscriptionMatches = ({ search }: ListSubscriptions) =>
  search === null ? null : (subscription: Subscription): boolean => says(subscription, search)

/** Label and state filter in one, for short lists. */
export const isWanted = (query: ListSubscriptions, subscription: Subscription): boolean => {
  const { search } = query
  return (
    subscriptionFits(query)(subscriptionLabel(subscription)) &&
    (search === null || says(subscription, search))
  )
}

/** Filters invoices or subscribers by status. */
export const statusFits =
  ({ statuses }: ListInvoices | ListSubscribers) =>
  (status: string): boolean =>
    isAmong(statuses, status)

/** A search over an invoice's id, number and customer; null without one. */
export const invoiceMatches = ({ search }: ListInvoices) =>
  search === null ? null : (invoice: Invoice): boolean => isNamed(invoice, search)

/** All conditions of the list at once, for the few invoices that an index has found. */
export const isWantedInvoice = (query: ListInvoices, invoice: Invoice): boolean => {
  const { subscriptionId, customerId, search } = query
  if (subscriptionId !== null && invoice.subscriptionId !== subscriptionId) return false
  if (customerId !== null && invoice.customerId !== customerId) return false
  return isAmong(query.statuses, invoice.status) && (search === null || isNamed(invoice, search))
}

/** A search over a subscriber's id, name, e-mail and document; null without one. */
export const subscriberMatches = ({ search }: ListSubscribers) =>
  search === null
    ? null
    : ({ customerId, customer }: Subscriber): boolean => customerId === search || describes(customer, search)

const isNamed = ({ id, number, subscriptionId, customerId }: Invoice, search: string): boolean =>
  [id, invoiceNumber(number), subscriptionId, customerId].includes(search)

const says = ({ id, customerId, customer }: Subscription, search: string): boolean =>
  id === search || customerId === search || describes(customer, search)

const describes = ({ document, name, email }: Customer, search: string): boolean =>
  document === search ||
  foldCase(name).includes(foldCase(search)) ||
  (email !== null && foldCase(email).includes(foldCase(search)))

const isAmong = (words: readonly string[], value: string): boolean =>
  words.length === 0 || words.includes(value)
