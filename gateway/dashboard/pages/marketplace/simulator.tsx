import { useState } from 'preact/hooks'
import { post, type Schemas } from '../../core/api.ts'
import { day, money, shareText } from '../../core/format.ts'
import { unitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { Empty, Loading, Section } from '../../parts/basics.tsx'
import { InstallmentsField } from '../../parts/common-fields.tsx'
import { amountOf } from '../../parts/facts.tsx'
import { amountError, Choice, Form, MoneyField, useForm } from '../../parts/form.tsx'
import { Rows } from '../../parts/table.tsx'

/** Simulates how a rule divides a sale. */
export const Simulator = () => {
  const rules = useGet('/v1/split/rules', { query: { pageSize: 200 } }).data?.data
  const first = rules?.[0]?.id ?? ''
  const [result, setResult] = useState<Schemas['SplitSimulation'] | null>(null)
  const form = useForm(
    { amount: '100,00', ruleId: '', method: 'PIX', installments: '1' },
    async ({ amount, ruleId, method, installments }) => {
      const body = {
        amount: unitsOf(amount),
        ruleId: ruleId || first,
        method: method as Schemas['BillingMethod'],
        ...(method === 'CREDIT_CARD' && { installments: Number(installments) }),
      }
      setResult(await post('/v1/split/simulate', { body }))
    },
    ({ amount }) => ({ amount: amountError(amount) }),
  )
  if (!rules) return <Loading rows={4} />
  if (rules.length === 0) return <Empty icon="split" title={t.split.noRule} text={t.split.noRuleText} />
  return (
    <div class="split-page">
      <div>
        {result === null ? (
          <Empty icon="chart" title={t.split.simulator} text={t.split.simulatorText} />
        ) : (
          <Simulation of={result} />
        )}
      </div>
      <Section title={t.split.sale}>
        <Form of={form} submit={t.sandbox.simulate}>
          <MoneyField name="amount" label={t.common.amount} />
          <Choice
            name="ruleId"
            label={t.split.rule}
            of={rules.map(({ id, name }) => [id === first ? '' : id, name])}
          />
          <Choice
            name="method"
            label={t.common.method}
            of={(['PIX', 'CREDIT_CARD', 'BOLETO'] as const).map((method) => [method, t.method[method]])}
          />
          {form.values.method === 'CREDIT_CARD' && <InstallmentsField />}
        </Form>
      </Section>
    </div>
  )
}

const Simulation = ({ of }: { of: Schemas['SplitSimulation'] }) => (
  <Section title={t.disputes.result} note={`${t.transactions.fees} ${money(of.feeAmount)}`}>
    <div class="shares" aria-hidden="true">
      {of.items.map(({ recipientId, grossAmount }, n) => (
        <span
          key={recipientId}
          class={`share-${n % 5}`}
          style={{ '--share': `${(Number(grossAmount) / Number(of.amount)) * 100}%` }}
        />
      ))}
    </div>
    <Rows
      heads={[
        t.split.recipient,
        t.split.share,
        t.transactions.gross,
        t.transactions.fees,
        t.transactions.net,
        t.transactions.expectedOn,
      ]}
      rows={of.items.map((item, n) => [
        item.recipientId ?? 'own',
        <>
          <span class={`share-mark share-${n % 5}`} aria-hidden="true" /> {item.recipientName}
        </>,
        shareText(item),
        amountOf(item.grossAmount),
        amountOf(item.feeAmount),
        amountOf(item.netAmount),
        expectedText(item.installments),
      ])}
    />
    {of.warnings.length > 0 && <p class="notice-line warn">{t.split.feeCapped}</p>}
  </Section>
)

/** When a share arrives, by its installments. */
const expectedText = (of: Schemas['SplitSimulation']['items'][number]['installments']): string => {
  const { expectedOn } = of[0]!
  return of.length === 1 ? day(expectedOn) : t.split.installments(of.length, day(expectedOn, 'short'))
}
