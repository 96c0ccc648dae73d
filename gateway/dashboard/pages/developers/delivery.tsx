import { useEffect } from 'preact/hooks'
import { post, type Schemas, withId } from '../../core/api.ts'
import { now } from '../../core/clock.ts'
import { count } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useAction, useGet } from '../../core/query.ts'
import { navigate, pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Ago, Copy, Moment, Page, Section, Trouble } from '../../parts/basics.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { codePairs, copyable, FactSection, instant, linkTo, SplitPage } from '../../parts/facts.tsx'
import { Status } from '../../parts/labels.tsx'
import { done } from '../../parts/toasts.tsx'
import { hasEnded, resultText } from './deliveries.tsx'

type Detail = Schemas['DeliveryDetail']

/** One delivery: what is sent, and every attempt with its answer. */
export const DeliveryPage = ({ id }: { id: string }) => {
  const query = useGet('/v1/webhooks/deliveries/{id}', { path: { id } })
  const { data, problem, poll } = query
  useEffect(() => {
    if (data === null || hasEnded(data)) return
    const dueInMs = data.nextAttemptAt === null ? 0 : Date.parse(data.nextAttemptAt) - now()
    const timer = setTimeout(poll, Math.min(Math.max(dueInMs, 1000), 60_000))
    return () => clearTimeout(timer)
  }, [data])
  const resend = useAction(async () => {
    const made = await post('/v1/webhooks/deliveries/{id}/resend', withId(id))
    done(t.deliveries.resent('1'), '/v1/webhooks')
    navigate(pathTo(`entregas/${made.id}`))
  })
  const back = { href: pathTo('entregas'), text: t.nav.deliveries }
  if (problem || !data) return <Page title={t.deliveries.one} back={back} unread={query} />
  return (
    <Page
      back={back}
      title={<code>{data.type}</code>}
      status={<Status is={data.status} />}
      lead={<Copy text={data.id} isShort />}
      actions={
        hasEnded(data) &&
        can('webhooks.manage') && <ActionButton of={resend} icon="forward" text={t.deliveries.resend} />
      }
    >
      <Trouble of={resend.problem} />
      <SplitPage
        side={
          <>
            <DeliveryFacts of={data} />
            <FactSection title={t.deliveries.headers} of={codePairs(data.requestHeaders)} />
          </>
        }
      >
        <Attempts of={data} />
        <Section title={t.deliveries.body}>
          <pre class="code">{pretty(data.body)}</pre>
        </Section>
      </SplitPage>
    </Page>
  )
}

const Attempts = ({ of: { attempts, nextAttemptAt } }: { of: Detail }) => (
  <Section
    title={t.webhooks.attempts}
    note={
      nextAttemptAt && (
        <>
          {t.deliveries.next} <Ago at={nextAttemptAt} />
        </>
      )
    }
  >
    {attempts.length === 0 && <p class="hint">{t.deliveries.noAttempt}</p>}
    <ol class="timeline">
      {attempts.toReversed().map(({ number, startedAt, latencyMs, statusCode, error, snippet }) => (
        <li key={number}>
          <div class="timeline-head">
            <strong>
              {t.deliveries.attempt(number)} · {resultText(statusCode, error)}
            </strong>
            <span class="hint">
              <Moment at={startedAt} style="exact" /> · {count(latencyMs)} ms
            </span>
          </div>
          {snippet && <pre class="code">{snippet}</pre>}
        </li>
      ))}
    </ol>
  </Section>
)

const DeliveryFacts = ({ of }: { of: Detail }) => (
  <FactSection
    of={[
      [t.hooks.one, linkTo(of.endpointId, of.attempts.at(-1)?.url ?? of.endpointId)],
      [
        t.deliveries.object,
        of.objectId.startsWith('txn_') ? linkTo(of.objectId, of.objectId) : copyable(of.objectId),
      ],
      [t.webhooks.event, copyable(of.eventId)],
      [t.deliveries.resendOf, linkTo(of.resendOf)],
      [t.common.createdAt, instant(of.createdAt)],
    ]}
  />
)

const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
