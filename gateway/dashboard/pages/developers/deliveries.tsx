import { useState } from 'preact/hooks'
import { post, type Schemas } from '../../core/api.ts'
import { count } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Button, Empty, LinkButton, Page } from '../../parts/basics.tsx'
import { choices, period, statusFilter, textFilter } from '../../parts/filter.ts'
import { optionsOf } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { eventTypes } from '../../parts/sandbox-forms.tsx'
import { momentColumn, statusColumn } from '../../parts/table.tsx'
import { done } from '../../parts/toasts.tsx'

type Delivery = Schemas['Delivery']

const statuses = ['PENDING', 'RETRYING', 'SUCCEEDED', 'EXHAUSTED', 'CANCELLED'] as const
/** Only these are sent again. */
const finished = ['SUCCEEDED', 'EXHAUSTED', 'CANCELLED'] as const
const narrowing = ['endpointId', 'status', 'type', 'objectId', 'statusClass', 'error', 'from', 'to']
const several = ['status', 'type', 'statusClass', 'error']

/** Whether nothing of a delivery is tried any more. */
export const hasEnded = ({ status }: Pick<Delivery, 'status'>): boolean =>
  finished.some((one) => one === status)

/** Deliveries to all endpoints; those that were given up are the queue of failures. */
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
      hrefOf={({ id }) => pathTo(`entregas/${id}`)}
      nameOf={({ type, id }) => `${type} ${id}`}
      filterBy={[
        statusFilter(statuses),
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
        [
          'type',
          t.webhooks.event,
          ({ type, objectId }) => (
            <span class="who wide">
              <code>{type}</code>
              <small class="sub">{objectId}</small>
            </span>
          ),
        ],
        statusColumn(),
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
        ['attempts', t.webhooks.attempts, ({ attemptCount }) => attemptCount, 'medium'],
        momentColumn('createdAt', t.common.createdAt, 'end', 'medium'),
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

/** What an endpoint has answered, or why it did not. */
export const resultText = (statusCode: number | null, error: string | null) =>
  statusCode ?? (error ? ((t.deliveries.error as Readonly<Record<string, string>>)[error] ?? error) : '–')
