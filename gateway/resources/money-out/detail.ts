import type { TProperties } from 'typebox'
import { kindOfMoneyOut } from '../../../engine/money-out/asked.ts'
import type { MoneyOut, MoneyOutFact } from '../../../engine/money-out/money-out.ts'
import type { ToldMoneyOut } from '../../../engine/money-out/queries.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { namedObject } from '../../schema/named-schema.ts'
import { historyField, historyStep } from '../history-step.ts'

/** Money out that is shown alone, with its history. */
export const moneyOutDetail = <Out extends MoneyOut>(
  title: string,
  description: string,
  of: {
    readonly schema: { readonly properties: TProperties }
    readonly view: (out: Out, open: OpenPersonal) => object
  },
) => ({
  schema: namedObject(title, description, { ...of.schema.properties, events: historyField }),
  view: ({ out, steps }: ToldMoneyOut, open: OpenPersonal): object => ({
    ...of.view(out as Out, open),
    events: steps.map(({ fact, actor }) =>
      historyStep.view({
        type: fact.type.replace('MoneyOut', nouns[kindOfMoneyOut(out)]),
        actor,
        atMs: fact.atMs,
        data: dataOf(fact),
      }),
    ),
  }),
})

const nouns = { transfer: 'Transfer', withdrawal: 'Withdrawal' } as const

const dataOf = (fact: MoneyOutFact): object => {
  switch (fact.type) {
    case 'MoneyOutCreated': {
      const { approvalsRequired, amountCents } = fact.created
      return { amount: String(amountCents), approvalsRequired, runsAt: isoInstant(fact.runsAtMs) }
    }
    case 'MoneyOutDecided':
      return { decision: fact.decision.decision }
    case 'MoneyOutScheduled':
    case 'MoneyOutPostponed':
      return { runsAt: isoInstant(fact.runsAtMs) }
    case 'MoneyOutCancelled':
      return { cancelReason: fact.cancelReason }
    case 'OutcomeDeclared': {
      const { outcome, endToEndId } = fact.declaration
      return { outcome, endToEndId }
    }
    case 'MoneyOutFailed':
      return { failureReason: fact.failureReason, providerCode: fact.providerCode }
    default:
      return {}
  }
}
