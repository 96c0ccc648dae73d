import type { Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { Actor } from '../../parts/actor.tsx'
import { Moment, Section } from '../../parts/basics.tsx'
import { Json } from '../../parts/json.tsx'
import { Status } from '../../parts/labels.tsx'

/** The steps of a transaction, newest first, with who caused each. */
export const Timeline = ({ of }: { of: readonly Schemas['TimelineStep'][] }) => (
  <Section title={t.transactions.timeline}>
    <ol class="timeline">
      {of.toReversed().map(({ id, type, status, actor, at, data }) => (
        <li key={id}>
          <div class="timeline-head">
            <strong>{stepText(type)}</strong>
            <Status is={status} of="transaction" />
          </div>
          <p class="hint">
            <Moment at={at} style="exact" /> · <Actor of={actor} />
          </p>
          {type === 'ChargeSent' && <p class="hint">{sentText(data)}</p>}
          {type !== 'ChargeSent' && Object.keys(data).length > 0 && (
            <details>
              <summary>{t.common.details}</summary>
              <Json of={data} label={t.common.details} />
            </details>
          )}
        </li>
      ))}
    </ol>
  </Section>
)

const sentText = ({ to, purpose }: Schemas['TimelineStep']['data']): string =>
  t.send.to(String(to), t.send.purpose[purpose as keyof typeof t.send.purpose])

/** A step in words; one that a newer service knows is shown by its name. */
const stepText = (type: string): string => (t.timeline as Readonly<Record<string, string>>)[type] ?? type
