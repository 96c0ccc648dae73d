import { put, type Schemas } from '../../core/api.ts'
import { count } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { can, sessionStore } from '../../core/session.ts'
import { Page, Section } from '../../parts/basics.tsx'
import { Checks, listOf } from '../../parts/checks.tsx'
import { Figures } from '../../parts/facts.tsx'
import { Choice, Form, useForm } from '../../parts/form.tsx'
import { done } from '../../parts/toasts.tsx'

type Reminders = Schemas['Reminders']

/** When payers are reminded of what they are to pay, and how often that was done. */
export const RemindersPage = () => {
  const query = useGet('/v1/reminders')
  const { data } = query
  if (!data) return <Page title={t.nav.reminders} lead={t.reminders.lead} unread={query} rows={4} />
  return (
    <Page title={t.nav.reminders} lead={t.reminders.lead}>
      {!sessionStore.get()?.sendsMail && <p class="notice-line calm">{t.send.notSetUp}</p>}
      <Plan of={data} />
      <Section title={t.reminders.figures}>
        <Figures
          label={t.reminders.figures}
          of={[
            [t.reminders.sent, count(data.sent)],
            [t.reminders.reminded, count(data.reminded)],
            [t.reminders.unsubscribed, count(data.unsubscribed)],
          ]}
        />
        <p class="hint">{t.reminders.unsubscribedText}</p>
      </Section>
    </Page>
  )
}

const Plan = ({ of }: { of: Reminders }) => {
  const form = useForm({ days: of.days.join(), language: of.language }, async ({ days, language }) => {
    await put('/v1/reminders', {
      body: { days: listOf(days).map(Number), language: language as Reminders['language'] },
    })
    done(t.common.saved, '/v1/reminders')
  })
  return (
    <Section title={t.reminders.when}>
      <fieldset disabled={!can('company.manage')}>
        <Form of={form} submit={t.common.save}>
          <Checks
            name="days"
            label={t.reminders.days}
            hint={t.reminders.daysHint}
            of={offered(of.days).map((day) => [String(day), dayText(day)])}
          />
          <Choice name="language" label={t.send.language} of={Object.entries(t.reminders.languages)} />
        </Form>
      </fieldset>
    </Section>
  )
}

/** The usual days, and those that a program has set. */
const offered = (days: readonly number[]): readonly number[] =>
  [...new Set([-7, -3, -1, 0, 1, 3, 7, ...days])].sort((a, b) => a - b)

const dayText = (day: number): string => {
  if (day === 0) return t.reminders.onDueDate
  return day < 0 ? t.reminders.before(-day) : t.reminders.after(day)
}
