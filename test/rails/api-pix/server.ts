import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { TlsIdentity } from '../certificates.ts'
import type { SimulatedBank } from './bank.ts'
import { type ContractOperation, operations } from './contract/operations.ts'
import { operationOf, type RailContract, type RailExchange } from './contract/validator.ts'
import { happenAfter, happenBefore } from './fault-actions.ts'
import { changed } from './faults.ts'
import { type Answered, carryOut } from './interface.ts'
import { refuse } from './problems.ts'
import { isErrorOfEfi, type RenderedAnswer, render, sendRendered } from './render.ts'
import { type BankClient, openTokens, wrongHeader } from './tokens.ts'

export type BankServer = {
  readonly url: string
  /** The newest: all but in runs of more than 50,000. */
  readonly requests: () => readonly RailRequest[]
  /** All tokens end: the next request with one is answered 401. */
  readonly revokeTokens: () => void
  readonly stop: () => Promise<void>
}

/** A request as it was met, for tests that count them; the status is null where none was given. */
export type RailRequest = {
  readonly verb: string
  readonly path: string
  readonly sent: unknown
  readonly status: number | null
}

export type ServerOptions = {
  readonly bank: SimulatedBank
  readonly contract: RailContract
  /** The official document's opinion, which must not be stricter than the contract. */
  readonly official?: RailContract
  /** What the bank offers beside API Pix. */
  readonly own: readonly ContractOperation[]
  readonly client: BankClient
  readonly identity: TlsIdentity
  /** The authority of the clients' certificates. */
  readonly clientAuthority: string
  readonly port?: number
}

/** Starts the bank's interface: TLS with the client's certificate, tokens, the contract, and faults before and behind all of it. */
export const startBankServer = async (options: ServerOptions): Promise<BankServer> => {
  const { bank, client } = options
  const { clock, profile } = bank.context
  const tokens = openTokens(bank.context, client)
  const faultContext = { clock, errors: profile.errors }
  const requests: RailRequest[] = []

  const answerTo = async (request: IncomingMessage, url: URL, text: string): Promise<Answered> => {
    const scopes = tokens.scopesOf(request)
    if (scopes === null) return refuse(401, 'NaoAutorizado', 'O token não é válido.')
    const header = wrongHeader(bank.context, client, request, url.searchParams)
    if (header !== null)
      return refuse(403, 'AcessoNegado', `O cabeçalho ${header} falta ou não é o da aplicação.`)
    return answerWithin(options, scopes, request, url, text)
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A request may come with the end of the handshake.
    if (request.socket.destroyed) return
    const text = await readAll(request)
    const url = new URL(request.url!, 'https://bank')
    const verb = request.method!
    const entry = { verb, path: url.pathname + url.search, sent: parsed(text), status: null as number | null }
    requests.push(entry)
    if (requests.length > 2 * requestsKept) requests.splice(0, requestsKept)
    const fault = bank.faults.take(verb, url.pathname)
    if (fault !== null && (await happenBefore(fault, response, faultContext))) return
    const isForToken = url.pathname === profile.tokenPath
    const answer = isForToken ? tokens.give(request, text) : await answerTo(request, url, text)
    const shown = render(answer, profile.errors)
    entry.status = shown.status
    if (fault !== null && (await happenAfter(fault, response, shown, faultContext))) return
    sendRendered(response, fault?.kind === 'change' ? changedAnswer(shown, fault.set) : shown)
  }

  const server = createTlsServer(
    {
      cert: options.identity.cert,
      key: options.identity.key,
      ca: options.clientAuthority,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
    },
    (request, response) => {
      handle(request, response).catch((error) => {
        // A client that went away in the middle is no fault of the bank.
        if (request.destroyed && error.code === 'ECONNRESET') return
        bank.onViolation(`simulator failed: ${error.stack}`, request.url)
        if (!response.headersSent) response.writeHead(500).end()
      })
    },
  )
  // Node holds certificates against the machine's clock; this bank has one of its own.
  server.on('secureConnection', (socket: TLSSocket) => {
    if (hasExpired(socket, clock.nowMs())) socket.destroy()
  })

  const door = await openDoor(bank, (socket) => server.emit('connection', socket), options.port)
  return {
    url: `https://localhost:${door.port}`,
    requests: () => [...requests],
    revokeTokens: tokens.revokeAll,
    stop: door.close,
  }
}

const hasExpired = (socket: TLSSocket, nowMs: number): boolean => {
  const { valid_to } = socket.getPeerCertificate()
  return valid_to !== undefined && Date.parse(valid_to) <= nowMs
}

/** A bank that runs for hours under load remembers the newest. */
const requestsKept = 50_000

/** The connections stand before TLS, so that a bank can take them and say nothing. */
const openDoor = async (bank: SimulatedBank, letIn: (socket: Socket) => unknown, port = 0) => {
  const sockets = new Set<Socket>()
  const door = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    const connections = bank.faults.connections()
    if (connections === 'refused') socket.resetAndDestroy()
    else if (connections === 'open') letIn(socket)
  })
  await new Promise<void>((resolve) => door.listen(port, '127.0.0.1', resolve))
  return {
    port: (door.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise((resolve) => door.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Answers a request whose token is good: what it asks and what is answered are held against the contract. */
const answerWithin = async (
  { bank, contract, official, own }: ServerOptions,
  scopes: readonly string[],
  request: IncomingMessage,
  url: URL,
  text: string,
): Promise<Answered> => {
  const { profile } = bank.context
  const verb = request.method!
  const path = pathBelow(profile.base, own, verb, url.pathname)
  const query = Object.fromEntries(
    [...url.searchParams].filter(([name]) => !profile.headers.some((known) => known.name === name)),
  )
  const sent = parsed(text)
  const exchange: RailExchange = { verb, path, query, sent, status: 0, media: null, answer: undefined }
  const found = operationOf([...own, ...operations], verb, path)
  const isOfDocument = operationOf(own, verb, path) === null
  const wrong = contract.ofRequest(exchange)
  if (wrong.length > 0) bank.onViolation(`request ${verb} ${path}: ${wrong.join('; ')}`, exchange)
  if (found === null) return refuse(404, 'NaoEncontrado', 'Recurso não encontrado.')
  // What the document forbids our contract must have forbidden as well.
  if (official !== undefined && isOfDocument && wrong.length === 0)
    for (const what of official.ofRequest(exchange))
      bank.onViolation(`official document, ${verb} ${path}: ${what}`, exchange)
  if (!scopes.includes(found.operation.scope))
    return refuse(403, 'AcessoNegado', `O escopo ${found.operation.scope} não foi concedido.`)
  const answer =
    wrong.length > 0
      ? refuse(400, invalidName(found.operation), 'A requisição não respeita o schema.', violacoes(wrong))
      : await carryOut(bank, { ...found, query, headers: headersOf(request), body: sent })

  const shown: RailExchange = { ...exchange, ...render(answer, profile.errors) }
  for (const what of contract.ofAnswer(shown)) bank.onViolation(`answer to ${verb} ${path}: ${what}`, shown)
  if (official !== undefined && isOfDocument && !isErrorOfEfi(shown.answer))
    for (const what of official.ofAnswer(shown))
      bank.onViolation(`official document, answer to ${verb} ${path}: ${what}`, shown)
  return answer
}

/** The bank's own operations are known by their whole path, those of API Pix below its base. */
const pathBelow = (base: string, own: readonly ContractOperation[], verb: string, path: string): string =>
  operationOf(own, verb, path) !== null || !path.startsWith(`${base}/`) ? path : path.slice(base.length)

const changedAnswer = (shown: RenderedAnswer, set: Readonly<Record<string, unknown>>): RenderedAnswer => ({
  ...shown,
  answer: changed(shown.answer, set),
})

const invalidName = ({ path }: ContractOperation): string => {
  const [, resource, ...rest] = path.split('/')
  if (rest.includes('devolucao')) return 'PixDevolucaoInvalida'
  return invalidNames[resource!] ?? 'RequisicaoInvalida'
}

const invalidNames: Readonly<Record<string, string>> = {
  cob: 'CobOperacaoInvalida',
  cobv: 'CobVOperacaoInvalida',
  pix: 'PixConsultaInvalida',
  rec: 'RecOperacaoInvalida',
  solicrec: 'SolicRecOperacaoInvalida',
  cobr: 'CobROperacaoInvalida',
  webhook: 'WebhookOperacaoInvalida',
}

const violacoes = (wrong: readonly string[]) =>
  wrong.map((razao) => ({ razao, propriedade: razao.split(' ')[0]! }))

const headersOf = (request: IncomingMessage): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))

const parsed = (text: string): unknown => {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const readAll = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
