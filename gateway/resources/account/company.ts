import Type from 'typebox'
import { type Company, companyTypes, isActive } from '../../../engine/companies/company.ts'
import type { Fees } from '../../../engine/ledger/fees.ts'
import { products } from '../../../engine/payments/methods/index.ts'
import { bankAccountTypes } from '../../../engine/shared/bank-account-type.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { ConnectionId, Environment } from '../../../engine/shared/ids.ts'
import type { Product } from '../../../engine/shared/product.ts'
import { shownEmailOrNull } from '../../base/emails.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  booleanOf,
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nullableField,
  nullableText,
  objectField,
  textOf,
} from '../fields.ts'
import { bankFields } from '../marketplace/recipient.ts'
import { phoneField, postalAddress } from '../payments/customer.ts'
import { fieldsOf, resource, same, schemasOf, viewOf } from '../resource.ts'

export const companyType = named(
  'CompanyType',
  described(choice(...companyTypes), 'MEI: microempreendedor individual, whose limits at night are lower.'),
)

export const bankAccountType = named(
  'BankAccountType',
  described(choice(...bankAccountTypes), 'Conta corrente, poupança or conta de pagamento.'),
)

const bankAccount = namedObject('CompanyBankAccount', 'An account in the company’s own name.', {
  ...schemasOf(bankFields),
  accountType: bankAccountType,
})

const effectiveAt = described(instant, 'From when on it counts.')

const pendingTimeZone = resource<NonNullable<Company['pendingTimeZone']>>(
  'PendingTimeZone',
  'The time zone from the next midnight on.',
).with({
  timeZone: [textOf('IANA name.'), ({ value }) => value],
  effectiveAt: [effectiveAt, ({ effectiveAtMs }) => isoInstant(effectiveAtMs)],
})

const pendingBankAccount = resource<NonNullable<Company['pendingBankAccount']>>(
  'PendingBankAccount',
  'The bank account that counts a day after it was set.',
).with({
  bankAccount: [nullableField(bankAccount, 'Null takes it away.'), ({ value }) => value],
  effectiveAt: [effectiveAt, ({ effectiveAtMs }) => isoInstant(effectiveAtMs)],
})

/** The fields that people and operators both see. */
const detailFields = fieldsOf<Company>().with({
  tradeName: [described(nullableText, 'Nome fantasia.'), same],
  document: [textOf('CNPJ without punctuation. It never changes.'), same],
  companyType: [companyType, same],
  address: [
    nullableField(postalAddress, 'Its seat; its city is in QR codes, and all of it on boletos.'),
    same,
  ],
  email: [described(nullableText, 'The domain in lower case.'), ({ email }) => shownEmailOrNull(email)],
  phone: [phoneField, same],
  website: [described(nullableText, 'Its own pages.'), same],
  statementDescriptor: [described(nullableText, 'What payers read on the statements of their cards.'), same],
})
const detailsView = viewOf(detailFields)

export const logoField = nullableField(Type.String(), 'A data URI with its PNG or JPEG picture.')

/** A logo as pages show it: they may load pictures from data URIs. */
export const logoUri = (logo: Company['logo']): string | null =>
  logo && `data:${logo.mediaType};base64,${logo.base64}`

/** What strangers see of a company whose id they know, such as on the way to signing in. */
export const branding = resource<Company['logo']>('Branding', 'What a company shows to strangers.').with({
  ...objectField('branding'),
  logo: [logoField, logoUri],
})

/** A company as its people see it. */
export const companyProfile = resource<Company, [number]>('Company', 'A company, as its people see it.').with(
  {
    ...identityFields('cmp', 'company'),
    legalName: [textOf('Razão social. It is in QR codes and on boletos.'), ({ name }) => name],
    ...detailFields,
    timeZone: [textOf('IANA name. Days and due dates are counted in it.'), same],
    products: [
      Type.Object(
        {
          SANDBOX: listOf(choice(...products), 'Those that can be used in the Sandbox.'),
          PRODUCTION: listOf(choice(...products), 'Those that can be used in Production.'),
        },
        { description: 'The products that are active in each environment.' },
      ),
      (c) => ({ SANDBOX: activeIn(c, 'SANDBOX'), PRODUCTION: activeIn(c, 'PRODUCTION') }),
    ],
    pendingTimeZone: [
      nullableField(pendingTimeZone.schema, 'Null if none is to come.'),
      (c) => c.pendingTimeZone && pendingTimeZone.view(c.pendingTimeZone),
    ],
    bankAccount: [
      nullableField(bankAccount, 'Where the company is paid out to; null for nowhere.'),
      (c, nowMs) => (isDue(c, nowMs) ? c.pendingBankAccount!.value : c.bankAccount),
    ],
    pendingBankAccount: [
      nullableField(pendingBankAccount.schema, 'Null if none is to come.'),
      (c, nowMs) =>
        c.pendingBankAccount === null || isDue(c, nowMs)
          ? null
          : pendingBankAccount.view(c.pendingBankAccount),
    ],
    logo: [logoField, ({ logo }) => logoUri(logo)],
    ...datedFields,
  },
)

/** What a company does itself before it takes payments. */
type GoLiveSteps = readonly (readonly [
  step: GoLiveStep,
  isDone: boolean,
  connectionId?: ConnectionId | null,
])[]
const goLiveSteps = [
  'CONNECTION',
  'CERTIFICATE',
  'NOTICES',
  'PAYOUT',
  'KEY',
  'ENDPOINT',
  'SECOND_PERSON',
  'CONTACT',
  'ADDRESS',
  'BANK_ACCOUNT',
  'LOGO',
] as const
type GoLiveStep = (typeof goLiveSteps)[number]

/** What is left to do before an environment is ready for payments, as far as the service can know. */
export const goLiveChecklist = resource<GoLiveSteps>(
  'GoLiveChecklist',
  'What a company does before it takes payments in an environment.',
).with({
  ...objectField('go_live_checklist'),
  steps: [
    listOf(
      Type.Object({
        step: described(
          choice(...goLiveSteps),
          'CONNECTION: a bank or acquirer takes payments. CERTIFICATE: no certificate of an active connection ends within 30 days. NOTICES: banks report what is paid, so that it counts at once. PAYOUT: money can leave. These four are of Production alone. KEY: a key of the API that works. ENDPOINT: an endpoint that hears events. SECOND_PERSON: somebody with a second factor who can stand in, and approve. CONTACT: e-mail address and telephone of the company. ADDRESS: its seat, for boletos. BANK_ACCOUNT: where it is paid out to. LOGO: its picture.',
        ),
        isDone: booleanOf('Whether it is done.'),
        connectionId: described(
          nullableText,
          'The connection that it is about, `con_…`; null where there is none, and for steps about none.',
        ),
      }),
      'Every step, in a sensible order.',
    ),
    (steps) => steps.map(([step, isDone, connectionId = null]) => ({ step, isDone, connectionId })),
  ],
})

const activeIn = (company: Company, environment: Environment): Product[] =>
  products.filter((product) => isActive(company, environment, product))

const isDue = ({ pendingBankAccount: pending }: Company, nowMs: number): boolean =>
  pending !== null && pending.effectiveAtMs <= nowMs

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
  forgetPayersAfterYears: company.forgetPayersAfterYears,
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
