import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { can } from '../../core/session.ts'
import { Button, Loading, Page, Section, Trouble } from '../../parts/basics.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Check, Choice, Field, Form, useForm } from '../../parts/form.tsx'
import { announce } from '../../parts/toasts.tsx'

type Policy = Schemas['DunningPolicy']

/** What happens to an invoice that is not paid: when it is tried again, and how it ends. */
export const DunningPage = () => {
  const { data, problem, refresh: again } = useGet('/v1/dunning')
  const plans = useGet('/v1/plans', { query: { pageSize: 200 } })
  const [edited, setEdited] = useState<{ policy: Policy; planId: string | null } | null>(null)
  const isManager = can('subscriptions.manage')
  if (!data)
    return (
      <Page title={t.nav.dunning}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={5} />}
      </Page>
    )
  const nameOf = (planId: string | null) =>
    plans.data?.data.find(({ id }) => id === planId)?.name ?? planId ?? ''
  const free = (plans.data?.data ?? []).filter(({ id }) => !data.plans.some(({ planId }) => planId === id))
  return (
    <Page title={t.nav.dunning} lead={t.dunning.lead}>
      <Section
        title={t.dunning.company}
        note={data.default.enabled ? null : t.dunning.off}
        actions={
          isManager && (
            <Button icon="edit" onClick={() => setEdited({ policy: data.default, planId: null })}>
              {t.common.edit}
            </Button>
          )
        }
      >
        <Course of={data.default} />
      </Section>
      {data.plans.map((policy) => (
        <Section
          key={policy.planId}
          title={t.dunning.plan(nameOf(policy.planId))}
          note={policy.enabled ? null : t.dunning.off}
          actions={
            isManager && (
              <>
                <Button icon="edit" onClick={() => setEdited({ policy, planId: policy.planId })}>
                  {t.common.edit}
                </Button>
                <RemoveButton planId={policy.planId!} />
              </>
            )
          }
        >
          <Course of={policy} />
        </Section>
      ))}
      {isManager && free.length > 0 && (
        <label class="switch">
          <span>{t.dunning.addPlan}</span>
          <select
            value=""
            onChange={(event) => {
              const { value } = event.currentTarget
              if (value) setEdited({ policy: { ...data.default, planId: value }, planId: value })
              event.currentTarget.value = ''
            }}
          >
            <option value="">{t.dunning.choose}</option>
            {free.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {edited && (
        <PolicyDialog
          {...edited}
          title={edited.planId ? t.dunning.plan(nameOf(edited.planId)) : t.dunning.company}
          onClose={() => setEdited(null)}
        />
      )}
    </Page>
  )
}

/** The days of a policy, as a line from the due date to the end. */
const Course = ({ of }: { of: Policy }) => (
  <ol class={of.enabled ? 'course' : 'course off'}>
    <li>
      <strong>{t.dunning.due}</strong>
      <span class="hint">{t.dunning.dueText}</span>
    </li>
    {of.enabled &&
      of.retryDays.map((days, n) => (
        <li key={days}>
          <strong>{t.dunning.day(days)}</strong>
          <span class="hint">
            {t.dunning.attempt(n + 2)}, {String(of.retryHour).padStart(2, '0')}:00
          </span>
        </li>
      ))}
    <li class="end">
      <strong>{t.dunning.finalAction[of.finalAction]}</strong>
      <span class="hint">{t.dunning.finalText[of.finalAction]}</span>
    </li>
  </ol>
)

const RemoveButton = ({ planId }: { planId: string }) => {
  const { run, isBusy, problem } = useAction(async () => {
    await dataOf(api.DELETE('/v1/dunning/plans/{id}', { params: { path: { id: planId } } }))
    refresh('/v1/dunning')
    announce(t.dunning.removed)
  })
  return (
    <>
      <Button tone="quiet" icon="trash" isBusy={isBusy} onClick={() => void run()}>
        {t.common.remove}
      </Button>
      <Trouble of={problem} />
    </>
  )
}

const PolicyDialog = ({
  policy,
  planId,
  title,
  onClose,
}: {
  policy: Policy
  planId: string | null
  title: string
  onClose: () => void
}) => {
  const form = useForm(
    {
      enabled: policy.enabled ? 'true' : '',
      retryDays: policy.retryDays.join(', '),
      finalAction: policy.finalAction,
      retryHour: String(policy.retryHour),
    },
    async (values) => {
      await dataOf(
        api.PUT('/v1/dunning', {
          body: {
            planId,
            enabled: values.enabled === 'true',
            retryDays: daysOf(values.retryDays!)!,
            finalAction: values.finalAction as Policy['finalAction'],
            retryHour: Number(values.retryHour),
          },
        }),
      )
      refresh('/v1/dunning')
      announce(t.common.saved)
      onClose()
    },
    ({ retryDays }) => ({ retryDays: daysOf(retryDays!) === null ? t.dunning.notDays : null }),
  )
  return (
    <Dialog title={title} onClose={onClose}>
      <Form of={form} submit={t.common.save} onCancel={onClose}>
        <Check form={form} name="enabled" label={t.dunning.enabled} />
        <Field
          form={form}
          name="retryDays"
          label={t.dunning.retryDays}
          hint={t.dunning.retryDaysHint}
          inputMode="numeric"
          isFirst
        />
        <div class="form-row">
          <Choice
            form={form}
            name="retryHour"
            label={t.dunning.hour}
            of={Array.from(
              { length: 24 },
              (_, n) => [String(n), `${String(n).padStart(2, '0')}:00`] as const,
            )}
          />
          <Choice
            form={form}
            name="finalAction"
            label={t.dunning.end}
            of={Object.entries(t.dunning.finalAction)}
          />
        </div>
      </Form>
    </Dialog>
  )
}

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
