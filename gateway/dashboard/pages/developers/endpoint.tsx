import { useState } from 'preact/hooks'
import { del, patch, post, type Schemas, withId } from '../../core/api.ts'
import { count, moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh, useGet } from '../../core/query.ts'
import { navigate, pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Ago, Button, Copy, Page, Trouble } from '../../parts/basics.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { FactSection, Figures, instant } from '../../parts/facts.tsx'
import { Choice, Field, required } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { EventTypeField } from '../../parts/sandbox-forms.tsx'
import { useChange } from '../../parts/toasts.tsx'
import { DeliveryList } from './deliveries.tsx'
import { deliveredText, EndpointDialog, latencyText, SigningSecret, SuccessRate } from './webhooks.tsx'

type Endpoint = Schemas['WebhookEndpointHealth']
type Act = 'edit' | 'roll' | 'test' | 'replay' | 'remove'
type ActProps = Closable & { readonly of: Endpoint; readonly onSecret: (secret: string) => void }

/** One endpoint: its health, what it is sent, and what can be done. */
export const EndpointPage = ({ id }: { id: string }) => {
  const query = useGet('/v1/webhooks/endpoints/{id}', { path: { id } })
  const { data, problem } = query
  const [act, setAct] = useState<Act | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const isEnabled = data?.status === 'ENABLED'
  const toggle = useChange(
    () =>
      patch('/v1/webhooks/endpoints/{id}', {
        ...withId(id),
        body: { status: isEnabled ? 'DISABLED' : 'ENABLED' },
      }),
    t.common.saved,
    '/v1/webhooks',
  )
  const back = { href: pathTo('webhooks'), text: t.nav.webhooks }
  if (problem || !data) return <Page title={t.hooks.one} back={back} unread={query} />
  return (
    <Page
      back={back}
      title={<span class="url">{data.url}</span>}
      status={<Status is={data.status} of="endpoint" />}
      lead={<Copy text={data.id} isShort />}
      actions={
        can('webhooks.manage') && (
          <>
            <Button icon="send" onClick={() => setAct('test')} text={t.hooks.test} />
            <Button icon="forward" onClick={() => setAct('replay')} text={t.hooks.replay} />
            <Button icon="edit" onClick={() => setAct('edit')} text={t.common.edit} />
            <ActionButton
              of={toggle}
              icon={isEnabled ? 'pause' : 'play'}
              text={isEnabled ? t.hooks.disable : t.hooks.enable}
            />
            <Button icon="key" onClick={() => setAct('roll')} text={t.hooks.rollSecret} />
            <Button tone="quiet" icon="trash" aria-label={t.common.remove} onClick={() => setAct('remove')} />
          </>
        )
      }
    >
      <Trouble of={toggle.problem} />
      <Health of={data} />
      <EndpointFacts of={data} />
      <h2 class="gap">{t.nav.deliveries}</h2>
      <DeliveryList fixed={{ endpointId: id }} />
      {act && <ActDialog act={act} of={data} onClose={() => setAct(null)} onSecret={setSecret} />}
      {secret && <SigningSecret secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  )
}

const Health = ({ of: { id, health: of } }: { of: Pick<Endpoint, 'id' | 'health'> }) => (
  <Figures
    of={[
      [t.hooks.success, <SuccessRate key="rate" of={of} />, { note: deliveredText(of) || t.hooks.noneTried }],
      [t.hooks.p95, latencyText(of)],
      [
        t.hooks.open,
        count(of.open),
        {
          note: of.oldestOpenAt && <Ago at={of.oldestOpenAt} />,
          href: pathTo(`webhooks/${id}?status=PENDING,RETRYING`),
        },
      ],
    ]}
  />
)

const EndpointFacts = ({ of }: { of: Endpoint }) => (
  <FactSection
    of={[
      [t.common.description, of.description],
      [
        t.nav.events,
        of.events.length === 0
          ? t.hooks.allEvents
          : of.events.map((type) => (
              <code key={type} class="tag">
                {type}
              </code>
            )),
      ],
      [t.hooks.extraEvents, of.extraEvents && <code class="tag">payment.refund_failed</code>],
      [t.hooks.signature, t.hooks.signatures[of.signature]],
      [
        t.hooks.headers,
        of.headerNames.length > 0 &&
          of.headerNames.map((name) => (
            <code key={name} class="tag">
              {name}
            </code>
          )),
      ],
      [t.hooks.formerSecret, of.formerSecretUntil && moment(of.formerSecretUntil)],
      [t.common.createdAt, instant(of.createdAt)],
    ]}
  />
)

const ActDialog = ({ act, ...props }: ActProps & { act: Act }) => {
  switch (act) {
    case 'edit':
      return <EndpointDialog endpoint={props.of} {...props} />
    case 'test':
      return <TestDialog {...props} />
    case 'replay':
      return <ReplayDialog {...props} />
    case 'roll':
      return <RollSecretDialog {...props} />
    case 'remove':
      return <RemoveDialog {...props} />
  }
}

const RemoveDialog = ({ of, onClose }: ActProps) => (
  <AskDialog
    title={t.hooks.removeTitle}
    text={t.hooks.removeText}
    action={t.common.remove}
    act={async () => {
      await del('/v1/webhooks/endpoints/{id}', withId(of.id))
      refresh('/v1/webhooks')
      navigate(pathTo('webhooks'))
    }}
    onClose={onClose}
  />
)

const TestDialog = ({ of, onClose }: ActProps) => (
  <FormDialog
    title={t.hooks.test}
    lead={t.hooks.testText}
    submit={t.hooks.send}
    values={{ type: 'payment.approved' }}
    send={({ type }) =>
      post('/v1/webhooks/endpoints/{id}/test', {
        ...withId(of.id),
        body: { type: type as Schemas['EventType'] },
      })
    }
    changes="/v1/webhooks"
    opens={({ deliveryId }) => `entregas/${deliveryId}`}
    onClose={onClose}
  >
    <EventTypeField />
  </FormDialog>
)

const ReplayDialog = ({ of, onClose }: ActProps) => (
  <FormDialog
    title={t.hooks.replay}
    lead={t.hooks.replayText}
    submit={t.hooks.send}
    values={{ from: '', to: '' }}
    check={required('from')}
    send={({ from, to }) =>
      post('/v1/webhooks/endpoints/{id}/replay', {
        ...withId(of.id),
        body: { from: from!, ...(to && { to }) },
      })
    }
    changes="/v1/webhooks"
    done={({ count: many }) => t.hooks.replayed(count(many))}
    onClose={onClose}
  >
    <div class="form-row">
      <Field name="from" type="date" label={t.filters.from} isFirst />
      <Field name="to" type="date" label={t.filters.to} isOptional />
    </div>
  </FormDialog>
)

const RollSecretDialog = ({ of, onClose, onSecret }: ActProps) => (
  <FormDialog
    title={t.hooks.rollSecret}
    lead={t.hooks.rollText}
    submit={t.hooks.rollSecret}
    values={{ overlap: '0' }}
    send={({ overlap }) =>
      post('/v1/webhooks/endpoints/{id}/roll-secret', {
        ...withId(of.id),
        body: { overlapSeconds: Number(overlap) },
      })
    }
    changes="/v1/webhooks"
    onClose={onClose}
    onMade={({ secret }) => onSecret(secret)}
  >
    <Choice
      name="overlap"
      label={t.apiKeys.overlap}
      of={Object.entries(t.apiKeys.overlaps).filter(([seconds]) => Number(seconds) <= 86_400)}
    />
  </FormDialog>
)
