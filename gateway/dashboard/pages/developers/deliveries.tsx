import { useEffect, useState } from 'preact/hooks'
import { post, type Schemas, withId } from '../../core/api.ts'
import { clockMs } from '../../core/clock.ts'
import { count } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useAction, useGet } from '../../core/query.ts'
import { navigate, pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Ago, Button, Copy, Empty, LinkButton, Moment, Page, Section, Trouble } from '../../parts/basics.tsx'
import { type BulkAct, bulkOf } from '../../parts/bulk.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { codePairs, copyable, FactSection, instant, linkTo, SplitPage } from '../../parts/facts.tsx'
import { choices, period, statusFilter, textFilter } from '../../parts/filter.ts'
import { Json } from '../../parts/json.tsx'
import { optionsOf, Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { eventTypes } from '../../parts/sandbox-forms.tsx'
import { momentColumn, statusColumn } from '../../parts/table.tsx'
import { done } from '../../parts/toasts.tsx'

type Delivery = Schemas['Delivery']

const statuses = ['PENDING', 'RETRYING', 'SUCCEEDED', 'EXHAUSTED', 'CANCELLED'] as const
/** The statuses from which a delivery can be sent again. */
const finished = ['SUCCEEDED', 'EXHAUSTED', 'CANCELLED'] as const
const narrowing = ['endpointId', 'status', 'type', 'objectId', 'statusClass', 'error', 'from', 'to']
const several = ['status', 'type', 'statusClass', 'error']

/** Whether a delivery has ended: no attempt follows by itself. */
export const isOver = ({ status }: Pick<Delivery, 'status'>): boolean =>
  finished.some((one) => one === status)

/** Deliveries to all endpoints; the exhausted ones are the queue of failures. */
export const Deliveries = () => {
  const filters = useFilters()
  const [isConfirming, setConfirming] = useState(false)
  const resend = async () => {
    const chosen = narrowing
      .map((name) => [name, several.includes(name) ? filters.list(name) : filters.get(name)] as const)
      .filter(([, value]) => value.length > 0)
    const ended = finished.filter((status) => filters.list('status').includes(status))
    const status = ended.length > 0 ? ended : ['EXHAUSTED' as const]
    const body = { ...Object.fromEntries(chosen), status }
    const { count: many } = await post('/v1/webhooks/deliveries/resend', { body })
    done(t.deliveries.resent(count(many)), '/v1/webhooks')
  }
  return (
    <Page
      title={t.nav.deliveries}
      lead={t.deliveries.lead}
      actions={
        <>
          <LinkButton href={pathTo('entregas?status=EXHAUSTED')} text={t.deliveries.failures} />
          {can('webhooks.manage') && (
            <Button icon="forward" onClick={() => setConfirming(true)} text={t.deliveries.resendAll} />
          )}
        </>
      }
    >
      <DeliveryList />
      {isConfirming && (
        <AskDialog
          title={t.deliveries.resendAll}
          text={t.deliveries.resendAllText}
          action={t.deliveries.resend}
          tone="main"
          act={resend}
          onClose={() => setConfirming(false)}
        />
      )}
    </Page>
  )
}

/** Deliveries with their filters, of all endpoints or of one. */
export const DeliveryList = ({ fixed = {} }: { fixed?: Readonly<Record<string, string>> }) => {
  const query = useList(
    '/v1/webhooks/deliveries',
    narrowing.filter((name) => !(name in fixed)),
    fixed,
  )
  const endpoints = useGet('/v1/webhooks/endpoints').data?.data ?? []
  const isOfAll = !fixed.endpointId
  return (
    <List
      label={t.nav.deliveries}
      query={query}
      {...bulkOf(can('webhooks.manage') ? [resendSelected()] : [])}
      hrefOf={({ id }) => pathTo(`entregas/${id}`)}
      nameOf={({ type, id }) => `${type} ${id}`}
      filterBy={[
        statusFilter(statuses, 'delivery'),
        choices(
          'type',
          t.webhooks.event,
          optionsOf(eventTypes, (type) => type),
        ),
        isOfAll &&
          choices(
            'endpointId',
            t.hooks.one,
            endpoints.map(({ id, url }) => ({ value: id, text: url })),
            true,
          ),
        choices(
          'statusClass',
          t.deliveries.answer,
          optionsOf(['2xx', '3xx', '4xx', '5xx'], (one) => one),
        ),
        textFilter('objectId', t.deliveries.object, t.deliveries.objectHint),
        period,
      ]}
      columns={[
        ['type', t.webhooks.event, (row) => <EventCell of={row} />],
        statusColumn('delivery'),
        isOfAll && [
          'url',
          t.hooks.one,
          ({ endpointId }) => (
            <span class="who">
              <span>{endpoints.find(({ id }) => id === endpointId)?.url ?? endpointId}</span>
            </span>
          ),
          'wide',
        ],
        ['answer', t.deliveries.answer, (row) => resultText(row.lastStatusCode, row.lastError), 'medium'],
        ['attempts', t.webhooks.attempts, ({ attemptCount }) => attemptCount, 'wide'],
        momentColumn('createdAt', t.common.createdAt, 'end'),
      ]}
      empty={
        <Empty
          icon="send"
          title={t.deliveries.none}
          text={t.deliveries.noneText}
          actions={<LinkButton href={pathTo('webhooks')} text={t.nav.webhooks} />}
        />
      }
    />
  )
}

const resendSelected = (): BulkAct<Delivery> => ({
  text: t.bulk.resend,
  icon: 'forward',
  lead: t.bulk.resendLead,
  tone: 'main',
  fits: isOver,
  act: ({ id }) => post('/v1/webhooks/deliveries/{id}/resend', withId(id)),
  changes: '/v1/webhooks',
})

const EventCell = ({ of: { type, objectId } }: { of: Delivery }) => (
  <span class="who wide">
    <code>{type}</code>
    <small class="sub">{objectId}</small>
  </span>
)

/** The endpoint's status code, or the error that left none. */
export const resultText = (statusCode: number | null, error: Schemas['DeliveryError'] | null) =>
  statusCode ?? (error === null ? '–' : t.deliveries.error[error])

type Detail = Schemas['DeliveryDetail']

/** One delivery: what is sent, and every attempt with its answer. */
export const DeliveryPage = ({ id }: { id: string }) => {
  const query = useGet('/v1/webhooks/deliveries/{id}', { path: { id } })
  const { data, problem, poll } = query
  useEffect(() => {
    if (data === null || isOver(data)) return
    const dueInMs = data.nextAttemptAt === null ? 0 : Date.parse(data.nextAttemptAt) - clockMs()
    const timer = setTimeout(poll, Math.min(Math.max(dueInMs, 1000), 60_000))
    return () => clearTimeout(timer)
  }, [data])
  const resend = useAction(async () => {
    const made = await post('/v1/webhooks/deliveries/{id}/resend', withId(id))
    done(t.deliveries.resent('1'), '/v1/webhooks')
    navigate(pathTo(`entregas/${made.id}`))
  })
  const retry = useAction(async () => {
    await post('/v1/webhooks/deliveries/{id}/retry', withId(id))
    done(t.deliveries.retried, '/v1/webhooks')
  })
  const back = { href: pathTo('entregas'), text: t.nav.deliveries }
  if (problem || !data) return <Page title={t.deliveries.one} back={back} unread={query} />
  return (
    <Page
      back={back}
      title={<code>{data.type}</code>}
      status={<Status is={data.status} of="delivery" />}
      lead={<Copy text={data.id} isShort />}
      actions={
        can('webhooks.manage') &&
        (isOver(data) ? (
          <ActionButton of={resend} icon="forward" text={t.deliveries.resend} />
        ) : (
          <ActionButton of={retry} icon="forward" text={t.deliveries.retry} />
        ))
      }
    >
      <Trouble of={resend.problem ?? retry.problem} />
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
          <Json of={data.body} label={t.deliveries.body} />
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
          {t.common.next} <Ago at={nextAttemptAt} />
        </>
      )
    }
  >
    {attempts.length === 0 && <p class="hint">{t.deliveries.noAttempt}</p>}
    {attempts.length > 0 && nextAttemptAt && <p class="hint">{t.deliveries.isRetried}</p>}
    <ol class="timeline">
      {attempts
        .toReversed()
        .map(({ number, startedAt, latencyMs, statusCode, error, snippet, signature }) => (
          <li key={number} class={isTaken(statusCode) ? undefined : 'failed'}>
            <div class="timeline-head">
              <strong>
                {t.deliveries.attempt(number)} · {resultText(statusCode, error)}
              </strong>
              <span class="hint">
                <Moment at={startedAt} style="exact" /> · {count(latencyMs)} ms
              </span>
            </div>
            {signature && (
              <p class="hint signature">
                Service-Signature <Copy text={signature} label="Service-Signature" />
              </p>
            )}
            {snippet && <Json of={snippet} label={t.deliveries.answer} />}
          </li>
        ))}
    </ol>
  </Section>
)

const isTaken = (statusCode: number | null): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300

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
