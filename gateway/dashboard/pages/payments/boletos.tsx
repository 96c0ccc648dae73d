import { downloadPath, post, type Schemas } from '../../core/api.ts'
import { clockMs } from '../../core/clock.ts'
import { day, isoDay } from '../../core/format.ts'
import { bpsOf, customerOf, scenarioOf, unitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { Empty } from '../../parts/basics.tsx'
import { bulkOf } from '../../parts/bulk.tsx'
import {
  AddressFields,
  CustomerFields,
  DescriptionField,
  MoreOfCharge,
  useDialog,
} from '../../parts/common-fields.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { externalIdFilter, period, statusFilter } from '../../parts/filter.ts'
import { amountError, Field, FormPart, filled, MoneyField, required, type Values } from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { createButton, ListPage, useList } from '../../parts/list-page.tsx'
import { amountColumn, momentColumn, statusColumn, Who } from '../../parts/table.tsx'
import { cancelCharges, exportSelected } from './selected-charges.tsx'

const statuses = ['REGISTERED', 'OVERDUE', 'PROCESSING', 'PAID', 'CANCELLED', 'EXPIRED', 'REJECTED'] as const

/** The list of boletos, and the form to create one. */
export const Boletos = () => {
  const query = useList('/v1/boletos', ['from', 'to', 'status', 'externalId', 'q'])
  const dialog = useDialog(query.filters)
  const create = createButton('charges.create', t.boletos.create, dialog.show)
  return (
    <ListPage
      title={t.nav.boletos}
      actions={create}
      query={query}
      {...bulkOf(
        cancelCharges<Schemas['Boleto']>(({ status }) => status === 'REGISTERED' || status === 'OVERDUE'),
        exportSelected,
      )}
      hrefOf={({ id }) => pathTo(`transacoes/${id}`)}
      nameOf={({ customer, id }) => customer?.name ?? id}
      search={t.boletos.search}
      filterBy={[period, statusFilter(statuses, 'boleto'), externalIdFilter()]}
      columns={[
        amountColumn('amount', t.common.amount),
        statusColumn('boleto'),
        ['customer', t.common.customer, (row) => <Who name={row.customer?.name} sub={row.description} />],
        ['due', t.boletos.dueDate, ({ boleto }) => day(boleto.dueDate), 'medium'],
        ['pdf', 'PDF', ({ id, boleto }) => boleto.digitableLine && <PdfLink id={id} />, 'medium'],
        momentColumn('createdAt', t.common.createdAt, 'end', 'wide'),
      ]}
      empty={<Empty icon="barcode" title={t.boletos.none} text={t.boletos.noneText} actions={create} />}
    >
      {dialog.open && <BoletoDialog onClose={dialog.close} />}
    </ListPage>
  )
}

const PdfLink = ({ id }: { id: string }) => (
  <a
    class="icon-link"
    href={downloadPath(`/v1/boletos/${id}/pdf`)}
    target="_blank"
    rel="noreferrer"
    aria-label={t.instructions.pdf}
  >
    <Icon name="download" />
  </a>
)

const BoletoDialog = ({ onClose }: Closable) => (
  <FormDialog
    title={t.boletos.create}
    submit={t.boletos.createAction}
    isWide
    values={{ amount: '', dueDate: isoDay(clockMs(), 7) }}
    check={(values) => ({
      ...required('dueDate', 'customer.name', 'customer.document')(values),
      amount: amountError(values.amount),
      fineBps: rateError(values.fineBps),
      interestBps: rateError(values.interestBps),
      discountAmount: amountError(values.discountAmount, { isOptional: true }),
    })}
    send={(values) => post('/v1/boletos', { body: boletoOf(values) })}
    changes="/v1/"
    opens={({ id }) => `transacoes/${id}`}
    onClose={onClose}
  >
    <div class="form-row">
      <MoneyField name="amount" label={t.common.amount} isFirst />
      <Field name="dueDate" type="date" label={t.boletos.dueDate} min={isoDay(clockMs())} />
    </div>
    <CustomerFields isRequired />
    <DescriptionField />
    <FormPart title={t.boletos.terms}>
      <div class="form-row">
        <RateField name="fineBps" label={t.boletos.fine} placeholder="2" />
        <RateField name="interestBps" label={t.boletos.interest} placeholder="1" />
        <MoneyField name="discountAmount" label={t.coupons.discount} isOptional />
      </div>
      <Field name="instructions" label={t.boletos.instructions} isOptional lines={3} maxLength={400} />
    </FormPart>
    <MoreOfCharge>
      <AddressFields path="customer.address" />
    </MoreOfCharge>
  </FormDialog>
)

const RateField = (props: { name: string; label: string; placeholder: string }) => (
  <Field {...props} hint={t.boletos.rateHint} isOptional inputMode="decimal" />
)

const rateError = (text: string | undefined): string | null =>
  text && bpsOf(text) === null ? t.boletos.notARate : null

const boletoOf = (values: Values): Schemas['CreateBoletoRequest'] => {
  const [fineBps, interestBps] = [bpsOf(values.fineBps), bpsOf(values.interestBps)]
  return {
    amount: unitsOf(values.amount),
    dueDate: values.dueDate!,
    ...filled(values, 'description', 'externalId', 'splitRuleId', 'instructions'),
    ...(fineBps !== null && { fineBps }),
    ...(interestBps !== null && { interestBps }),
    ...(values.discountAmount && { discountAmount: unitsOf(values.discountAmount) }),
    ...(customerOf(values) as Pick<Schemas['CreateBoletoRequest'], 'customer'>),
    ...scenarioOf(values),
  }
}
