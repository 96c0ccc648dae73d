import type { Static } from 'typebox'
import { type Beneficiary, trustedFromMsOf } from '../../../engine/money-out/payees/beneficiary.ts'
import { payeeStatusAt, payeeStatuses } from '../../../engine/money-out/payees/payee.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { bankAccountType } from '../account/company.ts'
import {
  booleanOf,
  count,
  dated,
  identity,
  instant,
  instantOrNull,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'

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

/** A payee that people registered (dashboard, section 2.6). */
export const beneficiary = namedObject('Beneficiary', 'A payee that people registered.', {
  ...identity('ben', 'beneficiary'),
  name: textOf('Name of the person or company.'),
  document: textOf('CPF or CNPJ without punctuation.'),
  documentType: described(choice('CPF', 'CNPJ'), 'Which kind of document it is.'),
  kind: beneficiaryWay,
  pixKey: nullableField(textOf('The PIX key; null for a bank account.')),
  bankName: nullableField(textOf('The bank of the key’s owner.')),
  ispb: nullableField(textOf('The bank’s eight characters in the payment system.')),
  bankCode: nullableField(textOf('Three digits; null for a PIX key, and where only the ISPB is known.')),
  branch: nullableField(textOf('The branch.')),
  account: nullableField(textOf('The account.')),
  accountType: bankAccountType,
  nickname: described(nullableText, 'What your people call it.'),
  trusted: booleanOf('Whether people have agreed that the limit of the night does not count for it.'),
  trustedFrom: nullableField(instant, 'From when on it does not, if it is trusted; null otherwise.'),
  trustAskedBy: described(
    nullableText,
    'Who wants it to be trusted, `per_…`: it is once another person who may manage limits wants it, too.',
  ),
  status: beneficiaryStatus,
  availableAt: described(instant, 'When it can get as much as others.'),
  createdBy: described(nullableText, 'Who registered it, `per_…`.'),
  lastUsedAt: nullableField(instant, 'When money was last sent to it.'),
  version: count('Grows with every change.'),
  ...dated,
})

/** A beneficiary as it is at an instant. */
export const beneficiaryView = (found: Beneficiary, nowMs: number): Static<typeof beneficiary> => {
  const { payee } = found
  return {
    id: found.id,
    object: 'beneficiary',
    name: payee.name,
    document: payee.document,
    documentType: payee.documentType,
    kind: payee.pixKey === null ? 'BANK' : 'PIX',
    pixKey: payee.pixKey,
    bankName: payee.bankName,
    ispb: payee.ispb,
    bankCode: payee.bankCode,
    branch: payee.branch,
    account: payee.account,
    accountType: payee.accountType,
    nickname: found.nickname,
    trusted: found.trusted,
    trustedFrom: found.trusted ? isoInstant(trustedFromMsOf(found)) : null,
    trustAskedBy: found.trustAskedBy,
    status: payeeStatusAt(found.isActive, found.availableAtMs, nowMs),
    availableAt: isoInstant(found.availableAtMs),
    createdBy: found.createdBy,
    lastUsedAt: instantOrNull(found.lastUsedAtMs),
    version: found.version,
    createdAt: isoInstant(found.createdAtMs),
    updatedAt: isoInstant(found.updatedAtMs),
  }
}
