import { api, dataOf } from '../../core/api.ts'
import { count, day, documentNumber, money, percent } from '../../core/format.ts'
import { cents, customerOf, scenarioOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { refresh, useGet } from '../../core/query.ts'
import { navigate, pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import {
  Amount,
  Button,
  Copy,
  Empty,
  Figure,
  Loading,
  Moment,
  Page,
  Section,
  Tabs,
  Trouble,
} from '../../parts/basics.tsx'
import { Chart } from '../../parts/chart.tsx'
import { CustomerFields, ScenarioField, SplitRuleField, useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { periods } from '../../parts/filters.tsx'
import { amountError, Choice, Field, Form, filled, MoneyField, useForm } from '../../parts/form.tsx'
import { optionsOf, Status, transactionStatusOptions } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { Meds } from './meds.tsx'
import { nameOfTransaction, transactionColumns } from './transactions.tsx'

/** Everything about PIX: charges, what arrived, own deposits, keys, and how it went. */
export const Pix = ({ rest: [part = 'cobrancas'] }: { rest: readonly string[] }) => {
  const filters = useFilters()
  const dialog = useDialog(filters)
  return (
    <Page
      title="PIX"
      actions={
        can('charges.create') && (
          <>
            {part === 'depositos' && (
              <Button icon="plus" onClick={() => dialog.show('deposito')}>
                {t.pix.createDeposit}
              </Button>
            )}
            <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show('cobranca')}>
              {t.pix.create}
            </Button>
          </>
        )
      }
    >
      <Tabs
        label="PIX"
        current={part}
        of={[
          { id: 'cobrancas', text: t.pix.charges, href: pathTo('pix') },
          { id: 'recebidos', text: t.pix.received, href: pathTo('pix/recebidos') },
          { id: 'depositos', text: t.pix.deposits, href: pathTo('pix/depositos') },
          { id: 'contestacoes', text: t.pix.meds, href: pathTo('pix/contestacoes') },
          { id: 'resumo', text: t.pix.overview, href: pathTo('pix/resumo') },
          { id: 'chaves', text: t.pix.keys, href: pathTo('pix/chaves') },
        ]}
      />
      {part === 'cobrancas' && <Charges path="/v1/pix/charges" onCreate={() => dialog.show('cobranca')} />}
      {part === 'depositos' && <Charges path="/v1/pix/deposits" onCreate={() => dialog.show('deposito')} />}
      {part === 'recebidos' && <Received />}
      {part === 'contestacoes' && <Meds />}
      {part === 'resumo' && <PixSummary />}
      {part === 'chaves' && <PixKeys />}
      {dialog.open === 'cobranca' && <ChargeDialog onClose={dialog.close} />}
      {dialog.open === 'deposito' && <DepositDialog onClose={dialog.close} />}
    </Page>
  )
}

const Charges = ({
  path,
  onCreate,
}: {
  path: '/v1/pix/charges' | '/v1/pix/deposits'
  onCreate: () => void
}) => {
  const query = useList(path, ['from', 'to', 'status', 'externalId', 'q'])
  const isDeposit = path === '/v1/pix/deposits'
  return (
    <List
      label={isDeposit ? t.pix.deposits : t.pix.charges}
      query={query}
      columns={transactionColumns({ hasMethod: false }).map((column) => ({
        ...column,
        sort: undefined as never,
      }))}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => pathTo(`transacoes/${id}`)}
      nameOf={nameOfTransaction}
      search={t.pix.search}
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
          icon="pix"
          title={isDeposit ? t.pix.noDeposit : t.pix.noCharge}
          actions={
            can('charges.create') && (
              <Button tone="main" icon="plus" onClick={onCreate}>
                {isDeposit ? t.pix.createDeposit : t.pix.create}
              </Button>
            )
          }
        >
          {isDeposit ? t.pix.noDepositText : t.pix.noChargeText}
        </Empty>
      }
    />
  )
}

const Received = () => {
  const query = useList('/v1/pix/received', ['from', 'to', 'status', 'endToEndId', 'txid', 'q'])
  return (
    <List
      label={t.pix.received}
      query={query}
      keyOf={({ id }) => id}
      hrefOf={({ transactionId }) => pathTo(`transacoes/${transactionId}`)}
      nameOf={({ payer }) => payer.name}
      search={t.pix.search}
      filterBy={[
        { kind: 'period' },
        {
          kind: 'choices',
          name: 'status',
          title: t.common.status,
          options: optionsOf(['RECEIVED', 'RETURNED'], (status) => t.status[status]),
        },
        { kind: 'text', name: 'endToEndId', title: 'E2E' },
        { kind: 'text', name: 'txid', title: 'txid' },
      ]}
      columns={[
        { id: 'amount', title: t.common.amount, cell: ({ amount }) => <Amount of={amount} /> },
        {
          id: 'status',
          title: t.common.status,
          cell: ({ status, returnReason }) => (
            <>
              <Status is={status} />
              {returnReason && <small class="sub">{t.pix.returnReason[returnReason]}</small>}
            </>
          ),
        },
        {
          id: 'payer',
          title: t.pix.payer,
          cell: ({ payer }) => (
            <span class="who">
              <span>{payer.name}</span>
              <small class="sub">
                {documentNumber(payer.document)} · {payer.bankName}
              </small>
            </span>
          ),
        },
        {
          id: 'e2e',
          title: 'E2E',
          from: 'wide',
          cell: ({ endToEndId }) => <Copy text={endToEndId} isShort />,
        },
        {
          id: 'at',
          title: t.pix.receivedAt,
          align: 'end',
          from: 'medium',
          cell: ({ receivedAt }) => <Moment at={receivedAt} />,
        },
      ]}
      empty={
        <Empty icon="pix" title={t.pix.noReceived}>
          {t.pix.noReceivedText}
        </Empty>
      }
    />
  )
}

const PixKeys = () => {
  const { data, isLoading, problem, refresh } = useGet('/v1/pix/keys')
  if (isLoading) return <Loading />
  if (problem) return <Trouble of={problem} retry={refresh} />
  return (
    <Section title={t.pix.keys} note={t.pix.keysText}>
      <ul class="rows">
        {data?.data.map(({ id, type, key, status }) => (
          <li key={id}>
            <strong>{t.pix.keyType[type]}</strong> <Copy text={key} />{' '}
            <Status is={status === 'PENDING' ? 'PENDING' : status} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

const PixSummary = () => {
  const filters = useFilters()
  const [, from, to] = periods().find(([, first]) => first === filters.get('from')) ?? periods()[3]!
  const { data, isLoading, problem, refresh } = useGet('/v1/pix/overview', { query: { from, to } })
  return (
    <>
      <div class="presets">
        {periods().map(([text, first, last]) => (
          <button
            key={text}
            type="button"
            aria-pressed={first === from && last === to}
            onClick={() => filters.set({ from: first, to: last })}
          >
            {text}
          </button>
        ))}
      </div>
      <Trouble of={problem} retry={refresh} />
      {isLoading && <Loading rows={6} />}
      {data && (
        <>
          <dl class="figures">
            <Figure name={t.pix.received} note={t.pix.payments(data.received.count)}>
              <Amount of={data.received.amount} />
            </Figure>
            <Figure name={t.transactions.net}>
              <Amount of={data.netAmount} />
            </Figure>
            <Figure name={t.transactions.fees}>
              <Amount of={data.feeAmount} />
            </Figure>
            <Figure name={t.pix.ticket}>
              <Amount of={data.averageTicket} />
            </Figure>
            <Figure
              name={t.pix.conversion}
              note={t.pix.conversionNote(count(data.charges.paid.count), count(data.charges.created.count))}
            >
              {percent(data.conversionBps, 1)}
            </Figure>
            <Figure name={t.transactions.refunded} note={count(data.refunds.count)}>
              <Amount of={data.refunds.amount} />
            </Figure>
            <Figure name={t.pix.returned} note={count(data.returned.count)}>
              <Amount of={data.returned.amount} />
            </Figure>
            <Figure name={t.pix.openMed} note={count(data.med.open.count)}>
              <Amount of={data.med.open.amount} />
            </Figure>
          </dl>
          <div class="section">
            <Chart
              title={t.pix.perDay}
              summary={t.pix.perDaySummary(money(data.received.amount), count(data.received.count))}
              days={data.daily.map(({ date }) => date)}
              series={[
                {
                  id: 'PIX',
                  name: 'PIX',
                  values: data.daily.map(({ receivedAmount }) => Number(receivedAmount) / 100),
                },
              ]}
              kind="bars"
              valueText={(value) => money(BigInt(Math.round(value * 100)).toString())}
              axisText={(value) => count(value)}
              dayText={(date) => day(date, 'short')}
            />
          </div>
        </>
      )}
    </>
  )
}

const expiries = [
  ['900', () => t.pix.minutes(15)],
  ['3600', () => t.pix.hours(1)],
  ['86400', () => t.pix.hours(24)],
  ['604800', () => t.pix.days(7)],
  ['due', () => t.pix.byDueDate],
] as const

const ChargeDialog = ({ onClose }: { onClose: () => void }) => {
  const form = useForm(
    { amount: '', expiry: '86400' },
    async (values) => {
      const due = values.expiry === 'due'
      const created = await dataOf(
        api.POST('/v1/pix/charges', {
          body: {
            amount: cents(values.amount),
            ...filled(values, 'description', 'externalId', 'splitRuleId'),
            ...(due ? filled(values, 'dueDate') : { expiresInSeconds: Number(values.expiry) }),
            ...customerOf(values),
            ...scenarioOf(values),
          },
        }),
      )
      refresh('/v1/')
      navigate(pathTo(`transacoes/${created.id}`))
    },
    ({ amount, expiry, dueDate }) => ({
      amount: amountError(amount),
      dueDate: expiry === 'due' && !dueDate ? t.common.required : null,
    }),
  )
  return (
    <Dialog title={t.pix.create} onClose={onClose}>
      <Form of={form} submit={t.pix.createAction} onCancel={onClose}>
        <MoneyField form={form} name="amount" label={t.common.amount} isFirst />
        <Field
          form={form}
          name="description"
          label={t.common.description}
          hint={t.pix.descriptionHint}
          isOptional
          maxLength={140}
        />
        <div class="form-row">
          <Choice
            form={form}
            name="expiry"
            label={t.pix.expiry}
            of={expiries.map(([value, text]) => [value, text()])}
          />
          {form.values.expiry === 'due' && (
            <Field form={form} name="dueDate" type="date" label={t.pix.dueDate} />
          )}
        </div>
        <details class="form-part">
          <summary>{t.common.more}</summary>
          <div class="form">
            <CustomerFields form={form} isRequired={form.values.expiry === 'due'} />
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

const DepositDialog = ({ onClose }: { onClose: () => void }) => {
  const form = useForm(
    { amount: '' },
    async (values) => {
      const created = await dataOf(
        api.POST('/v1/pix/deposits', {
          body: { amount: cents(values.amount), ...filled(values, 'description') },
        }),
      )
      refresh('/v1/')
      navigate(pathTo(`transacoes/${created.id}`))
    },
    ({ amount }) => ({ amount: amountError(amount) }),
  )
  return (
    <Dialog title={t.pix.createDeposit} onClose={onClose}>
      <p class="hint">{t.pix.noDepositText}</p>
      <Form of={form} submit={t.pix.createAction} onCancel={onClose}>
        <MoneyField form={form} name="amount" label={t.common.amount} isFirst />
        <Field form={form} name="description" label={t.common.description} isOptional maxLength={140} />
      </Form>
    </Dialog>
  )
}
