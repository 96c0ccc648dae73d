import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { now } from '../../core/clock.ts'
import { t } from '../../core/language.ts'
import { refresh } from '../../core/query.ts'
import { currentPlace } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Ago, Amount, Button, Facts, Moment, Section } from '../../parts/basics.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form, useForm } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { SandboxActions } from '../../parts/sandbox-actions.tsx'
import { announce } from '../../parts/toasts.tsx'
import { MedCard } from './med-card.tsx'

type Detail = Schemas['TransactionDetail']

/** Chargebacks of cards and MEDs of PIX: what is at stake, until when to answer, and the answer. */
export const Disputes = ({ of: { chargebacks, meds } }: { of: Detail }) => (
  <>
    {chargebacks.map((chargeback) => (
      <ChargebackCard key={chargeback.id} of={chargeback} />
    ))}
    {meds.map((med) => (
      <MedCard key={med.id} of={med} />
    ))}
  </>
)

/** A chargeback, with the way to defend it while there is time. */
export const ChargebackCard = ({ of }: { of: Schemas['Chargeback'] }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title={t.disputes.chargeback}
      note={<Status is={of.status} of="dispute" />}
      actions={
        of.status === 'OPEN' &&
        can('charges.create') && (
          <Button tone="main" icon="shield" onClick={() => setOpen(true)}>
            {t.disputes.defend}
          </Button>
        )
      }
    >
      <Facts
        of={[
          [t.common.amount, <Amount key="amount" of={of.amount} />],
          [t.transactions.reason, `${t.chargebackReason[of.reason]} (${of.reasonCode})`],
          [t.disputes.openedAt, <Moment key="opened" at={of.openedAt} />],
          [
            t.disputes.defenseDue,
            of.status === 'OPEN' && (
              <>
                <Moment at={of.defenseDueAt} /> · <Ago at={of.defenseDueAt} now={now} />
              </>
            ),
          ],
          [t.disputes.defense, of.defense && <q key="defense">{of.defense.text}</q>],
          [t.disputes.lostReason, of.lostReason && t.lostReason[of.lostReason]],
          [t.disputes.resolvedAt, of.resolvedAt && <Moment key="resolved" at={of.resolvedAt} />],
        ]}
      />
      {of.status !== 'WON' && of.status !== 'LOST' && currentPlace()?.environment === 'SANDBOX' && (
        <SandboxActions
          of={(['WON', 'LOST'] as const).map((result) => ({
            text: t.statusOf.dispute[result],
            act: () =>
              api.POST('/v1/sandbox/chargebacks/{id}/resolve', {
                params: { path: { id: of.id } },
                body: { result },
              }),
          }))}
        />
      )}
      {isOpen && <DefenseDialog id={of.id} onClose={() => setOpen(false)} />}
    </Section>
  )
}

const DefenseDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const form = useForm(
    { text: '' },
    async ({ text }) => {
      await dataOf(
        api.POST('/v1/cards/chargebacks/{id}/dispute', { params: { path: { id } }, body: { text: text! } }),
      )
      refresh('/v1/')
      announce(t.disputes.sent)
      onClose()
    },
    ({ text }) => ({ text: (text ?? '').trim().length < 20 ? t.disputes.tooShort : null }),
  )
  return (
    <Dialog title={t.disputes.defend} onClose={onClose}>
      <p>{t.disputes.defendText}</p>
      <Form of={form} submit={t.disputes.send} onCancel={onClose}>
        <Field form={form} name="text" label={t.disputes.defense} lines={8} maxLength={5000} isFirst />
      </Form>
    </Dialog>
  )
}
