import Type from 'typebox'
import { liveRoute } from '../../api/route.ts'

export const listenLiveRoute = liveRoute({
  verb: 'GET',
  path: '/v1/live',
  operationId: 'listenLive',
  summary: 'Listen to what happens',
  description:
    'Server-sent events: `id` is that of the event, `data` is `{"type":"payment.approved","object":"transaction","id":"txn_…","version":3}`, of the types that the role may read; fetch the object then. `Last-Event-ID` resumes from the last 1,000 events of the company; if it is not among them, an event `reset` says to fetch everything again. The stream ends with the session, which it does not renew, and when the role changes.',
  tag: 'Dashboard',
  permission: 'MEMBER',
  product: null,
  mediaTypes: ['text/event-stream'],
  answer: Type.Object({}),
  view: ({ text, place }) => ({
    piece: Buffer.from(text),
    next: place,
    contentType: 'text/event-stream',
    fileName: null,
  }),
})
