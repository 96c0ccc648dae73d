import { api, dataOf, downloadPath, type Schemas } from '../../core/api.ts'
import { now } from '../../core/clock.ts'
import { day, isoDay } from '../../core/format.ts'
import { bpsOf, cents, customerOf, scenarioOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { refresh } from '../../core/query.ts'
import { navigate, pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Amount, Button, Empty, Moment, Page } from '../../parts/basics.tsx'
import { CustomerFields, ScenarioField, SplitRuleField, useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { amountError, Field, Form, filled, MoneyField, requiredError, useForm } from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { optionsOf, Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'

const statuses = ['REGISTERED', 'OVERDUE', 'PROCESSING', 'PAID', 'CANCELLED', 'EXPIRED', 'REJECTED'] as const

/** Boletos as their bank has them, and new ones. */
export const Boletos = () => {
  const query = useList('/v1/boletos', ['from', 'to', 'status', 'externalId', 'q'])
  const dialog = useDialog(query.filters)
  const create = can('charges.create') && (
    <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show()}>
      {t.boletos.create}
    </Button>
  )
  return (
    <Page title={t.nav.boletos} actions={create}>
      <List
        label={t.nav.boletos}
        query={query}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathTo(`transacoes/${id}`)}
        nameOf={({ customer, id }) => customer?.name ?? id}
        search={t.boletos.search}
        filterBy={[
          { kind: 'period' },
          {
            kind: 'choices',
            name: 'status',
            title: t.common.status,
            options: optionsOf(statuses, (status) => t.boletoStatus[status]),
          },
          { kind: 'text', name: 'externalId', title: 'externalId', hint: t.transactions.externalIdHint },
        ]}
        columns={[
          { id: 'amount', title: t.common.amount, cell: ({ amount }) => <Amount of={amount} /> },
          { id: 'status', title: t.common.status, cell: ({ status }) => <Status is={status} /> },
          {
            id: 'customer',
            title: t.common.customer,
            cell: ({ customer, description }) => (
              <span class="who">
                <span>{customer?.name}</span>
                <small class="sub">{description}</small>
              </span>
            ),
          },
          { id: 'due', title: t.boletos.dueDate, from: 'medium', cell: ({ boleto }) => day(boleto.dueDate) },
          {
            id: 'pdf',
            title: 'PDF',
            from: 'medium',
            cell: ({ id, boleto }) =>
              boleto.digitableLine && (
                <a
                  class="icon-link"
                  href={downloadPath(`/v1/boletos/${id}/pdf`)}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={t.instructions.pdf}
                >
                  <Icon name="download" />
                </a>
              ),
          },
          {
            id: 'createdAt',
            title: t.common.createdAt,
            align: 'end',
            from: 'wide',
            cell: ({ createdAt }) => <Moment at={createdAt} />,
          },
        ]}
        empty={
          <Empty icon="barcode" title={t.boletos.none} actions={create}>
            {t.boletos.noneText}
          </Empty>
        }
      />
      {dialog.open && <BoletoDialog onClose={dialog.close} />}
    </Page>
  )
}

const BoletoDialog = ({ onClose }: { onClose: () => void }) => {
  const form = useForm(
    { amount: '', dueDate: isoDay(now(), 7) },
    async (values) => {
      const rate = (name: string) => (values[name] ? bpsOf(values[name]) : null)
      const [fineBps, interestBps] = [rate('fine'), rate('interest')]
      const customer = customerOf(values).customer
      const created = await dataOf(
        api.POST('/v1/boletos', {
          body: {
            amount: cents(values.amount),
            dueDate: values.dueDate!,
            ...filled(values, 'description', 'externalId', 'splitRuleId', 'instructions'),
            ...(fineBps !== null && { fineBps }),
            ...(interestBps !== null && { interestBps }),
            ...(values.discount && { discountAmount: cents(values.discount) }),
            customer: { document: '', ...customer!, ...addressOf(values) },
            ...scenarioOf(values),
          },
        }),
      )
      refresh('/v1/')
      navigate(pathTo(`transacoes/${created.id}`))
    },
    (values) => ({
      amount: amountError(values.amount),
      dueDate: requiredError(values.dueDate),
      customerName: requiredError(values.customerName),
      customerDocument: requiredError(values.customerDocument),
      fine: values.fine && bpsOf(values.fine) === null ? t.boletos.notARate : null,
      interest: values.interest && bpsOf(values.interest) === null ? t.boletos.notARate : null,
      discount: amountError(values.discount, true),
    }),
  )
  return (
    <Dialog title={t.boletos.create} onClose={onClose} isWide>
      <Form of={form} submit={t.boletos.createAction} onCancel={onClose}>
        <div class="form-row">
          <MoneyField form={form} name="amount" label={t.common.amount} isFirst />
          <Field form={form} name="dueDate" type="date" label={t.boletos.dueDate} min={isoDay(now())} />
        </div>
        <CustomerFields form={form} isRequired />
        <Field form={form} name="description" label={t.common.description} isOptional maxLength={140} />
        <details class="form-part">
          <summary>{t.boletos.terms}</summary>
          <div class="form">
            <div class="form-row">
              <Field
                form={form}
                name="fine"
                label={t.boletos.fine}
                hint={t.boletos.rateHint}
                isOptional
                inputMode="decimal"
                placeholder="2"
              />
              <Field
                form={form}
                name="interest"
                label={t.boletos.interest}
                hint={t.boletos.rateHint}
                isOptional
                inputMode="decimal"
                placeholder="1"
              />
              <MoneyField form={form} name="discount" label={t.boletos.discount} isOptional />
            </div>
            <Field
              form={form}
              name="instructions"
              label={t.boletos.instructions}
              isOptional
              lines={3}
              maxLength={400}
            />
          </div>
        </details>
        <details class="form-part">
          <summary>{t.common.more}</summary>
          <div class="form">
            <AddressFields form={form} />
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

/** An address, part by part. */
export const AddressFields = ({
  form,
  prefix = '',
}: {
  form: import('../../parts/form.tsx').FormState
  prefix?: string
}) => (
  <>
    <div class="form-row">
      <Field
        form={form}
        name={`${prefix}zip`}
        label={t.address.zip}
        isOptional
        inputMode="numeric"
        maxLength={9}
      />
      <Field form={form} name={`${prefix}street`} label={t.address.street} isOptional maxLength={80} />
      <Field form={form} name={`${prefix}number`} label={t.address.number} isOptional maxLength={10} />
    </div>
    <div class="form-row">
      <Field
        form={form}
        name={`${prefix}complement`}
        label={t.address.complement}
        isOptional
        maxLength={40}
      />
      <Field form={form} name={`${prefix}district`} label={t.address.district} isOptional maxLength={60} />
    </div>
    <div class="form-row">
      <Field form={form} name={`${prefix}city`} label={t.address.city} isOptional maxLength={60} />
      <Field form={form} name={`${prefix}state`} label={t.address.state} isOptional maxLength={2} />
    </div>
  </>
)

/** The address that a form holds; none without a street. */
export const addressOf = (
  values: Readonly<Record<string, string>>,
): { address?: Schemas['AddressInput'] } => {
  if (!values.street?.trim()) return {}
  const { complement, ...parts } = filled(values, 'street', 'number', 'complement', 'district', 'city')
  const state = (values.state ?? '').trim().toUpperCase()
  const zip = (values.zip ?? '').replace(/\D/g, '')
  return { address: { ...parts, state, zip, ...(complement && { complement }) } as Schemas['AddressInput'] }
}
