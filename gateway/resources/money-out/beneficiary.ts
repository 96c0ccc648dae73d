import { type Beneficiary, trustedFromMsOf } from '../../../engine/money-out/payees/beneficiary.ts'
import { payeeStatusAt, payeeStatuses } from '../../../engine/money-out/payees/payee.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, named } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { bankAccountType } from '../account/company.ts'
import {
  booleanOf,
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'
import { versionField } from './money-out.ts'

export const beneficiaryStatus = named(
  'BeneficiaryStatus',
  described(
    choice(...payeeStatuses),
    'COOLING_OFF: until `availableAt` it can get only little, together with all others of which this is so. INACTIVE: it was removed.',
  ),
)

export const beneficiaryWay = named(
  'BeneficiaryKind',
  described(choice('PIX', 'BANK'), 'Whether it is paid by a PIX key or at a bank account.'),
)

/** A payee that people registered, at a time of its environment (dashboard, section 2.6). */
export const beneficiary = resource<Beneficiary, [number]>(
  'Beneficiary',
  'A payee that people registered.',
).with({
  ...identityFields('ben', 'beneficiary'),
  name: [textOf('Name of the person or company.'), ({ payee }) => payee.name],
  document: [textOf('CPF or CNPJ without punctuation.'), ({ payee }) => payee.document],
  documentType: [
    described(choice('CPF', 'CNPJ'), 'Which kind of document it is.'),
    ({ payee }) => payee.documentType,
  ],
  kind: [beneficiaryWay, ({ payee }) => (payee.pixKey === null ? 'BANK' : 'PIX')],
  pixKey: [nullableField(textOf('The PIX key; null for a bank account.')), ({ payee }) => payee.pixKey],
  bankName: [nullableField(textOf('The bank of the key’s owner.')), ({ payee }) => payee.bankName],
  ispb: [
    nullableField(textOf('The bank’s eight characters in the payment system.')),
    ({ payee }) => payee.ispb,
  ],
  bankCode: [
    nullableField(textOf('Three digits; null for a PIX key, and where only the ISPB is known.')),
    ({ payee }) => payee.bankCode,
  ],
  branch: [nullableField(textOf('The branch.')), ({ payee }) => payee.branch],
  account: [nullableField(textOf('The account.')), ({ payee }) => payee.account],
  accountType: [bankAccountType, ({ payee }) => payee.accountType],
  nickname: [described(nullableText, 'What your people call it.'), same],
  trusted: [booleanOf('Whether people have agreed that the limit of the night does not count for it.'), same],
  trustedFrom: [
    nullableField(instant, 'From when on it does not, if it is trusted; null otherwise.'),
    (found) => (found.trusted ? isoInstant(trustedFromMsOf(found)) : null),
  ],
  trustAskedBy: [
    described(
      nullableText,
      'Who wants it to be trusted, `per_…`: it is once another person who may manage limits wants it, too.',
    ),
    same,
  ],
  status: [beneficiaryStatus, (found, nowMs) => payeeStatusAt(found.isActive, found.availableAtMs, nowMs)],
  availableAt: [described(instant, 'When it can get as much as others.'), (b) => isoInstant(b.availableAtMs)],
  createdBy: [described(nullableText, 'Who registered it, `per_…`.'), same],
  lastUsedAt: [
    nullableField(instant, 'When money was last sent to it.'),
    ({ lastUsedAtMs }) => instantOrNull(lastUsedAtMs),
  ],
  version: versionField,
  ...datedFields,
})
