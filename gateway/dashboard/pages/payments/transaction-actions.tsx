import { useState } from 'preact/hooks'
import { post, type Schemas, withId } from '../../core/api.ts'
import { amountText, amountTyped, money } from '../../core/format.ts'
import { unitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { can } from '../../core/session.ts'
import { Button } from '../../parts/basics.tsx'
import { PrintButton } from '../../parts/buttons.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { amountError, Field, filled, MoneyField } from '../../parts/form.tsx'

type Detail = Schemas['TransactionDetail']
type Act = 'refund' | 'cancel' | 'capture'
type ActProps = Closable & { readonly of: Detail }

/** What can be done with a transaction as it stands. */
export const TransactionActions = ({ of }: { of: Detail }) => {
  const [act, setAct] = useState<Act | null>(null)
  const isAuthorized = of.status === 'AUTHORIZED'
  const isCancellable = of.status === 'PENDING' || isAuthorized
  const close = () => setAct(null)
  return (
    <>
      {isAuthorized && can('charges.create') && (
        <Button tone="main" icon="check" onClick={() => setAct('capture')} text={t.cards.capture} />
      )}
      {of.refundableAmount !== '0' && can('refunds.create') && (
        <Button icon="undo" onClick={() => setAct('refund')} text={t.refund.action} />
      )}
      {isCancellable && can('charges.create') && (
        <Button icon="ban" onClick={() => setAct('cancel')} text={t.cancel.action} />
      )}
      <PrintButton />
      {act === 'refund' && <RefundDialog of={of} onClose={close} />}
      {act === 'cancel' && <CancelDialog of={of} onClose={close} />}
      {act === 'capture' && <CaptureDialog of={of} onClose={close} />}
    </>
  )
}

const RefundDialog = ({ of: { id, refundableAmount, currency }, onClose }: ActProps) => {
  const most = money(refundableAmount, currency)
  return (
    <FormDialog
      title={t.refund.action}
      lead={t.refund.text(most)}
      submit={({ values }) =>
        amountTyped(values.amount ?? '', currency).units === refundableAmount
          ? t.refund.full
          : t.refund.partial
      }
      tone="danger"
      values={{ amount: amountText(refundableAmount, currency), reason: '' }}
      check={({ amount }) => ({
        amount:
          amountError(amount, { currency }) ??
          (BigInt(unitsOf(amount, currency)) > BigInt(refundableAmount) ? t.refund.tooMuch(most) : null),
      })}
      send={(values) =>
        post('/v1/transactions/{id}/refund', {
          ...withId(id),
          body: { amount: unitsOf(values.amount, currency), ...filled(values, 'reason') },
        })
      }
      changes="/v1/"
      done={t.refund.done}
      onClose={onClose}
    >
      <MoneyField name="amount" label={t.common.amount} isFirst />
      <Field
        name="reason"
        label={t.transactions.reason}
        hint={t.refund.reasonHint}
        isOptional
        maxLength={240}
      />
    </FormDialog>
  )
}

const CancelDialog = ({ of: { id, amount, currency }, onClose }: ActProps) => (
  <FormDialog
    title={t.cancel.title(money(amount, currency))}
    lead={t.cancel.text}
    submit={t.cancel.confirm}
    tone="danger"
    values={{ reason: '' }}
    send={(values) => post('/v1/transactions/{id}/cancel', { ...withId(id), body: filled(values, 'reason') })}
    changes="/v1/"
    done={t.cancel.done}
    onClose={onClose}
  >
    <Field name="reason" label={t.transactions.reason} isOptional maxLength={240} isFirst />
  </FormDialog>
)

const CaptureDialog = ({ of: { id, amount, authorizedAmount }, onClose }: ActProps) => (
  <FormDialog
    title={t.cards.capture}
    lead={t.cards.captureText}
    submit={t.cards.capture}
    values={{ amount: amountText(authorizedAmount ?? amount) }}
    check={(values) => ({ amount: amountError(values.amount) })}
    send={(values) =>
      post('/v1/card-payments/{id}/capture', { ...withId(id), body: { amount: unitsOf(values.amount) } })
    }
    changes="/v1/"
    done={t.cards.capturedDone}
    onClose={onClose}
  >
    <MoneyField name="amount" label={t.common.amount} isFirst />
  </FormDialog>
)
