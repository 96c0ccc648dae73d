import { api, dataOf, type Schemas } from '../core/api.ts'
import { centsOf } from '../core/format.ts'
import { t } from '../core/language.ts'
import { refresh } from '../core/query.ts'
import { advanceClock } from './clock-actions.ts'
import { amountError, Choice, Field, Form, MoneyField, useForm } from './form.tsx'
import { methodOptions, transactionStatusOptions } from './labels.tsx'
import { announce } from './toasts.tsx'

/** One of the Sandbox's levers. */
export const SandboxForm = ({ kind }: { kind: 'clock' | 'pix' | 'event' | 'rows' }) => {
  switch (kind) {
    case 'clock':
      return <ClockForm />
    case 'pix':
      return <IncomingPixForm />
    case 'event':
      return <SampleEventForm />
    case 'rows':
      return <SeedForm />
  }
}

const ClockForm = () => {
  const form = useForm(
    { to: '' },
    ({ to }) => advanceClock({ to: new Date(to!).toISOString() }),
    ({ to }) => ({ to: to ? null : t.common.required }),
  )
  return (
    <Form of={form} submit={t.sandbox.advance}>
      <Field form={form} name="to" type="datetime-local" label={t.sandbox.advanceTo} />
    </Form>
  )
}

const IncomingPixForm = () => {
  const form = useForm(
    { amount: '', name: '' },
    async ({ amount, name }) => {
      const payer = name ? { payer: { name } } : {}
      await dataOf(api.POST('/v1/sandbox/pix/received', { body: { amount: centsOf(amount!)!, ...payer } }))
      refresh('/v1/')
      announce(t.sandbox.received)
    },
    ({ amount }) => ({ amount: amountError(amount) }),
  )
  return (
    <Form of={form} submit={t.sandbox.receive}>
      <MoneyField form={form} name="amount" label={t.common.amount} />
      <Field form={form} name="name" label={t.sandbox.payer} isOptional />
    </Form>
  )
}

const SampleEventForm = () => {
  const form = useForm({ type: 'payment.approved' }, async ({ type }) => {
    await dataOf(api.POST('/v1/sandbox/events', { body: { type: type as Schemas['EventType'] } }))
    announce(t.sandbox.eventSent)
  })
  return (
    <Form of={form} submit={t.sandbox.sendEvent}>
      <Choice
        form={form}
        name="type"
        label={t.sandbox.eventType}
        of={eventTypes.map((type) => [type, type])}
      />
    </Form>
  )
}

/** Every type of event, in the order of the documentation. */
export const eventTypes = [
  'payment.created',
  'payment.pending',
  'payment.approved',
  'payment.failed',
  'payment.refunded',
  'payment.chargeback',
  'pix.received',
  'pix.med_opened',
  'pix.med_closed',
  'boleto.paid',
  'subscription.created',
  'subscription.paid',
  'subscription.failed',
  'settlement.processing',
  'settlement.completed',
  'crypto.received',
  'crypto.expired',
  'crypto.withdrawal_completed',
  'crypto.withdrawal_failed',
  'conversion.completed',
  'conversion.failed',
  'transfer.scheduled',
  'transfer.pending_approval',
  'transfer.completed',
  'transfer.failed',
] as const satisfies readonly Schemas['EventType'][]

const SeedForm = () => {
  const form = useForm(
    { amount: '', method: 'PIX', status: 'APPROVED' },
    async ({ amount, method, status }) => {
      await dataOf(
        api.POST('/v1/sandbox/transactions', {
          body: {
            amount: centsOf(amount!)!,
            method: method as Schemas['PaymentMethod'],
            status: status as Schemas['TransactionStatus'],
          },
        }),
      )
      refresh('/v1/')
      announce(t.sandbox.seeded)
    },
    ({ amount }) => ({ amount: amountError(amount) }),
  )
  return (
    <Form of={form} submit={t.sandbox.seed}>
      <MoneyField form={form} name="amount" label={t.common.amount} />
      <Choice form={form} name="method" label={t.common.method} of={methodOptions()} />
      <Choice form={form} name="status" label={t.common.status} of={transactionStatusOptions()} />
    </Form>
  )
}
