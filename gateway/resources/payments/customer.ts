import Type, { type Static } from 'typebox'
import type { RegisteredCustomer } from '../../../engine/customers/registered-customer.ts'
import { type PostalAddress, readZip, type State, states } from '../../../engine/shared/address.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { Customer } from '../../../engine/shared/customer.ts'
import { readDocument, readPhone } from '../../../engine/shared/documents.ts'
import { bounds } from '../../base/bounds.ts'
import { readInternationalEmail, shownEmail, shownEmailOrNull } from '../../base/emails.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { textUpTo as bounded, choice, documentField } from '../../schema/schema.ts'
import {
  createdAtField,
  dated,
  documentType,
  identityFields,
  nullableField,
  nullableText,
  ownMetadata,
  textOf,
} from '../fields.ts'
import { fieldsOf, resource, same, schemasOf } from '../resource.ts'

export const postalAddress = namedObject('Address', 'A postal address in Brazil.', {
  street: textOf('Street, avenue or square.'),
  number: textOf('`S/N` where the building has none.'),
  complement: described(nullableText, 'Flat, block or floor.'),
  district: textOf('Bairro.'),
  city: textOf('Município.'),
  state: described(choice(...states), 'Two letters.'),
  zip: textOf('CEP, eight digits.'),
} satisfies Record<keyof PostalAddress, Type.TSchema>)

/** A telephone number in normal form. */
export const phoneField = described(
  nullableText,
  'Digits with area code; a number of another country begins with its `+`.',
)

const customerFields = fieldsOf<{ readonly customer: Customer }>().with({
  name: [textOf('Name of the person or company.'), ({ customer }) => customer.name],
  document: [
    described(nullableText, 'CPF or CNPJ without punctuation.'),
    ({ customer }) => customer.document,
  ],
  documentType: [documentType, ({ customer }) => customer.documentType],
  email: [
    described(nullableText, 'The domain in lower case.'),
    ({ customer }) => shownEmailOrNull(customer.email),
  ],
  phone: [phoneField, ({ customer }) => customer.phone],
  address: [nullableField(postalAddress, 'Null where none was sent.'), ({ customer }) => customer.address],
}) satisfies Record<keyof Customer, unknown>

/** The payer of a charge, shown as it is kept. */
export const customer = namedObject(
  'CustomerData',
  'The payer, as known when the charge was made.',
  schemasOf(customerFields),
)

/** A payer as answers show them: an international e-mail address in its own letters. */
export const shownCustomer = <Payer extends Customer | null>(payer: Payer): Payer => {
  if (payer === null || payer.email === null) return payer
  const email = shownEmail(payer.email)
  return email === payer.email ? payer : { ...payer, email }
}

/** An entry of the register (decisions, section 8). Entries never change. */
export const registeredCustomer = resource<RegisteredCustomer>(
  'Customer',
  'An entry of your register of payers.',
).with({
  ...identityFields('cus', 'customer'),
  ...customerFields,
  externalId: [described(nullableText, 'Your own identifier of the customer. It need not be unique.'), same],
  metadata: [ownMetadata, same],
  createdAt: createdAtField,
  updatedAt: [dated.updatedAt, ({ createdAtMs }) => isoInstant(createdAtMs)],
})

export const addressInput = namedObject(
  'AddressInput',
  'Where a payer lives or a company has its seat. Boletos are printed with it.',
  {
    street: bounded(bounds.addressStreetCharsMax, 'Street, avenue or square.'),
    number: bounded(bounds.addressNumberCharsMax, '`S/N` where the building has none.'),
    complement: Type.Optional(bounded(bounds.addressComplementCharsMax, 'Flat, block or floor.')),
    district: bounded(bounds.addressPlaceCharsMax, 'Bairro.'),
    city: bounded(bounds.addressPlaceCharsMax, 'Município.'),
    state: Type.Unsafe<State>({ type: 'string', enum: [...states], description: 'Two letters.' }),
    zip: Type.String({ format: 'cep', description: 'CEP, with or without its hyphen.' }),
  },
)

const phoneText = 'With area code, 10 to 13 digits. A number of another country begins with `+` and its code.'

/** The payer as a request names it. */
export const customerInput = namedObject('CustomerInput', 'The payer.', {
  name: bounded(bounds.nameCharsMax, 'Name of the person or company.'),
  document: Type.Optional(documentField),
  email: Type.Optional(Type.String({ format: 'e-mail', description: 'At most 254 characters.' })),
  phone: Type.Optional(Type.String({ format: 'phone', description: phoneText })),
  address: Type.Optional(addressInput),
})

/** The payer as the engine keeps it: document, e-mail and phone in normal form. */
export const readCustomer = (body: Static<typeof customerInput>): Customer => {
  const document = body.document === undefined ? null : readDocument(body.document)
  return {
    name: body.name.trim(),
    document: document?.document ?? null,
    documentType: document?.documentType ?? null,
    email: body.email === undefined ? null : readInternationalEmail(body.email),
    phone: body.phone === undefined ? null : readPhone(body.phone),
    address: body.address === undefined ? null : readAddress(body.address),
  }
}

const readAddress = (body: NonNullable<Static<typeof customerInput>['address']>): PostalAddress => ({
  street: body.street.trim(),
  number: body.number.trim(),
  complement: body.complement?.trim() ?? null,
  district: body.district.trim(),
  city: body.city.trim(),
  state: body.state,
  zip: readZip(body.zip)!,
})
