import Type from 'typebox'
import { transferStatuses } from '../../../engine/split/transfer.ts'
import {
  anyObject,
  anyText,
  cents,
  date,
  dated,
  identity,
  instant,
  listOf,
  maybeInstant,
  nullable,
  text,
  words,
} from '../shapes.ts'

/** The shapes of the answers below `/v1/split`. */

const rowAmounts = { grossAmount: cents, feeAmount: cents, netAmount: cents }

export const recipient = Type.Object({
  ...identity('rcp', 'recipient'),
  name: anyText,
  document: anyText,
  documentType: words('CPF', 'CNPJ'),
  email: text,
  bankCode: anyText,
  branch: anyText,
  account: anyText,
  status: words('ACTIVE', 'INACTIVE'),
  balanceAmount: Type.String({
    pattern: '^-?[0-9]+$',
    description: 'Settled, and not paid out yet. Negative is a debt, which the next transfers pay.',
  }),
  metadata: anyObject,
  ...dated,
})

const itemFields = {
  recipientId: nullable(anyText, 'Null is the company.'),
  percentBps: nullable(Type.Integer()),
  fixedAmount: nullable(cents),
  chargeFees: Type.Boolean(),
  chargeRemainder: Type.Boolean(),
}

export const splitRule = Type.Object({
  ...identity('spr', 'split_rule'),
  name: anyText,
  active: Type.Boolean(),
  items: listOf(Type.Object({ ...itemFields, priority: Type.Integer() })),
  usedCount: Type.Integer({ description: 'How many charges and plans took it.' }),
  metadata: anyObject,
  ...dated,
})

export const splitTransfer = Type.Object({
  ...identity('spt', 'split_transfer'),
  recipientId: anyText,
  ruleId: anyText,
  transactionId: anyText,
  receivableId: anyText,
  installment: Type.Integer(),
  grossAmount: cents,
  feeAmount: cents,
  amount: cents,
  debtRecoveredAmount: cents,
  reversedAmount: cents,
  status: words(...transferStatuses),
  bank: Type.Object({ bankCode: anyText, branch: anyText, account: anyText }),
  expectedOn: date,
  scheduledAt: maybeInstant,
  completedAt: maybeInstant,
  failedAt: maybeInstant,
  failureReason: nullable(words('REFUSED_BY_BANK')),
  createdAt: instant,
})

export const simulation = Type.Object({
  object: words('split_simulation'),
  amount: cents,
  feeAmount: cents,
  netAmount: cents,
  method: words('PIX', 'BOLETO', 'CREDIT_CARD'),
  installments: Type.Integer(),
  remainderAmount: Type.String({ pattern: '^[0-9]+$', description: 'What no item claims.' }),
  remainderTo: nullable(anyText, 'Who gets it; null is the company, and where centavos go to several.'),
  items: listOf(
    Type.Object({
      ...itemFields,
      recipientName: anyText,
      priority: nullable(Type.Integer()),
      ...rowAmounts,
      installments: listOf(Type.Object({ installment: Type.Integer(), ...rowAmounts, expectedOn: date })),
    }),
  ),
  warnings: listOf(words('FEE_CAPPED')),
})
