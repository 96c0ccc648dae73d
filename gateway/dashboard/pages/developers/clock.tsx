import { clockOffsetMs, useNow } from '../../core/clock.ts'
import { moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { Facts, Page, Section, Trouble } from '../../parts/basics.tsx'
import { Scenarios } from '../../parts/sandbox-bar.tsx'
import { SandboxForm } from '../../parts/sandbox-forms.tsx'

/** The Sandbox: its clock, what can be made to happen, and the values that force outcomes. */
export const SandboxPage = () => {
  const clock = useGet('/v1/sandbox/clock', { isBackground: true })
  const now = useNow()
  const guide = t.sandboxGuide
  return (
    <Page title={t.nav.clock} lead={t.sandbox.lead}>
      <Trouble of={clock.problem} retry={clock.refresh} />
      <div class="cards">
        <Section title={t.sandbox.clock}>
          <Facts
            of={[
              [t.sandbox.virtual, moment(now, 'exact')],
              [t.sandbox.real, moment(now - clockOffsetMs(), 'exact')],
            ]}
          />
          <p class="hint">{t.sandbox.clockText}</p>
          <SandboxForm kind="clock" />
        </Section>
        <Section title={t.sandbox.event}>
          <p class="hint">{t.sandbox.eventText}</p>
          <SandboxForm kind="event" />
        </Section>
        <Section title={t.sandbox.incoming}>
          <p class="hint">{t.sandbox.incomingText}</p>
          <SandboxForm kind="pix" />
        </Section>
        <Section title={t.sandbox.rows}>
          <p class="hint">{t.sandbox.rowsText}</p>
          <SandboxForm kind="rows" />
        </Section>
      </div>
      <Section title={t.sandbox.force}>
        <Scenarios title={t.sandbox.scenarios} note={t.sandbox.scenariosText} rows={guide.scenarios} />
        <Scenarios title={t.sandbox.tokens} note={t.sandbox.tokensText} rows={guide.tokens} />
        <Scenarios title={t.sandbox.documents} note={t.sandbox.documentsText} rows={guide.documents} />
      </Section>
    </Page>
  )
}
