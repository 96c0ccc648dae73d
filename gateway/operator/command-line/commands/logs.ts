import type { Command } from 'commander'
import { type CommandContext, followOperation } from '../command.ts'
import { displayText } from '../output/display-text.ts'
import { paint, type Style, standardOutput, type Terminal } from '../output/terminal.ts'
import type { Answer } from '../service.ts'

/** `payments logs`: shows API requests as the service answers them. */
export const addLogsCommand = (program: Command, context: CommandContext): void => {
  program
    .command('logs')
    .description('show the requests of the API as this node answers them')
    .option('--company <id>', 'those of one company')
    .option('--status <list>', 'those with a status: 404, or 4xx,5xx')
    .action(async ({ json: _, ...input }: Answer) => {
      const terminal = standardOutput()
      await followOperation(context, 'logs', input, (message) => {
        if (context.isJson()) console.log(JSON.stringify(message))
        else if (message.object === 'request_feed') console.log('Waiting for requests; Ctrl-C ends it.\n')
        else if (message.object === 'missed')
          console.log(paint(terminal, 'gray', `… ${displayText(message.requests)} more, too many to show`))
        else console.log(requestLine(message as unknown as FeedRequest, terminal))
      })
    })
}

/** A request of the feed. */
export type FeedRequest = {
  readonly atMs: number
  readonly verb: string
  readonly path: string
  readonly status: number
  readonly code: string | null
  readonly durationMs: number
  readonly requestId: string
}

/** A request as one line for people. */
const requestLine = (
  { atMs, verb, path, status, code, durationMs, requestId }: FeedRequest,
  terminal: Terminal,
): string =>
  [
    paint(terminal, 'gray', new Date(atMs).toISOString().slice(11, 23)),
    paint(terminal, styleOf(status), String(status)),
    verb.padEnd(6),
    displayText(path),
    ...(code === null ? [] : [paint(terminal, styleOf(status), code)]),
    `${durationMs} ms`,
    paint(terminal, 'gray', requestId),
  ].join('  ')

const styleOf = (status: number): Style => {
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}
