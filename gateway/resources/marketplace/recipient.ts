import type { Static } from 'typebox'
import type { Recipient } from '../../../engine/recipients/recipient.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { cents, dated, enumeration, identity, ownMetadata, text, textOf } from '../fields.ts'

/** The bank account that a recipient is paid to. */
export const bankFields = {
  bankCode: textOf('Three digits.'),
  branch: textOf('The bank’s branch.'),
  account: textOf('The account there.'),
}

/** A recipient (decisions, section 17.4). */
export const recipient = namedObject('Recipient', 'Somebody who gets a part of payments.', {
  ...identity('rcp', 'recipient'),
  name: textOf('Name of the person or company.'),
  document: textOf('CPF or CNPJ without punctuation.'),
  documentType: described(enumeration('CPF', 'CNPJ'), 'Which kind of document it is.'),
  email: described(text, 'The domain in lower case.'),
  ...bankFields,
  status: described(enumeration('ACTIVE', 'INACTIVE'), 'INACTIVE: it gets no part of new charges.'),
  balanceAmount: described(
    cents,
    'Settled, and not paid out yet. Negative is a debt, which the next transfers pay. In centavos, as digits.',
  ),
  metadata: ownMetadata,
  ...dated,
})

type View = Static<typeof recipient>

/** A recipient with its balance, which can be negative. */
export const recipientView = (recipient: Recipient): View => ({
  id: recipient.id,
  object: 'recipient',
  name: recipient.name,
  document: recipient.document,
  documentType: recipient.documentType,
  email: recipient.email,
  status: recipient.isActive ? 'ACTIVE' : 'INACTIVE',
  balanceAmount: String(recipient.balanceCents),
  metadata: recipient.metadata,
  createdAt: isoInstant(recipient.createdAtMs),
  updatedAt: isoInstant(recipient.updatedAtMs),
  ...recipient.bank,
})
