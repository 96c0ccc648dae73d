import { isatty } from 'node:tty'
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { Settings } from '../settings.ts'
import { prettyLine } from './pretty-line.ts'

/** One JSON line each, with an ISO 8601 time; on a terminal, or where it is set so, lines for people. */
export const openLog = ({ logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>): Logger => {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && isatty(standardOutput))
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return isPretty ? pino(options, forPeople()) : pino(options)
}

/** Written at once: nobody reads so fast that it would matter. */
const forPeople = (): DestinationStream => {
  const output = destination({ fd: standardOutput, sync: true })
  // https://no-color.org
  const hasColors = isatty(standardOutput) && !process.env.NO_COLOR
  return { write: (line) => void output.write(prettyLine(line, hasColors)) }
}

const standardOutput = 1
