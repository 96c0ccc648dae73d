import type { AuditEntry } from '../audit/audit-entry.ts'
import { invoiceNumber } from '../billing/invoice/issue.ts'
import type { Reader } from '../kernel/reader.ts'
import { notedKind } from '../notes/note.ts'
import { pixOf } from '../payments/methods/pix/pix.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import type { Currency } from '../shared/method.ts'
import type { Cents } from '../shared/money.ts'

/** What an act was done to, as people call it: a name and a sum of money, where it has them. */
export type ActedOn = {
  readonly id: string
  readonly name: string | null
  readonly money: { readonly cents: Cents; readonly currency: Currency } | null
  /** The object whose page shows it, where it has none of its own: the transaction of a refund. */
  readonly shownBy: string | null
}

/** Looks up an object of the audit log as it is now; null for one that no shard has, and for one that is gone. */
export const actedOn = (
  reader: Pick<Reader, 'find' | 'memory' | 'account'>,
  { type, id }: NonNullable<AuditEntry['object']>,
): ActedOn | null => {
  const { find, memory, account } = reader
  switch (type) {
    case 'transaction': {
      const { value } = find('transaction', id)
      return value && named(id, payerOf(value), value.amountCents, value.currency)
    }
    case 'refund':
    case 'chargeback':
    case 'med': {
      const transaction = memory.transactionOfReversal(id)?.state
      if (transaction === undefined || transaction.accountId !== account?.id) return null
      const refund = transaction.reversals.refunds.find((one) => one.id === id)
      const cents = refund?.amountCents ?? transaction.amountCents
      return { ...named(id, payerOf(transaction), cents, transaction.currency), shownBy: transaction.id }
    }
    case 'outgoing_transfer': {
      const { value } = find('transfer', id)
      return value && named(id, value.payee.name, value.amountCents)
    }
    case 'crypto_withdrawal': {
      const { value } = find('withdrawal', id)
      return value && named(id, value.payee.name, value.amountCents, value.currency)
    }
    case 'conversion': {
      const { value } = find('conversion', id)
      return value && named(id, null, value.fromCents, value.fromCurrency)
    }
    case 'crypto_deposit': {
      const { value } = find('cryptoDeposit', id)
      return value && named(id, null, value.units, value.asset)
    }
    case 'invoice': {
      const { value } = find('invoice', id)
      return value && named(id, invoiceNumber(value.number), value.totalCents)
    }
    case 'plan': {
      const { value } = find('plan', id)
      return value && named(id, value.name, value.amountCents)
    }
    case 'payment_link': {
      const { value } = find('paymentLink', id)
      if (value === null) return null
      const { title, price } = value
      return named(id, title, price.mode === 'FIXED' ? price.amountCents : undefined)
    }
    case 'checkout_session': {
      const { value } = find('checkoutSession', id)
      return value && named(id, value.customer?.name || null, value.amountCents)
    }
    case 'subscription': {
      const customer = find('subscription', id).value?.customerId
      return customer === undefined ? null : named(id, customerNamed(find, customer))
    }
    case 'customer':
      return named(id, customerNamed(find, id))
    case 'ticket': {
      const { value } = find('ticket', id)
      return value && named(id, `#${value.number}`)
    }
    // A note is about a transaction or a customer, whose page shows it.
    case 'note': {
      const about = find('note', id).value?.objectId
      const kind = about && notedKind(about)
      if (!kind) return null
      const noted = actedOn(reader, { type: kind, id: about })
      return noted && { ...noted, id, money: null, shownBy: about }
    }
    case 'beneficiary':
      return named(id, find('beneficiary', id).value?.payee.name)
    case 'wallet':
      return named(id, find('wallet', id).value?.name)
    case 'coupon':
      return named(id, find('coupon', id).value?.code)
    case 'recipient':
      return named(id, find('recipient', id).value?.name)
    case 'split_rule':
      return named(id, find('splitRule', id).value?.name)
    case 'webhook_delivery':
      return named(id, find('delivery', id).value?.eventType)
    case 'view':
      return named(id, find('view', id).value?.name)
    default:
      return null
  }
}

const named = (
  id: string,
  name: string | null | undefined,
  cents?: Cents,
  currency: Currency = 'BRL',
): ActedOn => ({
  id,
  name: name ?? null,
  money: cents === undefined ? null : { cents, currency },
  shownBy: null,
})

const payerOf = (transaction: Transaction): string | null =>
  pixOf(transaction)?.payment?.payer?.name ?? transaction.customer?.name ?? null

const customerNamed = (find: Reader['find'], id: string): string | null =>
  find('customer', id).value?.customer.name ?? null
