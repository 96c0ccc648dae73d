import { constants, type X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { ReceiveNotice } from '../../engine/inbox/commands.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import { bounds as engineBounds } from '../../engine/shared/bounds.ts'
import type { InboxNoticeId } from '../../engine/shared/ids.ts'
import { byProvider } from '../../engine/shared/initiator.ts'
import { bounds } from '../base/bounds.ts'
import { tlsPolicy } from '../wire/tls-policy.ts'
import { isHookToken, readHookAddress } from './hook-address.ts'
import type { HookTarget, HookTargets } from './hook-target.ts'
import type { ListenerIdentity } from './listener-identity.ts'
import { noticeHeadersOf, noticeKeyOf, packBody } from './notice-body.ts'
import { authoritiesOf, isIssuedUnder, isPinned, shownChainOf } from './peer.ts'
import { openSideThrottle, type SideThrottle } from './throttle.ts'

/** The port where banks report: a server of its own, because it wants certificates of those who call it (rails, section 1.3). */
export type NoticeListener = {
  readonly port: number
  /** Takes a certificate of ours that was renewed, and authorities of connections that changed. */
  readonly refresh: () => void
  /** Stops listening, and waits so long for what is on its way to the disk. */
  readonly close: (graceMs: number) => Promise<void>
}

export type NoticeListenerOptions = {
  readonly host: string
  readonly port: number
  readonly identity: ListenerIdentity
  readonly targets: HookTargets
  /** Records a notice in the shard of its account, wherever that is. Resolves once it is on disk. */
  readonly execute: (command: ReceiveNotice) => Promise<Reply>
  readonly newId: () => InboxNoticeId
  readonly realNow: () => number
  /** A monotonic clock in milliseconds. */
  readonly stopwatch: () => number
  /** Called with what became of each request. */
  readonly onHook: (outcome: HookOutcome, target: HookTarget | null) => void
  readonly onFault: (error: unknown, target: HookTarget | null) => void
}

export type HookOutcome =
  /** It is on disk, or was before. */
  | 'RECEIVED'
  /** No such address, or another token. */
  | 'UNKNOWN_ADDRESS'
  /** The right address, from someone without the bank's certificate: the address has leaked. */
  | 'FOREIGN_CERTIFICATE'
  /** A connection without any certificate that a connection asks for. */
  | 'NO_CERTIFICATE'
  | 'TOO_LARGE'
  | 'UNREADABLE'
  | 'TOO_FAST'
  /** It could not be recorded now: the bank repeats it. */
  | 'NOT_RECORDED'

/** Listens for what banks report. A bank is told 200 when what it sent is on disk, and not before. */
export const openNoticeListener = async (options: NoticeListenerOptions): Promise<NoticeListener> => {
  const { identity, stopwatch } = options
  let context = contextOf(options)
  const server = createServer({
    ...noticeTls,
    ...context,
    requestCert: true,
    // Checked below, by what connections ask for at that moment, and each by its own authorities.
    rejectUnauthorized: false,
    handshakeTimeout: bounds.idleTimeoutMs,
    headersTimeout: bounds.idleTimeoutMs,
    requestTimeout: bounds.idleTimeoutMs + bounds.bodyTimeoutMs,
    keepAliveTimeout: bounds.idleTimeoutMs,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: bounds.headerBytesMax,
    insecureHTTPParser: false,
  })
  server.maxConnections = bounds.hookConnectionsMax
  const running: Running = {
    options,
    inFlight: 0,
    ofConnection: openSideThrottle(bounds.hookRate, stopwatch),
    ofStranger: openSideThrottle(bounds.strangerHookRate, stopwatch),
  }
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => {})
    if (isAdmitted(options, socket)) return
    options.onHook('NO_CERTIFICATE', null)
    socket.destroy()
  })
  server.on('request', (request, response) => void serve(running, request, response))
  server.on('tlsClientError', () => {})
  server.on('clientError', (_, socket) => void socket.destroy())
  await once(server.listen({ host: options.host, port: options.port }), 'listening')
  server.on('error', (error) => options.onFault(error, null))
  return {
    port: (server.address() as AddressInfo).port,
    refresh: () => {
      try {
        identity.refresh()
      } catch (error) {
        options.onFault(error, null)
      }
      try {
        const next = contextOf(options)
        if (isSameContext(context, next)) return
        server.setSecureContext({ ...noticeTls, ...next })
        context = next
      } catch (error) {
        options.onFault(error, null)
      }
    },
    close: (graceMs) => close(server, graceMs),
  }
}

/** A session that is resumed has no chain of certificates to look at, so each connection has its own. */
const noticeTls = { ...tlsPolicy, secureOptions: constants.SSL_OP_NO_TICKET }

/** Whether some connection may be reported to over this socket. */
const isAdmitted = ({ targets, realNow }: NoticeListenerOptions, socket: TLSSocket): boolean => {
  const trusted = new Map<string, X509Certificate>()
  for (const { peer } of targets.all()) {
    if (peer === null) return true
    for (const authority of authoritiesOf(peer)) trusted.set(authority.fingerprint256, authority)
  }
  return isIssuedUnder(shownChainOf(socket), [...trusted.values()], realNow())
}

type Running = {
  readonly options: NoticeListenerOptions
  inFlight: number
  readonly ofConnection: SideThrottle
  readonly ofStranger: SideThrottle
}

const serve = async (running: Running, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { options } = running
  const socket = request.socket as TLSSocket
  const address = readHookAddress(request.url ?? '')
  const target = address && targetOf(options.targets, address)
  const end = (outcome: HookOutcome): void => {
    options.onHook(outcome, target)
    answer(response, outcome)
  }
  request.on('error', () => {})
  response.on('error', () => {})
  if (address === null || target === null) {
    const isSlowed = !running.ofStranger.take(socket.remoteAddress ?? '')
    return end(isSlowed ? 'TOO_FAST' : 'UNKNOWN_ADDRESS')
  }
  if (target.peer !== null && !isPinned(shownChainOf(socket), target.peer, options.realNow()))
    return end('FOREIGN_CERTIFICATE')
  if (request.method !== 'POST') return end('UNREADABLE')
  const encoding = request.headers['content-encoding'] ?? 'identity'
  // Nothing is inflated here: a few bytes could stand for any number.
  if (encoding !== 'identity') return end('UNREADABLE')
  if (Number(request.headers['content-length'] ?? 0) > bounds.noticeBodyBytesMax) return end('TOO_LARGE')
  if (running.inFlight >= bounds.hooksInFlightMax || !running.ofConnection.take(target.connectionId))
    return end('TOO_FAST')
  running.inFlight += 1
  try {
    const body = await bodyOf(request)
    if (body === 'GONE') return
    end(body === 'TOO_LARGE' ? body : await record(running, request, target, address.rest, body))
  } catch (error) {
    if (!(error instanceof ShardUnavailable)) options.onFault(error, target)
    end('NOT_RECORDED')
  } finally {
    running.inFlight -= 1
  }
}

/** The connection of an address. A hash is made for those that are not there as well, so that both take as long. */
const targetOf = (
  targets: HookTargets,
  { connectionId, token }: { readonly connectionId: string; readonly token: string },
): HookTarget | null => {
  const target = targets.find(connectionId)
  const isKnown = isHookToken(target ?? { tokenHash: noHash }, token)
  return isKnown ? target : null
}

const noHash = new Uint8Array(32)

/** The body; `GONE` where the connection ended before it did. */
const bodyOf = async (request: IncomingMessage): Promise<Buffer | 'TOO_LARGE' | 'GONE'> => {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      bytes += (part as Buffer).length
      if (bytes > bounds.noticeBodyBytesMax) return 'TOO_LARGE'
      parts.push(part as Buffer)
    }
  } catch {
    return 'GONE'
  }
  return Buffer.concat(parts)
}

const record = async (
  { options }: Running,
  request: IncomingMessage,
  { accountId, connectionId }: HookTarget,
  path: string,
  body: Buffer,
): Promise<HookOutcome> => {
  const packed = await packBody(body)
  if (packed.length > engineBounds.noticeBytesMax) return 'TOO_LARGE'
  const reply = await options.execute({
    type: 'ReceiveNotice',
    accountId,
    by: byProvider,
    inboxNoticeId: options.newId(),
    notice: {
      connectionId,
      key: noticeKeyOf(path, body),
      source: 'HOOK',
      path,
      headers: noticeHeadersOf(request.headers),
      packed,
    },
  })
  return reply.accepted ? 'RECEIVED' : 'NOT_RECORDED'
}

const statusOf: Readonly<Record<HookOutcome, number>> = {
  RECEIVED: 200,
  UNKNOWN_ADDRESS: 404,
  FOREIGN_CERTIFICATE: 403,
  NO_CERTIFICATE: 403,
  TOO_LARGE: 413,
  UNREADABLE: 415,
  TOO_FAST: 429,
  NOT_RECORDED: 503,
}

/** Answers without a body. A connection ends unless all is well: what is left of its request would else be read as the next one. */
const answer = (response: ServerResponse, outcome: HookOutcome): void => {
  if (response.destroyed || response.headersSent) return
  const mayRepeat = outcome === 'TOO_FAST' || outcome === 'NOT_RECORDED'
  response.writeHead(statusOf[outcome], {
    'Content-Length': '0',
    ...(mayRepeat && { 'Retry-After': '5' }),
    ...(outcome !== 'RECEIVED' && { Connection: 'close' }),
  })
  response.end()
}

type Context = { readonly cert: Buffer; readonly key: Buffer; readonly ca: readonly string[] }

/** What a handshake needs: our certificate, and the authorities of all connections, by which a bank chooses the certificate that it shows. */
const contextOf = ({ identity, targets }: NoticeListenerOptions): Context & { readonly ca: string[] } => {
  const ca = new Set<string>()
  for (const { peer } of targets.all())
    if (peer !== null) for (const one of authoritiesOf(peer)) ca.add(one.toString())
  return { ...identity.current(), ca: [...ca].sort() }
}

const isSameContext = (one: Context, other: Context): boolean =>
  one.cert.equals(other.cert) && one.key.equals(other.key) && one.ca.join() === other.ca.join()

const close = async (server: Server, graceMs: number): Promise<void> => {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const late = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(late)
}
