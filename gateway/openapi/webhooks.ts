import { eventTypes } from '../../engine/kernel/event-types.ts'
import { eventTexts, shapeOfEvent } from '../events/events.ts'
import { sampleEvent } from '../events/sample.ts'
import type { Components } from './components.ts'

/** The tag of what is sent to endpoints. */
export const webhookTag = 'Webhooks'

/** What the service sends to merchants' endpoints: one operation per event type, with a sample. */
export const webhooksOf = ({ publish }: Components): Readonly<Record<string, object>> =>
  Object.fromEntries(
    eventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on${capitalised(type)}`,
          summary: type,
          description: eventTexts[type],
          tags: [webhookTag],
          security: [],
          parameters: Object.keys(webhookParameters).map((name) => ({
            $ref: `#/components/parameters/${name}`,
          })),
          requestBody: {
            description: 'The event. These bytes are signed.',
            required: true,
            content: {
              'application/json': {
                schema: publish(shapeOfEvent(type)),
                examples: { sample: { summary: 'A sample', value: sampleEvent(type) } },
              },
            },
          },
          responses: {
            '2XX': { description: 'You have it. Any other answer, or none in 10 seconds, is tried again.' },
          },
        },
      },
    ]),
  )

export const webhookParameters = {
  ServiceSignature: header(
    'Service-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 with the endpoint’s secret over `<t>.<raw body>`; while a secret is rolled there are two `v1`. Made anew at every attempt.',
    't=1781013600,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  ),
  ServiceEvent: header('Service-Event', 'The type of the event.', 'payment.approved'),
  ServiceDelivery: header(
    'Service-Delivery',
    'Id of the delivery: the same at each of its attempts.',
    'dlv_01KTRE5Y00000000000000000V',
  ),
  ServiceEnvironment: header('Service-Environment', 'SANDBOX or PRODUCTION.', 'SANDBOX'),
  WebhookId: header(
    'webhook-id',
    'To endpoints with `signature: standard-webhooks`, as the two below: id of the event, the same at every delivery.',
    'evt_01KTRE5Y000000000000000000',
    false,
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When the attempt was signed, in Unix seconds.',
    '1781013600',
    false,
  ),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,<base64>` of Standard Webhooks 1.0: HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`; the key is what the secret encodes after `whsec_`. While a secret is rolled there are two, with a space between them.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    false,
  ),
}

function header(name: string, description: string, example: string, required = true) {
  return { name, in: 'header', required, description, schema: { type: 'string' }, example }
}

/** `pix.med_opened` becomes `PixMedOpened`. */
const capitalised = (type: string): string =>
  type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
