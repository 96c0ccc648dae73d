import { post, type Schemas } from '../core/api.ts'
import { instantOf } from '../core/format.ts'
import { unitsOf } from '../core/inputs.ts'
import { t } from '../core/language.ts'
import { amountError, Choice, Field, Form, MoneyField, useForm } from './form.tsx'
import { methodOptions, transactionStatusOptions } from './labels.tsx'
import { announce, done } from './toasts.tsx'

/** A lever of the Sandbox. */
export type Lever = 'clock' | 'pix' | 'event' | 'rows'

/** What each lever is called, and what it does. */
export const leverHeads = (): Readonly<Record<Lever, readonly [title: string, text: string]>> => ({
  clock: [t.sandbox.clock, t.sandbox.clockText],
  pix: [t.sandbox.incoming, t.sandbox.incomingText],
  event: [t.sandbox.event, t.sandbox.eventText],
  rows: [t.sandbox.rows, t.sandbox.rowsText],
})

/** One of the Sandbox's levers. */
export const SandboxForm = ({ kind }: { kind: Lever }) => {
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
    ({ to }) => advanceClock({ to: new Date(instantOf(to!)).toISOString() }),
    ({ to }) => ({ to: to ? null : t.common.required }),
  )
  return (
    <Form of={form} submit={t.sandbox.advance}>
      <Field name="to" type="datetime-local" label={t.sandbox.advanceTo} />
    </Form>
  )
}

const IncomingPixForm = () => {
  const form = useForm(
    { amount: '', name: '' },
    async ({ amount, name }) => {
      const payer = name ? { payer: { name } } : {}
      await post('/v1/sandbox/pix/received', { body: { amount: unitsOf(amount), ...payer } })
      done(t.sandbox.received, '/v1/')
    },
    ({ amount }) => ({ amount: amountError(amount) }),
  )
  return (
    <Form of={form} submit={t.sandbox.receive}>
      <MoneyField name="amount" label={t.common.amount} />
      <Field name="name" label={t.sandbox.payer} isOptional />
    </Form>
  )
}

const SampleEventForm = () => {
  const form = useForm({ type: 'payment.approved' }, async ({ type }) => {
    await post('/v1/sandbox/events', { body: { type: type as Schemas['EventType'] } })
    announce(t.sandbox.eventSent)
  })
  return (
    <Form of={form} submit={t.sandbox.sendEvent}>
      <EventTypeField />
    </Form>
  )
}

/** The choice of a type of event. */
export const EventTypeField = () => (
  <Choice name="type" label={t.common.type} of={eventTypes.map((type) => [type, type])} />
)

/** Every type of event, in the order of the documentation. */
export const eventTypes = Object.keys(t.events.meaning) as Schemas['EventType'][]

const SeedForm = () => {
  const form = useForm(
    { amount: '', method: 'PIX', status: 'APPROVED' },
    async ({ amount, method, status }) => {
      await post('/v1/sandbox/transactions', {
        body: {
          amount: unitsOf(amount),
          method: method as Schemas['PaymentMethod'],
          status: status as Schemas['TransactionStatus'],
        },
      })
      done(t.sandbox.seeded, '/v1/')
    },
    ({ amount }) => ({ amount: amountError(amount) }),
  )
  return (
    <Form of={form} submit={t.sandbox.seed}>
      <MoneyField name="amount" label={t.common.amount} />
      <Choice name="method" label={t.common.method} of={methodOptions()} />
      <Choice name="status" label={t.common.status} of={transactionStatusOptions()} />
    </Form>
  )
}

/** Advances the Sandbox's clock. Due work on the way is done, so every page may have changed. */
export const advanceClock = async (body: { by?: string; to?: string }): Promise<void> => {
  await post('/v1/sandbox/clock/advance', { body })
  done(t.sandbox.advanced, '/v1/')
}
