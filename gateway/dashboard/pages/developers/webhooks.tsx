import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { count, moment, percent } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { navigate, pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import {
  Ago,
  Button,
  Copy,
  Empty,
  Facts,
  Figure,
  Loading,
  Moment,
  Page,
  Section,
  Trouble,
} from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Choice, Field, Form, type FormState, requiredError, useForm } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { eventTypes } from '../../parts/sandbox-forms.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { announce } from '../../parts/toasts.tsx'
import { DeliveryList } from './deliveries.tsx'

type Endpoint = Schemas['WebhookEndpointHealth']

type EventType = Schemas['EventType']

const healthTone = (bps: number | null) => (bps === null || bps >= 9900 ? '' : 'warn-text')

/** Endpoints that hear events, and how each fares. */
export const Webhooks = () => {
  const query = useList('/v1/webhooks/endpoints', [])
  const dialog = useDialog(query.filters)
  const [secret, setSecret] = useState<string | null>(null)
  const create = can('webhooks.manage') && (
    <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show()}>
      {t.hooks.create}
    </Button>
  )
  return (
    <Page title={t.nav.webhooks} lead={t.hooks.lead} actions={create}>
      <List
        label={t.nav.webhooks}
        query={query}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathTo(`webhooks/${id}`)}
        nameOf={({ url }) => url}
        columns={[
          {
            id: 'url',
            title: 'URL',
            cell: ({ url, description }) => (
              <span class="who wide">
                <span>{url}</span>
                <small class="sub">{description}</small>
              </span>
            ),
          },
          { id: 'status', title: t.common.status, cell: ({ status }) => <Status is={status} /> },
          {
            id: 'events',
            title: t.hooks.events,
            from: 'wide',
            cell: ({ events }) => (events.length === 0 ? t.hooks.allEvents : count(events.length)),
          },
          {
            id: 'rate',
            title: t.hooks.success,
            from: 'medium',
            cell: ({ health }) => (
              <span class={healthTone(health.successRateBps)}>
                {health.successRateBps === null ? '–' : percent(health.successRateBps, 1)}
              </span>
            ),
          },
          {
            id: 'p95',
            title: 'p95',
            from: 'wide',
            cell: ({ health }) => (health.p95LatencyMs === null ? '–' : `${count(health.p95LatencyMs)} ms`),
          },
          {
            id: 'open',
            title: t.hooks.open,
            align: 'end',
            from: 'medium',
            cell: ({ health }) => count(health.open),
          },
        ]}
        empty={
          <Empty icon="webhook" title={t.hooks.none} actions={create}>
            {t.hooks.noneText}
          </Empty>
        }
      />
      {dialog.open && <EndpointDialog endpoint={null} onClose={dialog.close} onSecret={setSecret} />}
      {secret && (
        <SecretDialog
          title={t.hooks.secret}
          text={t.hooks.secretText}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Page>
  )
}

/** The event types that an endpoint hears; none chosen means all. */
const EventTypes = ({ form }: { form: FormState }) => {
  const chosen = (form.values.events ?? '').split(',').filter(Boolean)
  const families = [...new Set(eventTypes.map((type) => type.split('.')[0]!))]
  return (
    <fieldset class="field event-types">
      <legend>{t.hooks.events}</legend>
      <p class="hint">{t.hooks.eventsHint}</p>
      {families.map((family) => (
        <div key={family} class="checks field">
          {eventTypes
            .filter((type) => type.startsWith(`${family}.`))
            .map((type) => (
              <label key={type} class="pill-check">
                <input
                  type="checkbox"
                  checked={chosen.includes(type)}
                  onChange={(event) => {
                    const rest = chosen.filter((one) => one !== type)
                    form.set('events', (event.currentTarget.checked ? [...rest, type] : rest).join())
                  }}
                />
                <code>{type}</code>
              </label>
            ))}
        </div>
      ))}
    </fieldset>
  )
}

const EndpointDialog = ({
  endpoint,
  onClose,
  onSecret,
}: {
  endpoint: Endpoint | null
  onClose: () => void
  onSecret: (secret: string) => void
}) => {
  const form = useForm(
    {
      url: endpoint?.url ?? '',
      description: endpoint?.description ?? '',
      events: endpoint?.events.join() ?? '',
    },
    async (values) => {
      const body = {
        url: values.url!.trim(),
        description: values.description?.trim() || null,
        events: values.events!.split(',').filter(Boolean) as EventType[],
      }
      if (endpoint === null) {
        const made = await dataOf(api.POST('/v1/webhooks/endpoints', { body }))
        onSecret(made.secret)
      } else
        await dataOf(
          api.PATCH('/v1/webhooks/endpoints/{id}', { params: { path: { id: endpoint.id } }, body }),
        )
      refresh('/v1/webhooks')
      announce(t.common.saved)
      onClose()
    },
    ({ url }) => ({ url: requiredError(url) }),
  )
  return (
    <Dialog title={endpoint ? t.common.edit : t.hooks.create} onClose={onClose} isWide>
      <Form of={form} submit={endpoint ? t.common.save : t.common.create} onCancel={onClose}>
        <Field
          form={form}
          name="url"
          type="url"
          label="URL"
          hint={t.hooks.urlHint}
          isFirst
          placeholder="https://"
          autoComplete="off"
        />
        <Field form={form} name="description" label={t.common.description} isOptional maxLength={255} />
        <EventTypes form={form} />
      </Form>
    </Dialog>
  )
}

/** One endpoint: its health, what it is sent, and what can be done. */
export const EndpointPage = ({ id }: { id: string }) => {
  const { data, problem, refresh: again } = useGet('/v1/webhooks/endpoints/{id}', { path: { id } })
  const [act, setAct] = useState<'edit' | 'roll' | 'test' | 'replay' | 'remove' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const params = { path: { id } }
  const close = () => setAct(null)
  const toggle = useAction(async () => {
    await dataOf(
      api.PATCH('/v1/webhooks/endpoints/{id}', {
        params,
        body: { status: data?.status === 'ENABLED' ? 'DISABLED' : 'ENABLED' },
      }),
    )
    refresh('/v1/webhooks')
    announce(t.common.saved)
  })
  const back = { href: pathTo('webhooks'), text: t.nav.webhooks }
  if (problem || !data)
    return (
      <Page title={t.hooks.one} back={back}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={6} />}
      </Page>
    )
  const { health } = data
  return (
    <Page
      back={back}
      title={
        <>
          <span class="url">{data.url}</span> <Status is={data.status} />
        </>
      }
      lead={<Copy text={data.id} isShort />}
      actions={
        can('webhooks.manage') && (
          <>
            <Button icon="send" onClick={() => setAct('test')}>
              {t.hooks.test}
            </Button>
            <Button icon="forward" onClick={() => setAct('replay')}>
              {t.hooks.replay}
            </Button>
            <Button icon="edit" onClick={() => setAct('edit')}>
              {t.common.edit}
            </Button>
            <Button
              icon={data.status === 'ENABLED' ? 'pause' : 'play'}
              isBusy={toggle.isBusy}
              onClick={() => void toggle.run()}
            >
              {data.status === 'ENABLED' ? t.hooks.disable : t.hooks.enable}
            </Button>
            <Button icon="key" onClick={() => setAct('roll')}>
              {t.hooks.rollSecret}
            </Button>
            <Button tone="quiet" icon="trash" aria-label={t.common.remove} onClick={() => setAct('remove')} />
          </>
        )
      }
    >
      <Trouble of={toggle.problem} />
      <dl class="figures">
        <Figure name={t.hooks.success} note={t.hooks.attempted(health.attempted)}>
          <span class={healthTone(health.successRateBps)}>
            {health.successRateBps === null ? '–' : percent(health.successRateBps, 1)}
          </span>
        </Figure>
        <Figure name={t.hooks.p95}>
          {health.p95LatencyMs === null ? '–' : `${count(health.p95LatencyMs)} ms`}
        </Figure>
        <Figure name={t.hooks.open} note={health.oldestOpenAt && <Ago at={health.oldestOpenAt} />}>
          {count(health.open)}
        </Figure>
      </dl>
      <Section title={t.transactions.details}>
        <Facts
          of={[
            [t.common.description, data.description],
            [
              t.hooks.events,
              data.events.length === 0
                ? t.hooks.allEvents
                : data.events.map((type) => (
                    <code key={type} class="tag">
                      {type}
                    </code>
                  )),
            ],
            [t.hooks.formerSecret, data.formerSecretUntil && moment(data.formerSecretUntil)],
            [t.common.createdAt, <Moment key="created" at={data.createdAt} />],
          ]}
        />
      </Section>
      <h2 class="gap">{t.nav.deliveries}</h2>
      <DeliveryList fixed={{ endpointId: id }} />
      {act === 'edit' && <EndpointDialog endpoint={data} onClose={close} onSecret={setSecret} />}
      {act === 'test' && <TestDialog id={id} onClose={close} />}
      {act === 'replay' && <ReplayDialog id={id} onClose={close} />}
      {act === 'roll' && <RollSecretDialog id={id} onClose={close} onSecret={setSecret} />}
      {act === 'remove' && (
        <AskDialog
          title={t.hooks.removeTitle}
          text={t.hooks.removeText}
          action={t.common.remove}
          act={async () => {
            await dataOf(api.DELETE('/v1/webhooks/endpoints/{id}', { params }))
            refresh('/v1/webhooks')
            navigate(pathTo('webhooks'))
          }}
          onClose={close}
        />
      )}
      {secret && (
        <SecretDialog
          title={t.hooks.secret}
          text={t.hooks.secretText}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Page>
  )
}

const TestDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const form = useForm({ type: 'payment.approved' }, async ({ type }) => {
    const { deliveryId } = await dataOf(
      api.POST('/v1/webhooks/endpoints/{id}/test', {
        params: { path: { id } },
        body: { type: type as EventType },
      }),
    )
    refresh('/v1/webhooks')
    navigate(pathTo(`entregas/${deliveryId}`))
  })
  return (
    <Dialog title={t.hooks.test} onClose={onClose}>
      <p>{t.hooks.testText}</p>
      <Form of={form} submit={t.hooks.send} onCancel={onClose}>
        <Choice
          form={form}
          name="type"
          label={t.sandbox.eventType}
          of={eventTypes.map((type) => [type, type])}
        />
      </Form>
    </Dialog>
  )
}

const ReplayDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const form = useForm(
    { from: '', to: '' },
    async ({ from, to }) => {
      const { count: many } = await dataOf(
        api.POST('/v1/webhooks/endpoints/{id}/replay', {
          params: { path: { id } },
          body: { from: from!, ...(to && { to }) },
        }),
      )
      refresh('/v1/webhooks')
      announce(t.hooks.replayed(count(many)))
      onClose()
    },
    ({ from }) => ({ from: requiredError(from) }),
  )
  return (
    <Dialog title={t.hooks.replay} onClose={onClose}>
      <p>{t.hooks.replayText}</p>
      <Form of={form} submit={t.hooks.send} onCancel={onClose}>
        <div class="form-row">
          <Field form={form} name="from" type="date" label={t.filters.from} isFirst />
          <Field form={form} name="to" type="date" label={t.filters.to} isOptional />
        </div>
      </Form>
    </Dialog>
  )
}

const RollSecretDialog = ({
  id,
  onClose,
  onSecret,
}: {
  id: string
  onClose: () => void
  onSecret: (secret: string) => void
}) => {
  const form = useForm({ overlap: '0' }, async ({ overlap }) => {
    const made = await dataOf(
      api.POST('/v1/webhooks/endpoints/{id}/roll-secret', {
        params: { path: { id } },
        body: { overlapSeconds: Number(overlap) },
      }),
    )
    refresh('/v1/webhooks')
    onClose()
    onSecret(made.secret)
  })
  return (
    <Dialog title={t.hooks.rollSecret} onClose={onClose}>
      <p>{t.hooks.rollText}</p>
      <Form of={form} submit={t.hooks.rollSecret} onCancel={onClose}>
        <Choice
          form={form}
          name="overlap"
          label={t.apiKeys.overlap}
          of={Object.entries(t.apiKeys.overlaps).filter(([seconds]) => Number(seconds) <= 86_400)}
        />
      </Form>
    </Dialog>
  )
}
