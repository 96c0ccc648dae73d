// What the API shows of divided payments: recipients, rules by which payments are divided, and the transfers to
// recipients.

import type { Recipient } from '../../../engine/recipients/recipient.ts'
import { shownEmailOrNull } from '../../base/emails.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { cents, datedFields, identityFields, nullableText, ownMetadata, textOf } from '../fields.ts'
import { fieldsOf, resource, same } from '../resource.ts'

/** The bank account that a recipient is paid to. */
export const bankFields = fieldsOf<Pick<Recipient, 'bank'>>().with({
  bankCode: [textOf('Three digits.'), ({ bank }) => bank.bankCode],
  branch: [textOf('The bank’s branch.'), ({ bank }) => bank.branch],
  account: [textOf('The account there.'), ({ bank }) => bank.account],
})

/** A recipient with its balance, which can be negative (decisions, section 17.4). */
export const recipient = resource<Recipient>('Recipient', 'Somebody who gets a part of payments.').with({
  ...identityFields('rcp', 'recipient'),
  name: [textOf('Name of the person or company.'), same],
  document: [textOf('CPF or CNPJ without punctuation.'), same],
  documentType: [described(choice('CPF', 'CNPJ'), 'Which kind of document it is.'), same],
  email: [described(nullableText, 'The domain in lower case.'), ({ email }) => shownEmailOrNull(email)],
  ...bankFields,
  status: [
    described(choice('ACTIVE', 'INACTIVE'), 'INACTIVE: it gets no part of new charges.'),
    ({ isActive }) => (isActive ? 'ACTIVE' : 'INACTIVE'),
  ],
  balanceAmount: [
    described(
      cents,
      'Settled, and not paid out yet. Negative is a debt, which the next transfers pay. In centavos, as digits.',
    ),
    ({ balanceCents }) => String(balanceCents),
  ],
  metadata: [ownMetadata, same],
  ...datedFields,
})
