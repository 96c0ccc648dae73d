import { post } from '../../core/api.ts'
import { cents, customerOf, scenarioOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { CustomerFields, DescriptionField, MoreOfCharge } from '../../parts/common-fields.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { amountError, Choice, Field, filled, MoneyField, requiredError } from '../../parts/form.tsx'

/** Until when a charge can be paid. */
const expiries = (): [string, string][] => [
  ['900', t.pix.minutes(15)],
  ['3600', t.pix.hours(1)],
  ['86400', t.pix.hours(24)],
  ['604800', t.pix.days(7)],
  ['due', t.pix.byDueDate],
]

/** A new charge, which expires or falls due. */
export const ChargeDialog = ({ onClose }: Closable) => (
  <FormDialog
    title={t.pix.create}
    submit={t.pix.createAction}
    values={{ amount: '', expiry: '86400' }}
    check={({ amount, expiry, dueDate }) => ({
      amount: amountError(amount),
      dueDate: expiry === 'due' ? requiredError(dueDate) : null,
    })}
    send={(values) =>
      post('/v1/pix/charges', {
        body: {
          amount: cents(values.amount),
          ...filled(values, 'description', 'externalId', 'splitRuleId'),
          ...(values.expiry === 'due'
            ? filled(values, 'dueDate')
            : { expiresInSeconds: Number(values.expiry) }),
          ...customerOf(values),
          ...scenarioOf(values),
        },
      })
    }
    changes="/v1/"
    opens={({ id }) => `transacoes/${id}`}
    onClose={onClose}
  >
    {({ values: { expiry } }) => (
      <>
        <MoneyField name="amount" label={t.common.amount} isFirst />
        <DescriptionField hint={t.pix.descriptionHint} />
        <div class="form-row">
          <Choice name="expiry" label={t.pix.expiry} of={expiries()} />
          {expiry === 'due' && <Field name="dueDate" type="date" label={t.boletos.dueDate} />}
        </div>
        <MoreOfCharge>
          <CustomerFields isRequired={expiry === 'due'} />
        </MoreOfCharge>
      </>
    )}
  </FormDialog>
)

/** A deposit of the company's own money. */
export const DepositDialog = ({ onClose }: Closable) => (
  <FormDialog
    title={t.pix.createDeposit}
    hint={t.pix.noDepositText}
    submit={t.pix.createAction}
    values={{ amount: '' }}
    check={({ amount }) => ({ amount: amountError(amount) })}
    send={(values) =>
      post('/v1/pix/deposits', { body: { amount: cents(values.amount), ...filled(values, 'description') } })
    }
    changes="/v1/"
    opens={({ id }) => `transacoes/${id}`}
    onClose={onClose}
  >
    <MoneyField name="amount" label={t.common.amount} isFirst />
    <DescriptionField />
  </FormDialog>
)
