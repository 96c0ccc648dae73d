import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { del, put, type Schemas, withId } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { can } from '../../core/session.ts'
import { Button, Page, Section, Trouble } from '../../parts/basics.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { Check, Choice, Field, type Options } from '../../parts/form.tsx'
import { useChange } from '../../parts/toasts.tsx'
import { ownTexts } from '../../parts/with-texts.tsx'
import type { DunningTexts } from '../../texts/dunning-pt.ts'

type Policy = Schemas['DunningPolicy']

let ours: DunningTexts

const { withTexts } = ownTexts(
  {
    en: async (): Promise<DunningTexts> => (await import('../../texts/dunning-en.ts')).dunningEn,
    'pt-BR': async () => (await import('../../texts/dunning-pt.ts')).dunningPt,
  },
  (texts) => {
    ours = texts
  },
)

const Dunning = () => {
  const query = useGet('/v1/dunning')
  const plans = useGet('/v1/plans', { query: { pageSize: 200 } }).data?.data ?? []
  const [edited, setEdited] = useState<Policy | null>(null)
  const { data } = query
  if (!data) return <Page title={t.nav.dunning} unread={query} rows={5} />
  const titleOf = ({ planId }: Policy) =>
    planId ? ours.plan(plans.find(({ id }) => id === planId)?.name ?? planId) : ours.company
  const ofCompany = { ...data.default, planId: null }
  const free = plans.filter(({ id }) => !data.plans.some(({ planId }) => planId === id))
  return (
    <Page title={t.nav.dunning} lead={ours.lead}>
      {[ofCompany, ...data.plans].map((policy) => (
        <PolicySection
          key={policy.planId}
          title={titleOf(policy)}
          of={policy}
          onEdit={() => setEdited(policy)}
        />
      ))}
      {can('subscriptions.manage') && free.length > 0 && (
        <PlanChoice of={free} onChoose={(planId) => setEdited({ ...data.default, planId })} />
      )}
      {edited && <PolicyDialog title={titleOf(edited)} of={edited} onClose={() => setEdited(null)} />}
    </Page>
  )
}

/** What happens to an invoice that is not paid: when it is tried again, and how it ends. */
export const DunningPage = withTexts(() => t.nav.dunning, Dunning)

const PolicySection = ({ title, of, onEdit }: { title: string; of: Policy; onEdit: () => void }) => (
  <Section
    title={title}
    note={of.enabled ? null : ours.off}
    actions={
      can('subscriptions.manage') && (
        <>
          <Button icon="edit" onClick={onEdit} text={t.common.edit} />
          {of.planId && <RemoveButton planId={of.planId} />}
        </>
      )
    }
  >
    <Course of={of} />
  </Section>
)

type PlanChoiceProps = { of: readonly Schemas['Plan'][]; onChoose: (planId: string) => void }

/** The plans on the company's policy; choosing one opens the form of a policy of its own. */
const PlanChoice = ({ of, onChoose }: PlanChoiceProps) => (
  <label class="switch">
    <span>{ours.addPlan}</span>
    <select
      value=""
      onChange={(event) => {
        const { value } = event.currentTarget
        if (value) onChoose(value)
        event.currentTarget.value = ''
      }}
    >
      <option value="">{ours.choose}</option>
      {of.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
)

/** The days of a policy, as a line from the due date to the end. */
const Course = ({ of }: { of: Policy }) => (
  <ol class={of.enabled ? 'course' : 'course off'}>
    <Stop name={t.boletos.dueDate}>{ours.dueText}</Stop>
    {of.enabled &&
      of.retryDays.map((days, n) => (
        <Stop key={days} name={ours.day(days)}>
          {ours.attempt(n + 2)}, {hourText(of.retryHour)}
        </Stop>
      ))}
    <Stop name={ours.finalAction[of.finalAction]} isEnd>
      {ours.finalText[of.finalAction]}
    </Stop>
  </ol>
)

type StopProps = { name: string; isEnd?: boolean; children: ComponentChildren }

const Stop = ({ name, isEnd = false, children }: StopProps) => (
  <li class={isEnd ? 'end' : undefined}>
    <strong>{name}</strong>
    <span class="hint">{children}</span>
  </li>
)

const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

const RemoveButton = ({ planId }: { planId: string }) => {
  const remove = useChange(() => del('/v1/dunning/plans/{id}', withId(planId)), ours.removed, '/v1/dunning')
  return (
    <>
      <ActionButton of={remove} tone="quiet" icon="trash" text={t.common.remove} />
      <Trouble of={remove.problem} />
    </>
  )
}

const hours: Options = Array.from({ length: 24 }, (_, n) => [String(n), hourText(n)])

const PolicyDialog = ({ title, of, onClose }: Closable & { title: string; of: Policy }) => (
  <FormDialog
    title={title}
    submit={t.common.save}
    values={{
      enabled: of.enabled ? 'true' : '',
      retryDays: of.retryDays.join(', '),
      finalAction: of.finalAction,
      retryHour: String(of.retryHour),
    }}
    check={({ retryDays }) => ({ retryDays: daysOf(retryDays!) === null ? ours.notDays : null })}
    send={({ enabled, retryDays, finalAction, retryHour }) =>
      put('/v1/dunning', {
        body: {
          planId: of.planId,
          enabled: enabled === 'true',
          retryDays: daysOf(retryDays!)!,
          finalAction: finalAction as Policy['finalAction'],
          retryHour: Number(retryHour),
        },
      })
    }
    changes="/v1/dunning"
    done={t.common.saved}
    onClose={onClose}
  >
    <Check name="enabled" label={ours.enabled} />
    <Field name="retryDays" label={ours.retryDays} hint={ours.retryDaysHint} inputMode="numeric" isFirst />
    <div class="form-row">
      <Choice name="retryHour" label={ours.hour} of={hours} />
      <Choice name="finalAction" label={ours.end} of={Object.entries(ours.finalAction)} />
    </div>
  </FormDialog>
)

/** Days in ascending order, such as "1, 3, 5"; null for another text. */
const daysOf = (text: string): number[] | null => {
  const days = text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number)
  const isFine =
    days.length > 0 &&
    days.every((day, n) => Number.isInteger(day) && day >= 1 && day <= 60 && (n === 0 || day > days[n - 1]!))
  return isFine ? days : null
}
