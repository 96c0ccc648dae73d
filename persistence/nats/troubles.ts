import { errors } from '@nats-io/transport-node'
import { StreamMismatch } from './require-stream.ts'

/** Receives each trouble once: an error when an operator has to act, a warning when it may pass. */
export type StreamLog = {
  readonly warn: (message: string) => void
  readonly error: (message: string) => void
}

/** Reports each trouble once, and again when its reason changes or it recurs. */
export const newTroubles = (log: StreamLog) => {
  const reported = new Map<Trouble, string>()
  return {
    report: (what: Trouble, error: unknown): void => {
      const reason = errorText(error)
      if (reported.get(what) === reason) return
      reported.set(what, reason)
      log[isToMend(error) ? 'error' : 'warn'](`${what}: ${reason}`)
    },
    over: (...these: Trouble[]): void => {
      for (const what of these) reported.delete(what)
    },
  }
}

export const trouble = {
  connection: 'NATS cannot be used',
  stream: 'the event stream cannot be used',
} as const
type Trouble = (typeof trouble)[keyof typeof trouble]

/** The message of any thrown value. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const isToMend = (error: unknown): boolean => {
  const reason = (error as Error | null)?.cause ?? error
  return toMend.some((kind) => reason instanceof kind)
}

const toMend = [StreamMismatch, errors.AuthorizationError, errors.PermissionViolationError]
