// What operators reach: the admin listener on the loopback with its operations, and the command line that calls
// it.
import { isAbsolute } from 'node:path'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { type Input, optionalTextOf, readText } from '../operations/input.ts'
import { refuseInvalid } from '../problems/refusal.ts'
import type { LongOperation } from './long-operations.ts'

/** Copies the data directory of the running service, or the part of it that an earlier backup does not have. */
export type MakeBackup = (
  request: {
    readonly path: string
    readonly after: string | null
    readonly verify: boolean
    readonly masterKey: boolean
  },
  onProgress: (progress: object) => void,
  signal: AbortSignal,
) => Promise<MadeBackup>

export type MadeBackup = {
  readonly path: string
  readonly kind: 'FULL' | 'INCREMENT'
  /** The backup that an increment continues. */
  readonly after: string | null
  /** Everything acknowledged before this time is in the backup. */
  readonly pointMs: number
  readonly shards: readonly { readonly entries: number }[]
  /** Null if the backup was not verified, and for an increment. */
  readonly transactions: number | null
  readonly problems: readonly string[] | null
  readonly bytes: number
  readonly masterKey: boolean
}

/** The operation behind `payments backup`: makes a backup and reports progress. */
export const backupOperation =
  (
    make: MakeBackup,
    log: {
      readonly info: (detail: object, message: string) => void
      readonly warn: (detail: object, message: string) => void
    },
  ): LongOperation =>
  async (input, { send, signal }) => {
    const path = readText(input, 'path')
    const after = optionalTextOf(input, 'after') ?? null
    if (!isAbsolute(path)) refuseInvalid('path must be absolute')
    if (after !== null && !isAbsolute(after)) refuseInvalid('after must be absolute')
    const request = { path, after, verify: flagOf(input, 'verify'), masterKey: flagOf(input, 'masterKey') }
    log.info(request, 'a backup begins')
    try {
      const view = backupView(await make(request, send, signal))
      log.info(view, 'a backup is made')
      return view
    } catch (error) {
      log.warn({ path, reason: (error as Error).message }, 'a backup was not made')
      throw error
    }
  }

const backupView = ({
  path,
  kind,
  after,
  pointMs,
  shards,
  transactions,
  problems,
  bytes,
  masterKey,
}: MadeBackup) => ({
  object: 'backup',
  path,
  kind,
  after,
  pointAt: isoInstant(pointMs),
  shards: shards.length,
  entries: shards.reduce((sum, { entries }) => sum + entries, 0),
  transactions,
  bytes,
  masterKey: masterKey ? 'INCLUDED' : 'LEFT_OUT',
  verified: problems !== null,
  problems: problems ?? [],
})

const flagOf = (input: Input, name: string): boolean => {
  const value = input[name] ?? true
  return typeof value === 'boolean' ? value : refuseInvalid(`${name} must be true or false`)
}
