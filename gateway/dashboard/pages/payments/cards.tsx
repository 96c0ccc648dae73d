import { api, dataOf, type Schemas } from '../../core/api.ts'
import { now } from '../../core/clock.ts'
import { day, percent } from '../../core/format.ts'
import { cents, customerOf, scenarioOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { refresh, useGet } from '../../core/query.ts'
import { navigate, pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import {
  Ago,
  Amount,
  Button,
  Empty,
  Loading,
  Moment,
  Page,
  Section,
  Tabs,
  Trouble,
} from '../../parts/basics.tsx'
import {
  CardFields,
  CustomerFields,
  ScenarioField,
  SplitRuleField,
  useDialog,
} from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { amountError, Check, Choice, Field, Form, filled, MoneyField, useForm } from '../../parts/form.tsx'
import { optionsOf, Status, transactionStatusOptions } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { Rows } from '../../parts/table.tsx'
import { nameOfTransaction, transactionColumns } from './transactions.tsx'

/** Card payments, chargebacks with their deadlines, and what cards cost. */
export const Cards = ({ rest: [part = 'pagamentos'] }: { rest: readonly string[] }) => {
  const filters = useFilters()
  const dialog = useDialog(filters)
  return (
    <Page
      title={t.nav.cards}
      actions={
        can('charges.create') && (
          <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show()}>
            {t.cards.create}
          </Button>
        )
      }
    >
      <Tabs
        label={t.nav.cards}
        current={part}
        of={[
          { id: 'pagamentos', text: t.cards.payments, href: pathTo('cartoes') },
          { id: 'chargebacks', text: t.cards.chargebacks, href: pathTo('cartoes/chargebacks') },
          { id: 'tarifas', text: t.cards.fees, href: pathTo('cartoes/tarifas') },
        ]}
      />
      {part === 'pagamentos' && <Payments onCreate={() => dialog.show()} />}
      {part === 'chargebacks' && <Chargebacks />}
      {part === 'tarifas' && <CardFees />}
      {dialog.open && <PaymentDialog onClose={dialog.close} />}
    </Page>
  )
}

const Payments = ({ onCreate }: { onCreate: () => void }) => {
  const query = useList('/v1/cards/transactions', ['from', 'to', 'status', 'externalId', 'q'])
  return (
    <List
      label={t.cards.payments}
      query={query}
      columns={transactionColumns().map((column) => ({ ...column, sort: undefined as never }))}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => pathTo(`transacoes/${id}`)}
      nameOf={nameOfTransaction}
      search={t.cards.search}
      filterBy={[
        { kind: 'period' },
        {
          kind: 'choices',
          name: 'status',
          title: t.common.status,
          options: transactionStatusOptions().map(([value, text]) => ({ value, text })),
        },
        { kind: 'text', name: 'externalId', title: 'externalId', hint: t.transactions.externalIdHint },
      ]}
      empty={
        <Empty
          icon="card"
          title={t.cards.none}
          actions={
            can('charges.create') && (
              <Button tone="main" icon="plus" onClick={onCreate}>
                {t.cards.create}
              </Button>
            )
          }
        >
          {t.cards.noneText}
        </Empty>
      }
    />
  )
}

const Chargebacks = () => {
  const query = useList('/v1/cards/chargebacks', ['from', 'to', 'status', 'transactionId'])
  return (
    <List
      label={t.cards.chargebacks}
      query={query}
      keyOf={({ id }) => id}
      hrefOf={({ transactionId }) => pathTo(`transacoes/${transactionId}`)}
      nameOf={({ id }) => id}
      filterBy={[
        { kind: 'period' },
        {
          kind: 'choices',
          name: 'status',
          title: t.common.status,
          options: optionsOf(['OPEN', 'UNDER_REVIEW', 'WON', 'LOST'], (status) => t.statusOf.dispute[status]),
        },
      ]}
      columns={[
        {
          id: 'amount',
          title: t.common.amount,
          cell: ({ amount, currency }) => <Amount of={amount} currency={currency} />,
        },
        { id: 'status', title: t.common.status, cell: ({ status }) => <Status is={status} of="dispute" /> },
        {
          id: 'reason',
          title: t.transactions.reason,
          from: 'medium',
          cell: ({ reason, reasonCode }) => `${t.chargebackReason[reason]} (${reasonCode})`,
        },
        { id: 'brand', title: t.cards.brand, from: 'wide', cell: ({ brand }) => t.brand[brand] },
        {
          id: 'due',
          title: t.disputes.defenseDue,
          cell: ({ status, defenseDueAt, resolvedAt }) =>
            status === 'OPEN' ? (
              <Ago at={defenseDueAt} now={now} />
            ) : resolvedAt ? (
              <Moment at={resolvedAt} style="day" />
            ) : (
              <Moment at={defenseDueAt} style="day" />
            ),
        },
        {
          id: 'opened',
          title: t.disputes.openedAt,
          align: 'end',
          from: 'medium',
          cell: ({ openedAt }) => <Moment at={openedAt} />,
        },
      ]}
      empty={
        <Empty icon="shield" title={t.cards.noChargeback}>
          {t.cards.noChargebackText}
        </Empty>
      }
    />
  )
}

const CardFees = () => {
  const { data, isLoading, problem, refresh } = useGet('/v1/cards/fees')
  if (isLoading) return <Loading rows={8} />
  if (problem) return <Trouble of={problem} retry={refresh} />
  return (
    <Section title={t.cards.fees} note={data && t.cards.feesSince(day(data.effectiveFrom))}>
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

const PaymentDialog = ({ onClose }: { onClose: () => void }) => {
  const form = useForm(
    {
      amount: '',
      installments: '1',
      token: 'tok_test_approved',
      brand: 'VISA',
      last4: '4242',
      capture: 'true',
    },
    async (values) => {
      const created = await dataOf(
        api.POST('/v1/card-payments', {
          body: {
            amount: cents(values.amount),
            installments: Number(values.installments),
            capture: values.capture === 'true',
            card: { token: values.token!, brand: values.brand as Schemas['Brand'], last4: values.last4! },
            ...filled(values, 'description', 'externalId', 'splitRuleId'),
            ...customerOf(values),
            ...scenarioOf(values),
          },
        }),
      )
      refresh('/v1/')
      navigate(pathTo(`transacoes/${created.id}`))
    },
    ({ amount }) => ({ amount: amountError(amount) }),
  )
  return (
    <Dialog title={t.cards.create} onClose={onClose}>
      <Form of={form} submit={t.cards.createAction} onCancel={onClose}>
        <div class="form-row">
          <MoneyField form={form} name="amount" label={t.common.amount} isFirst />
          <Choice
            form={form}
            name="installments"
            label={t.cards.installments}
            of={Array.from(
              { length: 12 },
              (_, n) => [String(n + 1), n === 0 ? t.cards.single : `${n + 1}×`] as const,
            )}
          />
        </div>
        <CardFields form={form} />
        <Check form={form} name="capture" label={t.cards.captureNow} hint={t.cards.captureNowHint} />
        <Field form={form} name="description" label={t.common.description} isOptional maxLength={140} />
        <details class="form-part">
          <summary>{t.common.more}</summary>
          <div class="form">
            <CustomerFields form={form} />
            <Field
              form={form}
              name="externalId"
              label="externalId"
              hint={t.common.externalIdHint}
              isOptional
              maxLength={80}
              autoComplete="off"
            />
            <SplitRuleField form={form} />
            <ScenarioField form={form} />
          </div>
        </details>
      </Form>
    </Dialog>
  )
}
