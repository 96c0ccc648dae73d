import { post } from '../../core/api.ts'
import { clockMs } from '../../core/clock.ts'
import { day, percent } from '../../core/format.ts'
import { cardOf, customerOf, scenarioOf, unitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo, useFilters } from '../../core/router.ts'
import { Ago, Empty, Loading, Moment, Page, Section, Tabs, Trouble } from '../../parts/basics.tsx'
import {
  CardFields,
  CustomerFields,
  DescriptionField,
  InstallmentsField,
  MoreOfCharge,
  testCard,
  useDialog,
} from '../../parts/common-fields.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { period, statusFilter } from '../../parts/filter.ts'
import { amountError, Check, filled, MoneyField } from '../../parts/form.tsx'
import { createButton, List, useList } from '../../parts/list-page.tsx'
import { amountColumn, momentColumn, Rows, statusColumn } from '../../parts/table.tsx'
import { MethodTransactions } from './transactions.tsx'

/** Card payments, chargebacks with their deadlines, and what cards cost. */
export const Cards = ({ rest: [part = 'pagamentos'] }: { rest: readonly string[] }) => {
  const dialog = useDialog(useFilters())
  const create = createButton('charges.create', t.cards.create, dialog.show)
  return (
    <Page title={t.nav.cards} actions={create}>
      <Tabs
        label={t.nav.cards}
        current={part}
        of={[
          { id: 'pagamentos', text: t.cards.payments, href: pathTo('cartoes') },
          { id: 'chargebacks', text: t.cards.chargebacks, href: pathTo('cartoes/chargebacks') },
          { id: 'tarifas', text: t.transactions.fees, href: pathTo('cartoes/tarifas') },
        ]}
      />
      {part === 'pagamentos' && (
        <MethodTransactions
          path="/v1/cards/transactions"
          label={t.cards.payments}
          search={t.cards.search}
          hasMethod
          empty={<Empty icon="card" title={t.cards.none} text={t.cards.noneText} actions={create} />}
        />
      )}
      {part === 'chargebacks' && <Chargebacks />}
      {part === 'tarifas' && <CardFees />}
      {dialog.open && <PaymentDialog onClose={dialog.close} />}
    </Page>
  )
}

const Chargebacks = () => {
  const query = useList('/v1/cards/chargebacks', ['from', 'to', 'status', 'transactionId'])
  return (
    <List
      label={t.cards.chargebacks}
      query={query}
      hrefOf={({ transactionId }) => pathTo(`transacoes/${transactionId}`)}
      nameOf={({ id }) => id}
      filterBy={[period, statusFilter(['OPEN', 'UNDER_REVIEW', 'WON', 'LOST'], 'chargeback')]}
      columns={[
        amountColumn('amount', t.common.amount),
        statusColumn('chargeback'),
        [
          'reason',
          t.transactions.reason,
          ({ reason, reasonCode }) => `${t.chargebackReason[reason]} (${reasonCode})`,
          'medium',
        ],
        ['brand', t.cards.brand, ({ brand }) => t.brand[brand], 'wide'],
        [
          'due',
          t.disputes.defenseDue,
          ({ status, defenseDueAt, resolvedAt }) =>
            status === 'OPEN' ? (
              <Ago at={defenseDueAt} clock={clockMs} />
            ) : (
              <Moment at={resolvedAt ?? defenseDueAt} style="day" />
            ),
        ],
        momentColumn('openedAt', t.disputes.openedAt, 'end'),
      ]}
      empty={<Empty icon="shield" title={t.cards.noChargeback} text={t.cards.noChargebackText} />}
    />
  )
}

const CardFees = () => {
  const { data, isLoading, problem, refresh } = useGet('/v1/cards/fees')
  if (isLoading) return <Loading rows={8} />
  if (problem) return <Trouble of={problem} retry={refresh} />
  return (
    <Section title={t.transactions.fees} note={data && t.cards.feesSince(day(data.effectiveFrom))}>
      <Rows
        heads={[t.cards.brand, t.cards.installments, t.cards.fee, t.cards.settlement]}
        rows={(data?.fees ?? []).map(
          ({ brand, type, installmentsFrom, installmentsTo, percentBps, settlementDays }) => [
            `${brand} ${type} ${installmentsFrom}`,
            `${t.brand[brand]} ${type === 'DEBIT' ? t.cards.debit : t.cards.credit}`,
            installmentsTo === 1 ? t.cards.single : `${installmentsFrom}× – ${installmentsTo}×`,
            percent(percentBps),
            t.cards.days(settlementDays),
          ],
        )}
      />
    </Section>
  )
}

const PaymentDialog = ({ onClose }: Closable) => (
  <FormDialog
    title={t.cards.create}
    submit={t.cards.createAction}
    values={{ amount: '', installments: '1', capture: 'true', ...testCard }}
    check={({ amount }) => ({ amount: amountError(amount) })}
    send={(values) =>
      post('/v1/card-payments', {
        body: {
          amount: unitsOf(values.amount),
          installments: Number(values.installments),
          capture: values.capture === 'true',
          card: cardOf(values),
          ...filled(values, 'description', 'externalId', 'splitRuleId'),
          ...customerOf(values),
          ...scenarioOf(values),
        },
      })
    }
    changes="/v1/"
    opens={({ id }) => `transacoes/${id}`}
    onClose={onClose}
  >
    <div class="form-row">
      <MoneyField name="amount" label={t.common.amount} isFirst />
      <InstallmentsField single={t.cards.single} />
    </div>
    <CardFields />
    <Check name="capture" label={t.cards.captureNow} hint={t.cards.captureNowHint} />
    <DescriptionField />
    <MoreOfCharge>
      <CustomerFields />
    </MoreOfCharge>
  </FormDialog>
)
