import { type Logger, pino } from 'pino'
import type { Settings } from './settings.ts'

/** One JSON line each, with an ISO 8601 time. */
export const openLog = (settings: Settings): Logger =>
  pino({ level: settings.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime })
