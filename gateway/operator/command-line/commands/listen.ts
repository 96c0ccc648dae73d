import { randomBytes } from 'node:crypto'
import { type Command, InvalidArgumentError } from 'commander'
import { type Environment, newId } from '../../../../engine/shared/ids.ts'
import { systemEntropy } from '../../../base/entropy.ts'
import { newWebhookSecret, webhookHeaders } from '../../../webhooks/headers.ts'
import { type CommandContext, environmentOption, followOperation } from '../command.ts'
import { displayText } from '../output/display-text.ts'
import { paint, standardOutput, type Terminal } from '../output/terminal.ts'
import type { Answer } from '../service.ts'

/** `payments listen`: shows the events of a company as they happen, and forwards them to a server of the developer's own. */
export const addListenCommand = (program: Command, context: CommandContext): void => {
  program
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
      const { forwardTo, secret = newWebhookSecret(randomBytes), json: _, ...input } = options
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
          const forwarded = forwardTo === undefined ? null : await forward(event, forwardTo, secret)
          if (context.isJson()) console.log(JSON.stringify({ ...JSON.parse(event.body), forwarded }))
          else for (const line of eventLines(event, forwarded, terminal)) console.log(line)
        })
      })
      await forwarding
    })
}

/** The options that are not members of the input. */
type ListenOptions = { readonly forwardTo?: string; readonly secret?: string; readonly json?: boolean }

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
export const forward = async (event: FeedEvent, url: string, secret: string): Promise<Forwarded> => {
  const startedMs = performance.now()
  const body = Buffer.from(event.body)
  const deliveryId = newId('dlv', Date.now(), entropy)
  const headers = webhookHeaders(
    { secret, body, eventType: event.type, deliveryId, environment: event.environment },
    Math.floor(Date.now() / 1000),
  )
  const sinceStart = (): number => Math.round(performance.now() - startedMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: inPairs(headers),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMsMax),
    })
    const text = await response.text()
    return { status: response.status, ms: sinceStart(), trouble: response.ok ? null : text.slice(0, 300) }
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string }
    return { status: null, ms: sinceStart(), trouble: cause?.code ?? message }
  }
}

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
