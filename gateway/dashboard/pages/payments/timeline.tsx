import type { Schemas } from '../../core/api.ts'
import { count, money, shortId } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { Actor } from '../../parts/actor.tsx'
import { Moment, Section } from '../../parts/basics.tsx'
import { Json } from '../../parts/json.tsx'
import { Status } from '../../parts/labels.tsx'

type Detail = Pick<Schemas['TransactionDetail'], 'events' | 'currency'>

/** The steps of a transaction, newest first: what happened, in a sentence, and who caused it. */
export const Timeline = ({ of: { events, currency } }: { of: Detail }) => (
  <Section title={t.transactions.timeline}>
    <ol class="timeline">
      {events.toReversed().map(({ id, type, status, actor, at, data }) => (
        <li key={id}>
          <div class="timeline-head">
            <strong>{wordOf(t.timeline, type)}</strong>
            <Status is={status} of="transaction" />
          </div>
          {said(type, data, currency) && <p>{said(type, data, currency)}</p>}
          <p class="hint">
            <Moment at={at} style="exact" /> · <Actor of={actor} />
          </p>
          {Object.keys(data).length > 0 && (
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

type Data = Schemas['TimelineStep']['data']

/** What is worth saying of a step beside its name; null where the name says it all. */
const said = (type: string, data: Data, currency: string): string | null => {
  const say = (t.step as Readonly<Record<string, (facts: StepFacts) => string>>)[type]
  return say === undefined ? null : say(factsOf(data, currency))
}

type StepFacts = Readonly<Record<string, string>>

/** The details of a step as people read them. */
const factsOf = (data: Data, currency: string): StepFacts =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, factText(name, value, data, currency)]),
  )

const factText = (name: string, value: unknown, { asset }: Data, currency: string): string => {
  const text = String(value)
  if (name === 'amount' || name === 'paidAmount') return money(text, asset ? String(asset) : currency)
  if (name === 'confirmations') return count(Number(text))
  if (name === 'txHash') return shortId(text)
  const words = wordsOf(name)
  return words === undefined ? text : wordOf(words, text)
}

/** The words for the values of a detail that has few of them. */
const wordsOf = (name: string): object | undefined =>
  ({
    failureReason: t.refundFailure,
    lostReason: t.lostReason,
    operation: t.providerOperation,
    purpose: t.send.purpose,
    result: t.medResult,
    returnReason: t.returnReason,
  })[name]

/** A word of a table; what a newer service knows is shown by its name. */
const wordOf = (words: object, name: string): string =>
  (words as Readonly<Record<string, string>>)[name] ?? name
