import type { Waiter } from '../../engine/kernel/handler.ts'
import {
  AskerLeft,
  HistoryUnavailable,
  ShardUnavailable,
  UpgradeUnfinished,
} from '../../engine/kernel/unavailable.ts'
import { assert } from '../../engine/shared/assert.ts'
import { traceIdOf } from '../../engine/shared/traceparent.ts'
import { type Admitted, bufferOver } from '../link/relay.ts'
import {
  historyAway,
  type Problem,
  problemResponse,
  unavailable,
  upgradeUnfinished,
} from '../problems/problem.ts'
import { prefersMinimal } from '../schema/minimal.ts'
import { traceparentOf } from '../wire/traceparent.ts'
import type { BodyStream, HttpResponse } from '../wire/transport.ts'
import { type Api, compiledOf } from './api.ts'
import { isProblem, type Outcome, type PieceView, type Route, type View } from './route.ts'

/** Makes the response of a request and sends it. An error on the way rejects `to`. */
export const respond = (
  api: Api,
  admitted: Admitted,
  route: Route | null,
  outcome: Outcome,
  to: Waiter<HttpResponse>,
): void => {
  let response: HttpResponse
  try {
    response = makeResponse(api, admitted, route, outcome)
  } catch (error) {
    to.reject(error)
    return
  }
  to.resolve(response)
}

/** The status that nginx gave its name for logs, 499: the client has closed its connection, and nothing is sent. */
const clientLeft = 499

/** Responds 503 to a request whose shard cannot be reached now; any other error is a fault. */
export const respondUnavailable = (
  api: Api,
  admitted: Admitted,
  route: Route | null,
  error: unknown,
  to: Waiter<HttpResponse>,
): void => {
  if (error instanceof AskerLeft) {
    report(api, admitted, route, clientLeft, null)
    to.resolve({ status: clientLeft, headers: {}, body: null })
  } else if (error instanceof ShardUnavailable) respond(api, admitted, route, problemOf(error), to)
  else to.reject(error)
}

const problemOf = (error: Error): Problem => {
  if (error instanceof HistoryUnavailable) return historyAway
  return error instanceof UpgradeUnfinished ? upgradeUnfinished : unavailable
}

/**
 * Makes the response of a request, and counts it. `route` is null where a request was refused before its route
 * mattered. Later pieces of a stream are not counted: they belong to the first one's response.
 */
export const makeResponse = (
  api: Api,
  admitted: Admitted,
  route: Route | null,
  outcome: Outcome,
): HttpResponse => {
  if (isProblem(outcome)) {
    report(api, admitted, route, outcome.status, outcome.code)
    return refused(api, admitted, outcome)
  }
  if (admitted.cursor !== null) return pieceOf(outcome as PieceView)
  const status = ('status' in outcome ? outcome.status : undefined) ?? route!.status
  report(api, admitted, route, status, null)
  return shown(api, admitted, route!, status, outcome)
}

/** Reports the request to the log and the metrics. */
const report = (
  { realNow, onAnswered }: Api,
  { request, caller, requestId, startedAtMs }: Admitted,
  route: Route | null,
  status: number,
  code: Problem['code'] | null,
): void => {
  const traceparent = traceparentOf(request)
  onAnswered({
    requestId,
    verb: request.verb,
    route: route?.path ?? null,
    path: request.path,
    status,
    code,
    keyId: caller.kind === 'KEY' ? caller.key.id : null,
    ...(caller.kind === 'PERSON' && { personId: caller.person.id }),
    companyId: caller.kind === 'STRANGER' ? null : caller.companyId,
    durationMs: realNow() - startedAtMs,
    ...(traceparent !== null && { traceId: traceIdOf(traceparent) }),
  })
}

const refused = (
  { publicUrl }: Api,
  { request, requestId, headers }: Admitted,
  refusal: Problem,
): HttpResponse => problemResponse(refusal, { request, requestId, publicUrl, headers })

/** The response that shows a view: a file, the first piece of a stream, or JSON. */
const shown = (
  api: Api,
  { request, headers }: Admitted,
  route: Route,
  status: number,
  view: View,
): HttpResponse => {
  if ('bytes' in view) {
    headers['Content-Type'] = view.contentType
    headers['Content-Disposition'] = `inline; filename="${view.fileName}"`
    return { status, headers: Object.assign(headers, view.headers), body: view.bytes }
  }
  if ('piece' in view) {
    assert(route.isExport || route.action.kind === 'live', 'only these are read on, piece by piece')
    headers['Content-Type'] = view.contentType
    if (view.fileName !== null) headers['Content-Disposition'] = `attachment; filename="${view.fileName}"`
    const { headers: place, body } = pieceOf(view)
    return { status, headers: Object.assign(headers, place), body }
  }
  headers['Content-Type'] = 'application/json'
  const { write, kept, minimal } = compiledOf(api, route)
  if ('shows' in view) return { status, headers, body: kept(view) }
  if (view.location !== undefined && status === 201) headers.Location = view.location
  if (view.headers !== undefined) Object.assign(headers, view.headers)
  if (minimal === null || !prefersMinimal(request.headers)) return { status, headers, body: write(view.body) }
  headers['Preference-Applied'] = 'return=minimal'
  return { status, headers, body: JSON.stringify(minimal(view.body)) }
}

/** A header between threads that says where a streamed answer continues. It never leaves the service. */
export const nextPiece = ':next-piece'

const pieceOf = ({ piece, next }: PieceView): HttpResponse => ({
  status: 200,
  headers: { [nextPiece]: next ?? '' },
  body: piece instanceof Promise ? inOnePiece(piece) : bufferOver(piece),
})

/** A body that is not there yet. */
const inOnePiece = (piece: Promise<Uint8Array>): BodyStream => {
  // Where the client has left meanwhile nothing waits for it.
  piece.catch(() => undefined)
  return { next: async () => bufferOver(await piece) }
}
