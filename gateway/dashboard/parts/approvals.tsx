import type { ComponentChildren } from 'preact'
import type { Schemas } from '../core/api.ts'
import { moment } from '../core/format.ts'
import { t } from '../core/language.ts'
import { can, sessionStore } from '../core/session.ts'
import { PersonName } from './actor.tsx'
import { Moment, Section } from './basics.tsx'
import { type Closable, FormDialog } from './dialog.tsx'
import { Field, required } from './form.tsx'

/** The fields of a payment that may need approval. */
type Approvable = Pick<
  Schemas['Transfer'],
  'approvals' | 'approvalReasons' | 'approvalEndsAt' | 'decisions' | 'createdBy' | 'createdAt'
> & { readonly status: string }

const isOwn = ({ createdBy }: Approvable): boolean => createdBy === sessionStore.get()?.person.id

/** Whether this person may approve or reject a payment now. */
export const mayDecide = (of: Approvable): boolean =>
  of.status === 'PENDING_APPROVAL' &&
  can('transfers.approve') &&
  !isOwn(of) &&
  !of.decisions.some(({ personId }) => personId === sessionStore.get()?.person.id)

/** How many approvals a payment still needs and until when; null if it waits for none. */
export const WaitsForApproval = ({ of }: { of: Approvable }) => {
  const { status, approvals, approvalEndsAt } = of
  if (status !== 'PENDING_APPROVAL') return null
  return (
    <p class="notice-line warn">
      {t.approvals.waits(
        approvals.required - approvals.given,
        approvalEndsAt === null ? '' : moment(approvalEndsAt),
      )}{' '}
      {isOwn(of) && t.approvals.own}
    </p>
  )
}

/** Who requested a payment, who has decided, and why approval was needed. */
export const Approvals = ({ of }: { of: Approvable }) => {
  const { createdBy, createdAt, decisions, approvals, approvalReasons } = of
  return (
    <Section title={t.approvals.title}>
      <ol class="timeline">
        <li>
          <strong>{createdBy === null ? t.actor.OPERATOR : <PersonName id={createdBy} />}</strong>{' '}
          {t.approvals.asked}
          <small class="sub">
            <Moment at={createdAt} />
          </small>
        </li>
        {decisions.map(({ personId, name, decision, reason, at }) => (
          <li key={`${personId} ${at}`}>
            <strong>{name ?? t.erasedPerson}</strong> {t.approvals.decision[decision]}
            {reason && <p class="plain-text">{reason}</p>}
            <small class="sub">
              <Moment at={at} />
            </small>
          </li>
        ))}
      </ol>
      {approvals.required === 0 && <p class="hint">{t.approvals.none}</p>}
      {approvalReasons.length > 0 && <Reasons of={approvalReasons} class="hint" />}
    </Section>
  )
}

type NeedsApprovalProps = { of: Pick<Schemas['TransferPreview'], 'approvalsRequired' | 'reasons'> }

/** How many approvals the payment will need, and why. */
export const NeedsApproval = ({
  of: { approvalsRequired, reasons },
}: NeedsApprovalProps): ComponentChildren =>
  approvalsRequired > 0 && (
    <div class="notice-line warn">
      <p>{t.approvals.needs(approvalsRequired)}</p>
      <Reasons of={reasons} />
    </div>
  )

const Reasons = ({ of, class: name }: { of: Schemas['Transfer']['approvalReasons']; class?: string }) => (
  <ul class={name}>
    {of.map((reason) => (
      <li key={reason}>{t.approvals.reason[reason]}</li>
    ))}
  </ul>
)

/** Asks why a payment is rejected. */
export const RejectDialog = ({ act, onClose }: Closable & { act: (reason: string) => Promise<void> }) => (
  <FormDialog
    title={t.decide.reject}
    submit={t.decide.reject}
    tone="danger"
    values={{ reason: '' }}
    check={required('reason')}
    send={({ reason }) => act(reason!.trim())}
    onClose={onClose}
  >
    <Field name="reason" label={t.approvals.rejectReason} lines={3} maxLength={240} isFirst />
  </FormDialog>
)
