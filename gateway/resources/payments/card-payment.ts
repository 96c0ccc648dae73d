import { namedObject } from '../../schema/named-schema.ts'
import { card } from './card-part.ts'
import { transaction } from './transaction.ts'
import { detail } from './transaction-detail.ts'

const fields = { ...transaction.schema.properties, card: card.schema }

/** A card payment in answers and lists; rendered by the view of a transaction. */
export const cardPayment = namedObject(
  'CardPayment',
  'A card payment: a transaction, with what the acquirer said.',
  fields,
)

/** A card payment shown alone. */
export const cardPaymentDetail = namedObject('CardPaymentDetail', 'A card payment with its history.', {
  ...fields,
  ...detail.schema.properties,
})
