import t from 'tap'
import { promised } from '../../../engine/kernel/handler.ts'
import type { Journal } from '../../../engine/kernel/ports.ts'
import type { Traceparent } from '../../../engine/shared/traceparent.ts'
import { traceJournal } from '../../../gateway/observability/trace-journal.ts'
import { traceRequests } from '../../../gateway/observability/trace-requests.ts'
import type { Tracing } from '../../../gateway/observability/tracing.ts'
import type { HttpRequest, HttpResponse } from '../../../gateway/wire/transport.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { opened } from '../../engine/world.ts'
import { memoryJournal } from '../../persistence/journal/memory-journal.ts'
import { type Answers, telling } from '../wire/wire.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parent = `00-${traceId}-b7ad6b7169203331-01` as Traceparent
const own = `00-${traceId}-00f067aa0ba902b7-01` as Traceparent

/** Spans as they begin and end, without a library. */
const newSpans = (traceparent: Traceparent | null = own) => {
  const lines: string[] = []
  const begin: Tracing['begin'] = ({ name, parent }) => {
    lines.push(`${name} below ${parent ?? 'nothing'}`)
    return {
      traceparent: traceparent ?? undefined,
      end: (attributes, failure) =>
        lines.push(`${name} ${attributes['http.response.status_code'] ?? 'done'}, ${failure ?? 'well'}`),
    }
  }
  return { lines, begin }
}

/** As a transport hands it over: what costs is only read when it is asked for. */
const aRequest = (change: Partial<HttpRequest> = {}): HttpRequest =>
  Object.assign(
    Object.create({
      get remoteAddress() {
        return '192.0.2.1'
      },
    }),
    {
      verb: 'POST',
      path: '/v1/pix/charges',
      query: '',
      headers: { traceparent: parent, 'content-type': 'application/json' },
      repeatedHeaders: [],
      body: Buffer.from('{}'),
      ...change,
    },
  )

const answer: HttpResponse = { status: 201, headers: { 'Request-Id': 'req_1' }, body: '{}' }
const routeOf = (verb: string, path: string) => (verb === 'POST' && path === '/v1/pix/charges' ? path : null)

/** A traced handler, with a promise of its answer. */
const traced = (handle: Answers, begin: Tracing['begin']) => (request: HttpRequest) =>
  promised<HttpResponse>((to) => traceRequests(telling(handle), begin, routeOf)(request, to))

t.test('whoever handles a request finds its span in the place of the trace that it came with', async (t) => {
  const { lines, begin } = newSpans()
  let handled: HttpRequest | null = null
  const handle = traced((request) => {
    handled = request
    return answer
  }, begin)
  t.equal(await handle(aRequest({ repeatedHeaders: ['cookie', 'traceparent'] })), answer)
  const { verb, headers, repeatedHeaders, body, remoteAddress } = handled!
  t.strictSame([verb, body.toString(), remoteAddress], ['POST', '{}', '192.0.2.1'])
  t.strictSame({ ...headers }, { traceparent: own, 'content-type': 'application/json' })
  t.strictSame(repeatedHeaders, ['cookie'])
  t.strictSame(
    lines,
    ['POST /v1/pix/charges below nothing', 'POST /v1/pix/charges 201, well'],
    'of two traces it is part of neither',
  )
})

t.test('every way in which a request can end ends its span', async (t) => {
  const cases = [
    [() => answer, '201, well'],
    [() => Promise.resolve(answer), '201, well'],
    [() => ({ ...answer, status: 404 }), '404, well'],
    [() => Promise.resolve({ ...answer, status: 503 }), '503, 503'],
    [() => Promise.reject(new TypeError('no')), '500, TypeError'],
    [
      () => {
        throw new RangeError('no')
      },
      '500, RangeError',
    ],
  ] as const
  for (const [handle, end] of cases) {
    const { lines, begin } = newSpans()
    await traced(handle as Answers, begin)(aRequest()).catch(() => undefined)
    t.strictSame(lines, [`POST /v1/pix/charges below ${parent}`, `POST /v1/pix/charges ${end}`])
  }
})

t.test(
  'a path that is none of the API has no span; one without a route has no name of its own',
  async (t) => {
    const { lines, begin } = newSpans()
    const handle = traced(() => answer, begin)
    await handle(aRequest({ path: '/healthz' }))
    t.strictSame(lines, [])
    await handle(aRequest({ path: '/v1/guessed/4711' }))
    t.match(lines, [/^unknown route below/, /^unknown route 201/])
  },
)

t.test('a request that nobody records goes on as it came', async (t) => {
  const { begin } = newSpans(null)
  const request = aRequest()
  let handled: HttpRequest | null = null
  await traced((request) => {
    handled = request
    return answer
  }, begin)(request)
  t.equal(handled, request)
})

t.test('an entry of a trace has a span until it is on disk; another has none', async (t) => {
  const [entry] = [...(await opened()).journal.replay(0)].map(({ record }) => record)
  const { lines, begin } = newSpans()
  const journal = memoryJournal(entryLayout)
  const traced = traceJournal(journal, begin, 3)
  traced.append(entry!)
  t.strictSame(lines, [])
  t.equal(traced.append({ ...entry!, traceparent: parent }), 2)
  t.strictSame(lines, [`journal flush below ${parent}`])
  journal.flush()
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(lines.slice(1), ['journal flush done, well'])
})

t.test('the span of an entry that does not reach the disk has failed', async (t) => {
  const [entry] = [...(await opened()).journal.replay(0)].map(({ record }) => record)
  const { lines, begin } = newSpans()
  const journal = memoryJournal(entryLayout)
  const whenFlushed: Journal['whenFlushed'] = (_, to) => to.reject(new RangeError('the disk is full'))
  traceJournal({ ...journal, whenFlushed }, begin, 3).append({ ...entry!, traceparent: parent })
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(lines.slice(1), ['journal flush done, RangeError'])
})
