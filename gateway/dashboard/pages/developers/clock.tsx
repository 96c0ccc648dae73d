import { clockOffsetMs, useNow } from '../../core/clock.ts'
import { moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { Facts, Page, Section, Trouble } from '../../parts/basics.tsx'
import { SandboxGuide } from '../../parts/sandbox-bar.tsx'
import { leverHeads, SandboxForm } from '../../parts/sandbox-forms.tsx'

/** The Sandbox: its clock, what can be made to happen, and the values that force outcomes. */
export const SandboxPage = () => {
  const clock = useGet('/v1/sandbox/clock', { isBackground: true })
  const nowMs = useNow()
  return (
    <Page title={t.nav.clock} lead={t.sandbox.lead}>
      <Trouble of={clock.problem} retry={clock.refresh} />
      <div class="cards">
        {(['clock', 'event', 'pix', 'rows'] as const).map((kind) => {
          const [title, text] = leverHeads()[kind]
          return (
            <Section key={kind} title={title}>
              {kind === 'clock' && (
                <Facts
                  of={[
                    [t.sandbox.virtual, moment(nowMs, 'exact')],
                    [t.sandbox.real, moment(nowMs - clockOffsetMs(), 'exact')],
                  ]}
                />
              )}
              <p class="hint">{text}</p>
              <SandboxForm kind={kind} />
            </Section>
          )
        })}
      </div>
      <Section title={t.sandbox.force}>
        <SandboxGuide />
      </Section>
    </Page>
  )
}
