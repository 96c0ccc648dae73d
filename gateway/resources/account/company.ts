import Type from 'typebox'
import { type Company, companyTypes } from '../../../engine/directory/directory.ts'
import type { Fees } from '../../../engine/ledger/fees.ts'
import { bankAccountTypes } from '../../../engine/shared/bank-account-type.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { dated, enumeration, identity, instant, instantOrNull, nullable, text, textOf } from '../fields.ts'
import { bankFields } from '../marketplace/recipient.ts'
import { postalAddress } from '../payments/customer.ts'
import { schemasOf } from '../resource.ts'

export const companyType = named(
  'CompanyType',
  described(
    enumeration(...companyTypes),
    'MEI: microempreendedor individual, whose limits at night are lower.',
  ),
)

export const bankAccountType = named(
  'BankAccountType',
  described(enumeration(...bankAccountTypes), 'Conta corrente, poupança or conta de pagamento.'),
)

const bankAccount = namedObject('CompanyBankAccount', 'An account in the company’s own name.', {
  ...schemasOf(bankFields),
  accountType: bankAccountType,
})

const effectiveAt = described(instant, 'From when on it counts.')

/** What a company says of itself. */
export const companyProfile = namedObject('Company', 'A company, as its people see it.', {
  ...identity('cmp', 'company'),
  legalName: textOf('Razão social. It is in QR codes and on boletos.'),
  tradeName: described(text, 'Nome fantasia.'),
  document: textOf('CNPJ without punctuation. It never changes.'),
  companyType,
  address: nullable(postalAddress, 'Its seat; its city is in QR codes, and all of it on boletos.'),
  email: described(text, 'The domain in lower case.'),
  phone: described(text, 'With area code, digits only.'),
  website: described(text, 'Its own pages.'),
  statementDescriptor: described(text, 'What payers read on the statements of their cards.'),
  timeZone: textOf('IANA name. Days and due dates are counted in it.'),
  pendingTimeZone: nullable(
    namedObject('PendingTimeZone', 'The time zone from the next midnight on.', {
      timeZone: textOf('IANA name.'),
      effectiveAt,
    }),
    'Null if none is to come.',
  ),
  bankAccount: nullable(bankAccount, 'Where the company is paid out to; null for nowhere.'),
  pendingBankAccount: nullable(
    namedObject('PendingBankAccount', 'The bank account that counts a day after it was set.', {
      bankAccount: nullable(bankAccount, 'Null takes it away.'),
      effectiveAt,
    }),
    'Null if none is to come.',
  ),
  logo: nullable(Type.String(), 'A data URI with its PNG or JPEG picture.'),
  ...dated,
})

/** A company as its people see it. */
export const profileView = (company: Company, nowMs: number) => {
  const { pendingTimeZone: zone, pendingBankAccount: account, logo } = company
  const isDue = account !== null && account.effectiveAtMs <= nowMs
  return {
    id: company.id,
    object: 'company',
    legalName: company.name,
    ...detailsView(company),
    timeZone: company.timeZone,
    pendingTimeZone: zone && { timeZone: zone.value, effectiveAt: isoInstant(zone.effectiveAtMs) },
    bankAccount: isDue ? account.value : company.bankAccount,
    pendingBankAccount:
      account === null || isDue
        ? null
        : { bankAccount: account.value, effectiveAt: isoInstant(account.effectiveAtMs) },
    logo: logo && `data:${logo.mediaType};base64,${logo.base64}`,
    createdAt: isoInstant(company.createdAtMs),
    updatedAt: isoInstant(company.updatedAtMs),
  }
}

const detailsView = (company: Company) => ({
  tradeName: company.tradeName,
  document: company.document,
  companyType: company.companyType,
  address: company.address,
  email: company.email,
  phone: company.phone,
  website: company.website,
  statementDescriptor: company.statementDescriptor,
})

/** A company as operators see it. */
export const companyView = (company: Company) => ({
  id: company.id,
  object: 'company',
  name: company.name,
  ...detailsView(company),
  status: company.suspendedAtMs === null ? 'ACTIVE' : 'SUSPENDED',
  city: company.city,
  timezone: company.timeZone,
  products: company.products,
  fees: feesView(company.fees),
  createdAt: isoInstant(company.createdAtMs),
  updatedAt: isoInstant(company.updatedAtMs),
  suspendedAt: instantOrNull(company.suspendedAtMs),
})

const feesView = ({ pixBps, boletoCents, cards, effectiveFrom }: Fees) => ({
  pixBps,
  boletoAmount: String(boletoCents),
  cards,
  effectiveFrom,
})
