import { isatty } from 'node:tty'
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { Settings } from '../settings.ts'
import { prettyLine } from './pretty-line.ts'

/** Opens the log: one JSON line per message with an ISO 8601 time, or lines for people on a terminal or if set so. */
export const openLog = ({ logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>): Logger => {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && isatty(standardOutput))
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  return isPretty ? pino(options, forPeople()) : pino(options)
}

/** Synchronous: people read too slowly for the speed of this output to matter. */
const forPeople = (): DestinationStream => {
  const output = destination({ fd: standardOutput, sync: true })
  // https://no-color.org
  const hasColors = isatty(standardOutput) && !process.env.NO_COLOR
  return { write: (line) => void output.write(prettyLine(line, hasColors)) }
}

const standardOutput = 1
