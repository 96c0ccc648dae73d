import { isatty } from 'node:tty'
import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino'
import type { Settings } from '../base/settings.ts'
import { prettyLine } from './pretty-line.ts'
import { openRepeats } from './repeats.ts'

/**
 * Opens the log: one JSON line per message with an ISO 8601 time, or lines for people on a terminal or if set so. Warnings and errors
 * that repeat are written once a minute.
 */
export const openLog = ({ logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>): Logger => {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && isatty(standardOutput))
  const repeats = openRepeats(
    () => performance.now(),
    ({ message, times, lastedMs }) => log.info({ times, lastedMs }, `over: ${message}`),
  )
  setInterval(repeats.look, lookEveryMs).unref()
  const options: LoggerOptions = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorView },
    hooks: {
      logMethod: (args, write, level) => {
        if (level !== warning && level !== error) return write.apply(log, args)
        const [details, message] = lineOf(args)
        const leftOut = repeats.take(keyOf(level, details, message), message)
        if (leftOut !== null) write.call(log, leftOut === 0 ? details : { ...details, leftOut }, message)
      },
    },
  }
  const log = isPretty ? pino(options, forPeople()) : pino(options)
  return log
}

const warning = pino.levels.values.warn
const error = pino.levels.values.error
const lookEveryMs = 5_000

/** Details and message of a call, which may have no details. */
const lineOf = (args: readonly unknown[]): readonly [details: Details, message: string] =>
  typeof args[0] === 'string' ? [{}, args[0]] : [Object(args[0]), String(args[1])]

type Details = { readonly err?: unknown }

/** Lines are alike when level, details and text are equal, except for figures in MiB. */
const keyOf = (level: number, { err, ...details }: Details, message: string): string => {
  const cause = err instanceof Error ? err.message : String(err)
  return JSON.stringify([level, details, `${message} ${cause}`.replace(changing, '#')])
}

const changing = /\b\d+ MiB\b/g

/** An error without its stack if the machine is the cause: the code holds nothing to look for. */
const errorView = (thrown: Error): object => {
  const view = pino.stdSerializers.err(thrown)
  if (!isOfMachine(thrown)) return view
  const { stack: _, ...rest } = view
  return rest
}

/** A failed call of the system (no space, no descriptors, refused connection), or an error that stems from one. */
const isOfMachine = (thrown: unknown): boolean =>
  thrown instanceof Error && ('syscall' in thrown || isOfMachine(thrown.cause))

/** Synchronous: people read too slowly for the speed of this output to matter. */
const forPeople = (): DestinationStream => {
  const output = destination({ fd: standardOutput, sync: true })
  // https://no-color.org
  const hasColors = isatty(standardOutput) && !process.env.NO_COLOR
  return { write: (line) => void output.write(prettyLine(line, hasColors)) }
}

const standardOutput = 1
