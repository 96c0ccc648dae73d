import { randomBytes } from 'node:crypto'
import { lookup as lookUp } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { type Command, InvalidArgumentError } from 'commander'
import type { EndpointSignature } from '../../../../engine/companies/endpoint.ts'
import { type Environment, newId } from '../../../../engine/shared/ids.ts'
import { systemEntropy } from '../../../base/entropy.ts'
import { localhost } from '../../../webhooks/address.ts'
import { pinnedTo } from '../../../webhooks/connect.ts'
import { newWebhookSecret, type Sent, webhookHeaders } from '../../../webhooks/headers.ts'
import { type CommandContext, environmentOption, followOperation } from '../command.ts'
import { displayText } from '../output/display-text.ts'
import { paint, standardOutput, type Terminal } from '../output/terminal.ts'
import type { Answer } from '../service.ts'
import { type HeaderOptions, withEndpointOptions } from './endpoint-options.ts'

/** `payments listen`: shows the events of a company as they happen, and forwards them to a server of the developer's own. */
export const addListenCommand = (program: Command, context: CommandContext): void => {
  const listen = program
    .command('listen')
    .description('show the events of a company as they happen, and forward them to a server of your own')
    .option(
      '--forward-to <url>',
      'where each is sent, signed as webhooks are: http://localhost:3000/webhooks',
      urlOf,
    )
    .option('--company <id>', 'whose events (may be left out where there is only one)')
    .addOption(environmentOption('sandbox or production').default('sandbox'))
    .option('--events <list>', 'event types, separated by commas (all by default)')
    .option('--secret <whsec>', 'what signs them (by default a new one, shown at the start)')
    .action(async (options: ListenOptions) => {
      const { forwardTo, secret = newWebhookSecret(randomBytes), signature, header, json, ...input } = options
      const signed = { secret, signature: signature ?? 'service', headers: ownHeaders(header) }
      const terminal = standardOutput()
      // One after the other, so that the server gets them in order.
      let forwarding = Promise.resolve()
      await followOperation(context, 'listen', input, (message) => {
        if (message.object === 'event_feed') {
          // With JSON on standard output for programs, messages for people go to standard error.
          const print = context.isJson() ? console.error : console.log
          for (const line of welcome(message, forwardTo ?? null, secret, terminal)) print(line)
          return
        }
        const event = message as unknown as FeedEvent
        forwarding = forwarding.then(async () => {
          const forwarded = forwardTo === undefined ? null : await forward(event, forwardTo, signed)
          if (context.isJson()) console.log(JSON.stringify({ ...JSON.parse(event.body), forwarded }))
          else for (const line of eventLines(event, forwarded, terminal)) console.log(line)
        })
      })
      await forwarding
    })
  withEndpointOptions(listen)
}

/** The options that are not members of the input. */
type ListenOptions = {
  readonly forwardTo?: string
  readonly secret?: string
  readonly signature?: EndpointSignature
  readonly header?: HeaderOptions
  readonly json?: boolean
}

const ownHeaders = (header: HeaderOptions = {}) =>
  Object.entries(header).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]))

/** An event of the feed; the body is exactly what endpoints get. */
export type FeedEvent = {
  readonly id: string
  readonly type: string
  readonly environment: Environment
  readonly body: string
}

export type Forwarded = {
  /** Null if no answer came. */
  readonly status: number | null
  readonly ms: number
  /** What the server answered if it refused the event, or why no answer came. */
  readonly trouble: string | null
}

/** Forwards an event once, signed like an attempt. Nothing is retried, because a person is watching. */
export const forward = async (
  event: FeedEvent,
  url: string,
  signed: Pick<Sent, 'secret' | 'signature' | 'headers'>,
): Promise<Forwarded> => {
  const startedMs = performance.now()
  const sent: Sent = {
    ...signed,
    body: Buffer.from(event.body),
    eventId: event.id,
    eventType: event.type,
    deliveryId: newId('dlv', Date.now(), entropy),
    environment: event.environment,
  }
  const sinceStart = (): number => Math.round(performance.now() - startedMs)
  try {
    const { status, text } = await post(url, sent)
    const isTaken = status >= 200 && status < 300
    return { status, ms: sinceStart(), trouble: isTaken ? null : text.slice(0, 300) }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return { status: null, ms: sinceStart(), trouble: code ?? message }
  }
}

/** Each event has a connection of its own: a kept one may be closed by the time of the next event. */
const post = (url: string, sent: Sent): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const headers = Object.fromEntries(inPairs(webhookHeaders(sent, Math.floor(Date.now() / 1000))))
    const request = (url.startsWith('https:') ? requestSecure : requestPlain)(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': sent.body.length },
      agent: false,
      lookup,
      signal: AbortSignal.timeout(answerMsMax),
    })
    request.on('error', reject)
    request.on('response', (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode!, text }), reject)
    })
    request.end(sent.body)
  })

/** As for deliveries, `localhost` is both addresses, whatever this machine's own list of hosts says; other names may be in that list. */
const lookup: LookupFunction = (hostname, options, callback) =>
  hostname === 'localhost'
    ? pinnedTo(localhost)(hostname, options, callback)
    : lookUp(hostname, options, callback)

const entropy = systemEntropy()
const answerMsMax = 10_000

const inPairs = (headers: readonly string[]): [string, string][] =>
  headers.flatMap((name, n) => (n % 2 === 0 ? [[name, headers[n + 1]!] as [string, string]] : []))

const welcome = (
  { companyId, environment }: Answer,
  forwardTo: string | null,
  secret: string,
  terminal: Terminal,
): readonly string[] => [
  `Listening to ${displayText(environment)} events of ${displayText(companyId)}; Ctrl-C ends it.`,
  ...(forwardTo === null ? [] : [`They go to ${forwardTo}, signed with ${paint(terminal, 'bold', secret)}`]),
  '',
]

/** An event as lines for people, with the outcome of its forwarding. */
const eventLines = (
  { id, type, body }: FeedEvent,
  forwarded: Forwarded | null,
  terminal: Terminal,
): readonly string[] => {
  const { createdAt, data } = JSON.parse(body) as { createdAt: string; data: { id?: string } }
  const head = [
    paint(terminal, 'gray', createdAt.slice(0, 19).replace('T', ' ')),
    paint(terminal, 'bold', type.padEnd(22)),
    id,
    displayText(data.id),
  ].join('  ')
  if (forwarded === null) return [head]
  const { status, ms, trouble } = forwarded
  const isDelivered = status !== null && status < 300
  const outcome = `${status ?? 'no answer'} in ${ms} ms${trouble ? `: ${displayText(trouble)}` : ''}`
  return [head, `          ${paint(terminal, isDelivered ? 'green' : 'red', `→ ${outcome}`)}`]
}

const urlOf = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href
  throw new InvalidArgumentError('Write http://localhost:3000/webhooks.')
}
