import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { amountText, centsOf, money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh } from '../../core/query.ts'
import { can } from '../../core/session.ts'
import { Button } from '../../parts/basics.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { amountError, Field, Form, filled, MoneyField, useForm } from '../../parts/form.tsx'
import { announce } from '../../parts/toasts.tsx'

type Detail = Schemas['TransactionDetail']
type Act = 'refund' | 'cancel' | 'capture'

/** What can be done with a transaction as it stands. */
export const TransactionActions = ({ of }: { of: Detail }) => {
  const [act, setAct] = useState<Act | null>(null)
  const isAuthorized = of.status === 'AUTHORIZED'
  const isCancellable = of.status === 'PENDING' || isAuthorized
  const close = () => setAct(null)
  return (
    <>
      {isAuthorized && can('charges.create') && (
        <Button tone="main" icon="check" onClick={() => setAct('capture')}>
          {t.cards.capture}
        </Button>
      )}
      {of.refundableAmount !== '0' && can('refunds.create') && (
        <Button icon="undo" onClick={() => setAct('refund')}>
          {t.refund.action}
        </Button>
      )}
      {isCancellable && can('charges.create') && (
        <Button icon="ban" onClick={() => setAct('cancel')}>
          {t.cancel.action}
        </Button>
      )}
      <Button tone="quiet" icon="printer" aria-label={t.common.print} onClick={() => print()} />
      {act === 'refund' && <RefundDialog of={of} onClose={close} />}
      {act === 'cancel' && <CancelDialog of={of} onClose={close} />}
      {act === 'capture' && <CaptureDialog of={of} onClose={close} />}
    </>
  )
}

const done = (text: string, onClose: () => void): void => {
  refresh('/v1/')
  announce(text)
  onClose()
}

const RefundDialog = ({ of, onClose }: { of: Detail; onClose: () => void }) => {
  const { id, refundableAmount, currency } = of
  const form = useForm(
    { amount: amountText(refundableAmount), reason: '' },
    async (values) => {
      const body = { amount: centsOf(values.amount!)!, ...filled(values, 'reason') }
      await dataOf(api.POST('/v1/transactions/{id}/refund', { params: { path: { id } }, body }))
      done(t.refund.done, onClose)
    },
    ({ amount }) => ({
      amount:
        amountError(amount) ??
        (BigInt(centsOf(amount!)!) > BigInt(refundableAmount)
          ? t.refund.tooMuch(money(refundableAmount, currency))
          : null),
    }),
  )
  const isPartial = centsOf(form.values.amount ?? '') !== refundableAmount
  return (
    <Dialog title={t.refund.title} onClose={onClose}>
      <p>{t.refund.text(money(refundableAmount, currency))}</p>
      <Form of={form} submit={isPartial ? t.refund.partial : t.refund.full} tone="danger" onCancel={onClose}>
        <MoneyField form={form} name="amount" label={t.common.amount} isFirst />
        <Field
          form={form}
          name="reason"
          label={t.transactions.reason}
          hint={t.refund.reasonHint}
          isOptional
          maxLength={240}
        />
      </Form>
    </Dialog>
  )
}

const CancelDialog = ({ of: { id, amount, currency }, onClose }: { of: Detail; onClose: () => void }) => {
  const form = useForm({ reason: '' }, async (values) => {
    await dataOf(
      api.POST('/v1/transactions/{id}/cancel', { params: { path: { id } }, body: filled(values, 'reason') }),
    )
    done(t.cancel.done, onClose)
  })
  return (
    <Dialog title={t.cancel.title(money(amount, currency))} onClose={onClose}>
      <p>{t.cancel.text}</p>
      <Form of={form} submit={t.cancel.confirm} tone="danger" onCancel={onClose}>
        <Field form={form} name="reason" label={t.transactions.reason} isOptional maxLength={240} isFirst />
      </Form>
    </Dialog>
  )
}

const CaptureDialog = ({
  of: { id, amount, authorizedAmount },
  onClose,
}: {
  of: Detail
  onClose: () => void
}) => {
  const form = useForm(
    { amount: amountText(authorizedAmount ?? amount) },
    async (values) => {
      const body = { amount: centsOf(values.amount!)! }
      await dataOf(api.POST('/v1/card-payments/{id}/capture', { params: { path: { id } }, body }))
      done(t.cards.capturedDone, onClose)
    },
    (values) => ({ amount: amountError(values.amount) }),
  )
  return (
    <Dialog title={t.cards.capture} onClose={onClose}>
      <p>{t.cards.captureText}</p>
      <Form of={form} submit={t.cards.capture} onCancel={onClose}>
        <MoneyField form={form} name="amount" label={t.common.amount} isFirst />
      </Form>
    </Dialog>
  )
}
