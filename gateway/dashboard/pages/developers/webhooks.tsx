import { useState } from 'preact/hooks'
import { patch, post, type Schemas, withId } from '../../core/api.ts'
import { count, percent } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { Empty } from '../../parts/basics.tsx'
import { listOf, PillCheck } from '../../parts/checks.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { type Closable, FormDialog, SecretDialog } from '../../parts/dialog.tsx'
import { Check, Choice, Field, required, useField, useFormAround, type Values } from '../../parts/form.tsx'
import { createButton, ListPage, useList } from '../../parts/list-page.tsx'
import { eventTypes } from '../../parts/sandbox-forms.tsx'
import { Noted, statusColumn } from '../../parts/table.tsx'

type Endpoint = Schemas['WebhookEndpointHealth']
type EventType = Schemas['EventType']

/** Endpoints that hear events, and how each fares. */
export const Webhooks = () => {
  const query = useList('/v1/webhooks/endpoints', [])
  const dialog = useDialog(query.filters)
  const [secret, setSecret] = useState<string | null>(null)
  const create = createButton('webhooks.manage', t.hooks.create, dialog.show)
  return (
    <ListPage
      title={t.nav.webhooks}
      lead={t.hooks.lead}
      actions={create}
      query={query}
      hrefOf={({ id }) => pathTo(`webhooks/${id}`)}
      nameOf={({ url }) => url}
      columns={[
        [
          'url',
          'URL',
          ({ url, description }) => (
            <span class="who wide">
              <span>{url}</span>
              <small class="sub">{description}</small>
            </span>
          ),
        ],
        statusColumn('endpoint'),
        [
          'events',
          t.nav.events,
          ({ events }) => (events.length === 0 ? t.hooks.allEvents : count(events.length)),
          'wide',
        ],
        [
          'rate',
          t.hooks.success,
          ({ health }) => (
            <Noted note={deliveredText(health)}>
              <SuccessRate of={health} />
            </Noted>
          ),
          'medium',
        ],
        ['p95', 'p95', ({ health }) => latencyText(health), 'wide'],
        ['open', t.hooks.open, ({ health }) => count(health.open), 'end', 'medium'],
      ]}
      empty={<Empty icon="webhook" title={t.hooks.none} text={t.hooks.noneText} actions={create} />}
    >
      {dialog.open && <EndpointDialog endpoint={null} onClose={dialog.close} onSecret={setSecret} />}
      {secret && <SigningSecret secret={secret} onClose={() => setSecret(null)} />}
    </ListPage>
  )
}

/** What a share of deliveries is of; nothing where none was tried. */
export const deliveredText = ({ accepted, attempted }: Endpoint['health']): string | false =>
  attempted > 0 && t.hooks.delivered(count(accepted), count(attempted))

/** The share of deliveries that arrived; a low one stands out. */
export const SuccessRate = ({ of: { successRateBps: bps } }: { of: Endpoint['health'] }) => (
  <span class={bps === null || bps >= 9900 ? '' : 'warn-text'}>{bps === null ? '–' : percent(bps, 1)}</span>
)

/** How long an endpoint takes to answer. */
export const latencyText = ({ p95LatencyMs }: Endpoint['health']): string =>
  p95LatencyMs === null ? '–' : `${count(p95LatencyMs)} ms`

/** Shows the secret that signs an endpoint's deliveries. */
export const SigningSecret = ({ secret, onClose }: Closable & { secret: string }) => (
  <SecretDialog title={t.hooks.secret} text={t.hooks.secretText} secret={secret} onClose={onClose} />
)

/** The event types that an endpoint hears; none chosen means all. */
const EventTypes = () => {
  const { value, set } = useField({ name: 'events' })
  const { values } = useFormAround()
  const heard = eventTypes.filter((type) => values.extraEvents || !extraEventTypes.includes(type))
  const families = [...new Set(heard.map((type) => type.split('.')[0]!))]
  return (
    <fieldset class="field event-types">
      <legend>{t.nav.events}</legend>
      <p class="hint">{t.hooks.eventsHint}</p>
      {families.map((family) => (
        <div key={family} class="checks field">
          {heard
            .filter((type) => type.startsWith(`${family}.`))
            .map((type) => (
              <PillCheck key={type} one={type} value={value} set={set}>
                <code>{type}</code>
              </PillCheck>
            ))}
        </div>
      ))}
    </fieldset>
  )
}

/** Heard only by endpoints that ask for extra events. */
const extraEventTypes: readonly EventType[] = [
  'payment.refund_failed',
  'checkout.completed',
  'checkout.expired',
  'transfer.returned',
]

const EndpointOptions = ({ headerNames }: { headerNames: readonly string[] }) => (
  <>
    <Check name="extraEvents" label={t.hooks.extraEvents} hint={t.hooks.extraEventsHint} />
    <Choice
      name="signature"
      label={t.hooks.signature}
      hint={t.hooks.signatureHint}
      of={Object.entries(t.hooks.signatures)}
    />
    <Field
      name="headers"
      label={t.hooks.headers}
      hint={
        headerNames.length === 0
          ? t.hooks.headersHint
          : `${t.hooks.headersNow(headerNames.join(', '))} ${t.hooks.headersHint}`
      }
      isOptional
      lines={2}
      autoComplete="off"
    />
  </>
)

/** `Name: value` by lines; a name without a value takes that header away. A line without a colon is refused with its name. */
const headersOf = (text: string): Record<string, string | null> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name, ...value] = line.split(':')
        return [value.length === 0 ? line : name!.trim(), value.join(':').trim() || null]
      }),
  )

/** Saves an endpoint; a new one has a secret, which is shown once. */
const save = async (endpoint: Endpoint | null, values: Values): Promise<string | null> => {
  const body = {
    url: values.url!.trim(),
    description: values.description?.trim() || null,
    events: (listOf(values.events) as EventType[]).filter(
      (type) => values.extraEvents || !extraEventTypes.includes(type),
    ),
    extraEvents: values.extraEvents === 'true',
    signature: values.signature as Endpoint['signature'],
    ...(values.headers?.trim() && { headers: headersOf(values.headers) }),
  }
  if (endpoint === null) return (await post('/v1/webhooks/endpoints', { body })).secret
  await patch('/v1/webhooks/endpoints/{id}', { ...withId(endpoint.id), body })
  return null
}

type EndpointDialogProps = Closable & { endpoint: Endpoint | null; onSecret: (secret: string) => void }

/** Creates or edits an endpoint. */
export const EndpointDialog = ({ endpoint, onClose, onSecret }: EndpointDialogProps) => (
  <FormDialog
    title={endpoint ? t.common.edit : t.hooks.create}
    submit={endpoint ? t.common.save : t.common.create}
    isWide
    values={{
      url: endpoint?.url ?? '',
      description: endpoint?.description ?? '',
      events: endpoint?.events.join() ?? '',
      extraEvents: endpoint?.extraEvents ? 'true' : '',
      signature: endpoint?.signature ?? 'service',
      headers: '',
    }}
    check={required('url')}
    send={(values) => save(endpoint, values)}
    changes="/v1/webhooks"
    done={t.common.saved}
    onClose={onClose}
    onMade={(secret) => secret && onSecret(secret)}
  >
    <Field
      name="url"
      type="url"
      label="URL"
      hint={t.hooks.urlHint}
      isFirst
      placeholder="https://"
      autoComplete="off"
    />
    <Field name="description" label={t.common.description} isOptional maxLength={255} />
    <EventTypes />
    <EndpointOptions headerNames={endpoint?.headerNames ?? []} />
  </FormDialog>
)
