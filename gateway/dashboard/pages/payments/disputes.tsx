import { useState } from 'preact/hooks'
import { post, type Schemas, withId } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { isSandbox } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Button, Facts, Section } from '../../parts/basics.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { amountOf, instant } from '../../parts/facts.tsx'
import { Status, statusText } from '../../parts/labels.tsx'
import { SandboxActions } from '../../parts/sandbox-actions.tsx'
import { DefenseField, Due, MedCard, tooShort } from './med-card.tsx'

type Detail = Schemas['TransactionDetail']

/** Chargebacks of cards and MEDs of PIX: the amount at stake, the deadline, and the merchant's answer. */
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

/** A chargeback, with a button to defend it before its deadline. */
const ChargebackCard = ({ of }: { of: Schemas['Chargeback'] }) => {
  const [isOpen, setOpen] = useState(false)
  const isUndecided = of.status !== 'WON' && of.status !== 'LOST'
  return (
    <Section
      title={t.disputes.chargeback}
      note={<Status is={of.status} of="chargeback" />}
      actions={
        of.status === 'OPEN' &&
        can('charges.create') && (
          <Button tone="main" icon="shield" onClick={() => setOpen(true)} text={t.disputes.defend} />
        )
      }
    >
      <Facts
        of={[
          [t.common.amount, amountOf(of.amount)],
          [t.transactions.reason, `${t.chargebackReason[of.reason]} (${of.reasonCode})`],
          [t.disputes.openedAt, instant(of.openedAt)],
          [t.disputes.defenseDue, of.status === 'OPEN' && <Due key="due" at={of.defenseDueAt} isRunning />],
          [t.disputes.defense, of.defense && <q key="defense">{of.defense.text}</q>],
          [t.disputes.lostReason, of.lostReason && t.lostReason[of.lostReason]],
          [t.disputes.resolvedAt, instant(of.resolvedAt)],
        ]}
      />
      {isUndecided && isSandbox() && (
        <SandboxActions
          of={(['WON', 'LOST'] as const).map((result) => ({
            text: statusText(result, 'chargeback'),
            act: () => post('/v1/sandbox/chargebacks/{id}/resolve', { ...withId(of.id), body: { result } }),
          }))}
        />
      )}
      {isOpen && <DefenseDialog id={of.id} onClose={() => setOpen(false)} />}
    </Section>
  )
}

const DefenseDialog = ({ id, onClose }: Closable & { id: string }) => (
  <FormDialog
    title={t.disputes.defend}
    lead={t.disputes.defendText}
    submit={t.disputes.send}
    values={{ text: '' }}
    check={({ text }) => ({ text: tooShort(text) })}
    send={({ text }) => post('/v1/cards/chargebacks/{id}/dispute', { ...withId(id), body: { text: text! } })}
    changes="/v1/"
    done={t.disputes.sent}
    onClose={onClose}
  >
    <DefenseField label={t.disputes.defense} />
  </FormDialog>
)
