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
import { ownTexts } from '../../parts/with-texts.tsx'
import type { RemindersTexts } from '../../texts/reminders-pt.ts'

type Reminders = Schemas['Reminders']

let ours: RemindersTexts

const { withTexts } = ownTexts(
  {
    en: async (): Promise<RemindersTexts> => (await import('../../texts/reminders-en.ts')).remindersEn,
    'pt-BR': async () => (await import('../../texts/reminders-pt.ts')).remindersPt,
  },
  (texts) => {
    ours = texts
  },
)

const ReminderPlan = () => {
  const query = useGet('/v1/reminders')
  const { data } = query
  if (!data) return <Page title={t.nav.reminders} lead={ours.lead} unread={query} rows={4} />
  return (
    <Page title={t.nav.reminders} lead={ours.lead}>
      {!sessionStore.get()?.sendsMail && <p class="notice-line calm">{t.send.notSetUp}</p>}
      <Plan of={data} />
      <Section title={ours.figures}>
        <Figures
          label={ours.figures}
          of={[
            [ours.sent, count(data.sent)],
            [ours.reminded, count(data.reminded)],
            [ours.unsubscribed, count(data.unsubscribed)],
          ]}
        />
        <p class="hint">{ours.unsubscribedText}</p>
      </Section>
    </Page>
  )
}

/** When payers are reminded of what they are to pay, and how often that was done. */
export const RemindersPage = withTexts(() => t.nav.reminders, ReminderPlan)

const Plan = ({ of }: { of: Reminders }) => {
  const form = useForm({ days: of.days.join(), language: of.language }, async ({ days, language }) => {
    await put('/v1/reminders', {
      body: { days: listOf(days).map(Number), language: language as Reminders['language'] },
    })
    done(t.common.saved, '/v1/reminders')
  })
  return (
    <Section title={ours.when}>
      <fieldset disabled={!can('company.manage')}>
        <Form of={form} submit={t.common.save}>
          <Checks
            name="days"
            label={ours.days}
            hint={ours.daysHint}
            of={offered(of.days).map((day) => [String(day), dayText(day)])}
          />
          <Choice name="language" label={t.send.language} of={Object.entries(t.send.languages)} />
        </Form>
      </fieldset>
    </Section>
  )
}

/** The usual days, and those that a program has set. */
const offered = (days: readonly number[]): readonly number[] =>
  [...new Set([-7, -3, -1, 0, 1, 3, 7, ...days])].sort((a, b) => a - b)

const dayText = (day: number): string => {
  if (day === 0) return ours.onDueDate
  return day < 0 ? ours.before(-day) : ours.after(day)
}
