import Type from 'typebox'
import { type Brand, installmentsMax } from '../../../engine/ledger/card-rates.ts'
import type { SplitRuleId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { problemOf } from '../../api/problem-of.ts'
import { queryRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { billingMethod } from '../../resources/enumerations.ts'
import { simulation } from '../../resources/marketplace/split-simulation.ts'
import { described } from '../../schema/named-schema.ts'
import { exactlyOneOf } from '../../schema/rules.ts'
import { amount, idParameter, wholeNumber } from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'
import { ofSplit } from '../groups.ts'
import { itemsField, readItems } from './items.ts'

export const simulateSplitRoute = queryRoute({
  ...ofSplit,
  verb: 'POST',
  path: '/v1/split/simulate',
  operationId: 'simulateSplit',
  summary: 'Simulate a split',
  description:
    'Shows how an amount would be divided by a rule or by items, with the same calculation as a real charge. Nothing is stored.',
  refusals: [422],
  body: Type.Object({
    amount: amount(bounds.amountCentsMax, 'What would be paid.'),
    ruleId: Type.Optional(idParameter('Instead of `items`.')),
    items: Type.Optional(itemsField),
    method: Type.Optional(described(billingMethod, 'How it would be paid. Default PIX.')),
    installments: Type.Optional(wholeNumber(1, installmentsMax, 'Instalments of a card payment. Default 1.')),
    brand: Type.Optional(Type.String({ format: 'card-brand', description: 'Default VISA.' })),
    feeAmount: Type.Optional(amount(bounds.amountCentsMax, 'Instead of what the method costs.', { min: 0 })),
  }),
  rules: exactlyOneOf('ruleId', 'items'),
  answer: simulation.schema,
  read: (_, body) => {
    const { ruleId } = body
    if (ruleId === undefined && body.items === undefined)
      return refusedField('ruleId', 'REQUIRED', (say) => say.oneOfTwo('ruleId', 'items'))
    if (ruleId !== undefined && body.items !== undefined)
      return refusedField('items', 'MUTUALLY_EXCLUSIVE', (say) => say.eitherOr('ruleId', 'items'))
    const method = body.method ?? 'PIX'
    const installments = body.installments ?? 1
    if (method !== 'CREDIT_CARD' && installments > 1)
      return refusedField('installments', 'OUT_OF_RANGE', (say) =>
        say.onlyCardHasInstallments('installments'),
      )
    const feeCents = body.feeAmount === undefined ? null : toCents(Number(body.feeAmount))
    if (feeCents !== null && feeCents > Number(body.amount))
      return refusedField('feeAmount', 'OUT_OF_RANGE', (say) => say.notMoreThan('feeAmount', 'amount'))
    const items = body.items === undefined ? null : readItems(body.items)
    if (items?.ok === false) return items
    return {
      ok: true,
      input: {
        amountCents: toCents(Number(body.amount)),
        divideBy: items === null ? { ruleId: ruleId as SplitRuleId } : { items: items.input },
        method,
        installments,
        brand: (body.brand ?? 'VISA').toUpperCase() as Brand,
        feeCents,
      },
    } as const
  },
  query: (input, { accountId }) => ({ type: 'SimulateSplit', accountId, ...input }) as const,
  view: (simulated) => ('reason' in simulated ? problemOf(simulated) : { body: simulation.view(simulated) }),
})
