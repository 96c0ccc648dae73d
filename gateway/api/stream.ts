import { passOn, promised, type Waiter } from '../../engine/kernel/handler.ts'
import { assert } from '../../engine/shared/assert.ts'
import { bounds } from '../base/bounds.ts'
import type { Heard } from '../events/live/feeds.ts'
import type { SignedIn } from '../identity/caller.ts'
import type { Admitted } from '../link/relay.ts'
import { problem } from '../problems/problem.ts'
import { type HttpResponse, isStream } from '../wire/transport.ts'
import type { Api } from './api.ts'
import { nextPiece, respond, respondUnavailable } from './finish.ts'
import type { Route } from './route.ts'

/** Has a request answered where its company's shard is owned. */
export type Send = (admitted: Admitted, to: Waiter<HttpResponse>) => void

/**
 * Streams an answer whose first piece names where it continues: each further piece is the same request again, from there. So a long answer
 * needs no state where it is made, and is made only as fast as it is read: one piece is made while the client takes the one before.
 */
export const streamPieces = (api: Api, admitted: Admitted, send: Send, to: Waiter<HttpResponse>): void =>
  send(admitted, {
    resolve: (response) => to.resolve(inPieces(response, admitted, send)),
    reject: (error) => respondUnavailable(api, admitted, null, error, to),
  })

const inPieces = (response: HttpResponse, admitted: Admitted, send: Send): HttpResponse => {
  if (response.headers[nextPiece] === undefined) return response
  const { [nextPiece]: _, ...headers } = response.headers
  const after = (cursor = ''): Promise<HttpResponse> | null => {
    if (cursor === '') return null
    const more = promised<HttpResponse>((to) => send({ ...admitted, headers: {}, cursor }, to))
    // A client that has left requests no more pieces, so a failure of this one does not matter.
    more.catch(() => undefined)
    return more
  }
  let next: Promise<HttpResponse> | null = Promise.resolve(response)
  const piece = async (): Promise<string | Buffer | null> => {
    if (next === null) return null
    const { status, headers, body } = await next
    assert(status === 200, `the next piece of an answer is there, not a ${status}`)
    // Before this one is whole: the shard reads the next one's entries while lines are written elsewhere.
    next = after(headers[nextPiece])
    return isStream(body) ? body.next() : body
  }
  return { status: response.status, headers, body: { next: piece } }
}

/** Streams the news of an account: the owner of its shard is asked for each piece, and checks the permission each time. */
export const listen = (
  api: Api,
  admitted: Admitted,
  caller: SignedIn,
  route: Route,
  send: Send,
  to: Waiter<HttpResponse>,
): void => {
  const place = api.people!.streams.take(caller)
  if (place === null) {
    respond(api, admitted, route, tooManyStreams, to)
    return
  }
  const hearNext = async (cursor: string): Promise<Heard> => {
    const asked = { ...admitted, headers: {}, cursor }
    const { status, headers, body } = await promised<HttpResponse>((to) => send(asked, to))
    if (status !== 200) throw new Error(`a live stream ends with ${status}`)
    return { text: String(body), place: headers[nextPiece]! }
  }
  const first = promised<HttpResponse>((to) => send(admitted, to))
  passOn(first, {
    resolve: ({ status, headers: { [nextPiece]: next, ...headers }, body }) => {
      if (next === undefined) {
        place.release()
        to.resolve({ status, headers, body })
      } else
        to.resolve({
          status,
          // Proxies that buffer would hold events back.
          headers: { ...headers, 'X-Accel-Buffering': 'no' },
          body: place.begin({ text: String(body), place: next }, hearNext),
        })
    },
    reject: (error) => {
      place.release()
      respondUnavailable(api, admitted, null, error, to)
    },
  })
}

const tooManyStreams = problem(
  'RATE_LIMITED',
  (say) => say.details.liveStreams(bounds.liveStreamsOfSessionMax),
  { extra: { policy: 'live' }, headers: { 'Retry-After': '15' } },
)
