import { useEffect, useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { now } from '../../core/clock.ts'
import { count } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { navigate, pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import {
  Ago,
  Button,
  Copy,
  Empty,
  Facts,
  Loading,
  Moment,
  Page,
  Section,
  Trouble,
} from '../../parts/basics.tsx'
import { optionsOf, Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { eventTypes } from '../../parts/sandbox-forms.tsx'
import { announce } from '../../parts/toasts.tsx'

type Delivery = Schemas['Delivery']

const statuses = ['PENDING', 'RETRYING', 'SUCCEEDED', 'EXHAUSTED', 'CANCELLED'] as const
const narrowing = ['endpointId', 'status', 'type', 'objectId', 'statusClass', 'error', 'from', 'to']

/** Deliveries to all endpoints; those that were given up are the queue of failures. */
export const Deliveries = () => {
  const filters = useFilters()
  const [isConfirming, setConfirming] = useState(false)
  const chosen = Object.fromEntries(
    narrowing
      .map(
        (name) =>
          [
            name,
            ['status', 'type', 'statusClass', 'error'].includes(name)
              ? filters.list(name)
              : filters.get(name),
          ] as const,
      )
      .filter(([, value]) => value.length > 0),
  )
  return (
    <Page
      title={t.nav.deliveries}
      lead={t.deliveries.lead}
      actions={
        <>
          <a class="button plain" href={pathTo('entregas?status=EXHAUSTED')}>
            {t.deliveries.failures}
          </a>
          {can('webhooks.manage') && (
            <Button icon="forward" onClick={() => setConfirming(true)}>
              {t.deliveries.resendAll}
            </Button>
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
          act={async () => {
            const ended = finished.filter((status) => filters.list('status').includes(status))
            const { count: many } = await dataOf(
              api.POST('/v1/webhooks/deliveries/resend', {
                body: { ...chosen, status: ended.length > 0 ? ended : ['EXHAUSTED' as const] },
              }),
            )
            refresh('/v1/webhooks')
            announce(t.deliveries.resent(count(many)))
          }}
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
  const endpoints = useGet('/v1/webhooks/endpoints')
  const urlOf = (id: string) => endpoints.data?.data.find((one) => one.id === id)?.url ?? id
  return (
    <List
      label={t.nav.deliveries}
      query={query}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => pathTo(`entregas/${id}`)}
      nameOf={({ type, id }) => `${type} ${id}`}
      filterBy={[
        {
          kind: 'choices',
          name: 'status',
          title: t.common.status,
          options: optionsOf(statuses, (status) => t.deliveries.status[status]),
        },
        {
          kind: 'choices',
          name: 'type',
          title: t.webhooks.event,
          options: optionsOf(eventTypes, (type) => type),
        },
        ...(fixed.endpointId
          ? []
          : [
              {
                kind: 'choices',
                name: 'endpointId',
                title: t.hooks.one,
                isSingle: true,
                options: (endpoints.data?.data ?? []).map(({ id, url }) => ({ value: id, text: url })),
              } as const,
            ]),
        {
          kind: 'choices',
          name: 'statusClass',
          title: t.deliveries.answer,
          options: optionsOf(['2xx', '3xx', '4xx', '5xx'], (one) => one),
        },
        { kind: 'text', name: 'objectId', title: t.deliveries.object, hint: t.deliveries.objectHint },
        { kind: 'period' },
      ]}
      columns={[
        {
          id: 'type',
          title: t.webhooks.event,
          cell: ({ type, objectId }) => (
            <span class="who wide">
              <code>{type}</code>
              <small class="sub">{objectId}</small>
            </span>
          ),
        },
        { id: 'status', title: t.common.status, cell: ({ status }) => <Status is={status} /> },
        ...(fixed.endpointId
          ? []
          : [
              {
                id: 'url',
                title: t.hooks.one,
                from: 'wide' as const,
                cell: ({ endpointId }: Delivery) => (
                  <span class="who">
                    <span>{urlOf(endpointId)}</span>
                  </span>
                ),
              },
            ]),
        {
          id: 'answer',
          title: t.deliveries.answer,
          from: 'medium',
          cell: ({ lastStatusCode, lastError }) =>
            lastStatusCode ?? (lastError ? (t.deliveries.error[lastError] ?? lastError) : '–'),
        },
        {
          id: 'attempts',
          title: t.webhooks.attempts,
          from: 'medium',
          cell: ({ attemptCount }) => attemptCount,
        },
        {
          id: 'at',
          title: t.common.createdAt,
          align: 'end',
          from: 'medium',
          cell: ({ createdAt }) => <Moment at={createdAt} />,
        },
      ]}
      empty={
        <Empty
          icon="send"
          title={t.deliveries.none}
          actions={
            <a class="button plain" href={pathTo('webhooks')}>
              {t.nav.webhooks}
            </a>
          }
        >
          {t.deliveries.noneText}
        </Empty>
      }
    />
  )
}

/** One delivery: what is sent, and every attempt with its answer. */
export const DeliveryPage = ({ id }: { id: string }) => {
  const { data, problem, refresh: again, poll } = useGet('/v1/webhooks/deliveries/{id}', { path: { id } })
  useEffect(() => {
    if (data === null || finished.some((status) => status === data.status)) return
    const dueInMs = data.nextAttemptAt === null ? 0 : Date.parse(data.nextAttemptAt) - now()
    const timer = setTimeout(poll, Math.min(Math.max(dueInMs, 1000), 60_000))
    return () => clearTimeout(timer)
  }, [data])
  const resend = useAction(async () => {
    const made = await dataOf(api.POST('/v1/webhooks/deliveries/{id}/resend', { params: { path: { id } } }))
    refresh('/v1/webhooks')
    announce(t.deliveries.resent('1'))
    navigate(pathTo(`entregas/${made.id}`))
  })
  const back = { href: pathTo('entregas'), text: t.nav.deliveries }
  if (problem || !data)
    return (
      <Page title={t.deliveries.one} back={back}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={6} />}
      </Page>
    )
  const hasEnded = finished.some((status) => status === data.status)
  return (
    <Page
      back={back}
      title={
        <>
          <code>{data.type}</code> <Status is={data.status} />
        </>
      }
      lead={<Copy text={data.id} isShort />}
      actions={
        hasEnded &&
        can('webhooks.manage') && (
          <Button icon="forward" isBusy={resend.isBusy} onClick={() => void resend.run()}>
            {t.deliveries.resend}
          </Button>
        )
      }
    >
      <Trouble of={resend.problem} />
      <div class="split-page">
        <div>
          <Section
            title={t.webhooks.attempts}
            note={
              data.nextAttemptAt && (
                <>
                  {t.deliveries.next} <Ago at={data.nextAttemptAt} />
                </>
              )
            }
          >
            {data.attempts.length === 0 && <p class="hint">{t.deliveries.noAttempt}</p>}
            <ol class="timeline">
              {data.attempts
                .toReversed()
                .map(({ number, startedAt, latencyMs, statusCode, error, snippet }) => (
                  <li key={number}>
                    <div class="timeline-head">
                      <strong>
                        {t.deliveries.attempt(number)} ·{' '}
                        {statusCode ?? (error ? (t.deliveries.error[error] ?? error) : '–')}
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
          <Section title={t.deliveries.body}>
            <pre class="code">{pretty(data.body)}</pre>
          </Section>
        </div>
        <aside class="facts-side">
          <Section title={t.transactions.details}>
            <Facts
              of={[
                [
                  t.hooks.one,
                  <a key="endpoint" href={pathTo(`webhooks/${data.endpointId}`)}>
                    {data.attempts.at(-1)?.url ?? data.endpointId}
                  </a>,
                ],
                [
                  t.deliveries.object,
                  data.objectId.startsWith('txn_') ? (
                    <a key="object" href={pathTo(`transacoes/${data.objectId}`)}>
                      {data.objectId}
                    </a>
                  ) : (
                    <Copy key="object" text={data.objectId} isShort />
                  ),
                ],
                [t.webhooks.event, <Copy key="event" text={data.eventId} isShort />],
                [
                  t.deliveries.resendOf,
                  data.resendOf && (
                    <a key="of" href={pathTo(`entregas/${data.resendOf}`)}>
                      {t.common.open}
                    </a>
                  ),
                ],
                [t.common.createdAt, <Moment key="at" at={data.createdAt} />],
              ]}
            />
          </Section>
          <Section title={t.deliveries.headers}>
            <Facts
              of={Object.entries(data.requestHeaders).map(
                ([name, value]) => [name, <code key={name}>{String(value)}</code>] as const,
              )}
            />
          </Section>
        </aside>
      </div>
    </Page>
  )
}

const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** Only these are sent again. */
const finished = ['SUCCEEDED', 'EXHAUSTED', 'CANCELLED'] as const
