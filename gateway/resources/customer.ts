import Type, { type Static } from 'typebox'
import type { RegisteredCustomer } from '../../engine/customers/customer.ts'
import { states } from '../../engine/shared/address.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import type { Customer } from '../../engine/shared/customer.ts'
import { described, named } from '../http/named-schema.ts'
import {
  dated,
  documentType,
  enumeration,
  identity,
  nullable,
  ownMetadata,
  resource,
  text,
  textOf,
} from './fields.ts'

const address = named(
  'Address',
  Type.Object(
    {
      street: textOf('Street, avenue or square.'),
      number: textOf('`S/N` where the building has none.'),
      complement: described(text, 'Flat, block or floor.'),
      district: textOf('Bairro.'),
      city: textOf('Município.'),
      state: described(enumeration(...states), 'Two letters.'),
      zip: textOf('CEP, eight digits.'),
    },
    { description: 'A postal address in Brazil.' },
  ),
)

const customerFields = {
  name: textOf('Name of the person or company.'),
  document: described(text, 'CPF or CNPJ without punctuation.'),
  documentType,
  email: described(text, 'The domain in lower case.'),
  phone: described(text, 'With area code, digits only.'),
  address: nullable(address, 'Null where none was sent.'),
}

/** The payer of a charge. */
export const customer = named(
  'CustomerData',
  Type.Object(customerFields, { description: 'The payer, as known when the charge was made.' }),
)

/** The payer of a charge. */
export const customerView = ({
  name,
  document,
  documentType,
  email,
  phone,
  address,
}: Customer): Static<typeof customer> => ({ name, document, documentType, email, phone, address })

/** An entry of the register (decisions, section 8). */
export const registeredCustomer = named(
  'Customer',
  resource('An entry of your register of payers.', {
    ...identity('cus', 'customer'),
    ...customerFields,
    externalId: described(text, 'Your own identifier of the customer. It need not be unique.'),
    metadata: ownMetadata,
    ...dated,
  }),
)

/** An entry of the register. Entries never change. */
export const registeredCustomerView = (registered: RegisteredCustomer): Static<typeof registeredCustomer> => {
  const createdAt = isoInstant(registered.createdAtMs)
  return {
    id: registered.id,
    object: 'customer',
    ...customerView(registered.customer),
    externalId: registered.externalId,
    metadata: registered.metadata,
    createdAt,
    updatedAt: createdAt,
  }
}
