import Type from 'typebox'
import { described, named } from '../../http/named-schema.ts'
import {
  amountOf,
  cents,
  count,
  createdAt,
  date,
  dated,
  flag,
  identity,
  instant,
  listOf,
  nullable,
  objectName,
  ownMetadata,
  resource,
  text,
  textOf,
  words,
} from '../shapes.ts'
import { transferStatus } from '../vocabulary.ts'

/** The shapes of the answers below `/v1/split`. */

const rowAmounts = {
  grossAmount: amountOf('Before the fee.'),
  feeAmount: amountOf('Part of the fee.'),
  netAmount: amountOf('`grossAmount` less `feeAmount`.'),
}

export const bankFields = {
  bankCode: textOf('Three digits.'),
  branch: textOf('The bank’s branch.'),
  account: textOf('The account there.'),
}

export const recipient = named(
  'Recipient',
  resource('Somebody who gets a part of payments.', {
    ...identity('rcp', 'recipient'),
    name: textOf('Name of the person or company.'),
    document: textOf('CPF or CNPJ without punctuation.'),
    documentType: described(words('CPF', 'CNPJ'), 'Which kind of document it is.'),
    email: described(text, 'The domain in lower case.'),
    ...bankFields,
    status: described(words('ACTIVE', 'INACTIVE'), 'INACTIVE: it gets no part of new charges.'),
    balanceAmount: described(
      cents,
      'Settled, and not paid out yet. Negative is a debt, which the next transfers pay. In centavos, as digits.',
    ),
    metadata: ownMetadata,
    ...dated,
  }),
)

const itemFields = {
  recipientId: nullable(textOf('Null is the company.')),
  percentBps: nullable(Type.Integer(), 'Part of the gross amount, in basis points.'),
  fixedAmount: nullable(amountOf('Fixed part.')),
}
const itemFlags = {
  chargeFees: flag('Pays the fee, in proportion with others that do.'),
  chargeRemainder: flag('Gets what no item claims.'),
}

export const splitRule = named(
  'SplitRule',
  resource('How payments are divided.', {
    ...identity('spr', 'split_rule'),
    name: textOf('Your own name of the rule.'),
    active: flag('False: new charges cannot take it.'),
    items: listOf(
      named(
        'SplitItem',
        resource('Who gets which part.', {
          ...itemFields,
          ...itemFlags,
          priority: count('Lower is served first.'),
        }),
      ),
      'Who gets what.',
    ),
    usedCount: count('How many charges and plans took it.'),
    metadata: ownMetadata,
    ...dated,
  }),
)

export const splitTransfer = named(
  'SplitTransfer',
  resource('A recipient’s part of one instalment on its way to the bank.', {
    ...identity('spt', 'split_transfer'),
    recipientId: textOf('Who gets it, `rcp_…`.'),
    ruleId: textOf('The rule, `spr_…`.'),
    transactionId: textOf('The charge, `txn_…`.'),
    receivableId: textOf('The receivable that it pays out, `rcv_…`.'),
    installment: count('Which instalment of the charge, from 1.'),
    grossAmount: amountOf('The recipient’s part.'),
    feeAmount: amountOf('Part of the fee.'),
    amount: amountOf('`grossAmount` less `feeAmount`: what the recipient gets.'),
    debtRecoveredAmount: amountOf('What of it paid a debt instead.'),
    reversedAmount: amountOf('What reversals took of it after it was paid out.'),
    status: transferStatus,
    bank: Type.Object(bankFields, { description: 'The account that gets it.' }),
    expectedOn: described(date, 'The day on which the receivable settles.'),
    scheduledAt: nullable(instant, 'When it was scheduled.'),
    completedAt: nullable(instant, 'When the bank confirmed it.'),
    failedAt: nullable(instant, 'When the bank refused it.'),
    failureReason: nullable(words('REFUSED_BY_BANK'), 'Why it FAILED.'),
    createdAt,
  }),
)

export const simulation = named(
  'SplitSimulation',
  resource('How an amount would be divided.', {
    object: objectName('split_simulation'),
    amount: amountOf('What would be paid.'),
    feeAmount: amountOf('What processing it would cost.'),
    netAmount: amountOf('`amount` less `feeAmount`.'),
    method: described(words('PIX', 'BOLETO', 'CREDIT_CARD'), 'How it would be paid.'),
    installments: count('In how many instalments.'),
    remainderAmount: Type.String({
      pattern: '^[0-9]+$',
      description: 'What no item claims. In centavos, as digits.',
    }),
    remainderTo: nullable(textOf('Who gets it; null is the company, and where centavos go to several.')),
    items: listOf(
      Type.Object({
        ...itemFields,
        ...itemFlags,
        recipientName: textOf('Name of the recipient or company.'),
        priority: nullable(Type.Integer(), 'Lower is served first; null where no item names the company.'),
        ...rowAmounts,
        installments: listOf(
          Type.Object({
            installment: count('Which instalment, from 1.'),
            ...rowAmounts,
            expectedOn: described(date, 'The day on which it settles.'),
          }),
          'The part of each instalment.',
        ),
      }),
      'Everybody’s part; the company is always among them.',
    ),
    warnings: listOf(
      words('FEE_CAPPED'),
      'FEE_CAPPED: somebody’s fee is more than their part, and the company pays the rest.',
    ),
  }),
)
