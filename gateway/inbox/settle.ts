import type { Command } from '../../engine/kernel/registry.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { Fetched, RailNotice, RailObject } from '../providers/port.ts'
import type { Reporting } from './reporting.ts'

/** The commands that book an object at the bank; null for what nothing here can take. Each of them counts once, however often it is sent. */
export type BookingsOf = (object: RailObject, reporting: Reporting) => readonly Command[] | null

/** The commands that put money into suspense which belongs to nothing here; null for what is no money. */
export type UnmatchedOf = (object: RailObject, reporting: Reporting) => readonly Command[] | null

export type SettleOptions = {
  readonly execute: (command: Command) => Promise<Reply>
  readonly bookingsOf: BookingsOf
  readonly unmatchedOf: UnmatchedOf
  readonly onFault: (error: unknown, reporting: Reporting) => void
}

/**
 * Objects that were fetched and belong to nothing known here, by their names: each minute it is tried to book them, and the bank need not be asked
 * each time. The account at the bank may have money of other programs, too.
 */
export type UnknownObjects = Map<string, RailObject>
const unknownMax = 5_000

/** What became of one thing that a bank has named. */
export type Settled =
  /** It is booked, now or before. */
  | 'TAKEN'
  /** What it belongs to cannot take it. */
  | 'REFUSED'
  /** It is in suspense. */
  | 'UNMATCHED'
  /** Nothing here is known by its ids: it may have overtaken the answer to REGISTER. */
  | 'UNKNOWN'
  /** The bank itself does not know it. */
  | 'ABSENT'
  /** The bank, or the account's shard, did not answer. */
  | 'SILENT'

/**
 * Fetches what a notice names, and books it as the bank has it: a notice is a hint, and nothing in it is booked. With `isOverdue`, money that
 * still belongs to nothing is put into suspense.
 */
export const settleNoticed = async (
  options: SettleOptions,
  reporting: Reporting,
  notice: RailNotice,
  isOverdue: boolean,
  unknown: UnknownObjects,
): Promise<Settled> => {
  const name = objectNamedBy(notice)
  try {
    const known = isOverdue ? undefined : unknown.get(name)
    unknown.delete(name)
    const fetched: Fetched =
      known === undefined
        ? ((await reporting.instance.fetch?.(notice)) ?? { type: 'NOT_FOUND' })
        : { type: 'FOUND', object: known }
    if (fetched.type !== 'FOUND') return fetched.type === 'SILENT' ? 'SILENT' : 'ABSENT'
    const { object } = fetched
    const bookings = options.bookingsOf(object, reporting)
    if (bookings === null) return 'REFUSED'
    const settled = await executeAll(options, bookings)
    if (settled === 'UNKNOWN' && !isOverdue && unknown.size < unknownMax) unknown.set(name, object)
    if (settled !== 'UNKNOWN' || !isOverdue) return settled
    const unmatched = options.unmatchedOf(object, reporting)
    if (unmatched === null) return 'REFUSED'
    return (await executeAll(options, unmatched)) === 'TAKEN' ? 'UNMATCHED' : 'REFUSED'
  } catch (error) {
    if (!(error instanceof ShardUnavailable)) options.onFault(error, reporting)
    return 'SILENT'
  }
}

/** Executes bookings of one object, one after the other: the returns of a payment follow it. */
export const executeAll = async (
  { execute }: SettleOptions,
  commands: readonly Command[],
): Promise<'TAKEN' | 'REFUSED' | 'UNKNOWN'> => {
  let settled: 'TAKEN' | 'REFUSED' = 'TAKEN'
  for (const command of commands) {
    const reply = await execute(command)
    if (reply.accepted || reply.rejection.reason === 'ALREADY_RECEIVED') continue
    const { reason } = reply.rejection
    if (reason === 'NOT_FOUND' || reason === 'ACCOUNT_ABSENT') return 'UNKNOWN'
    settled = 'REFUSED'
  }
  return settled
}

/** What a notice is about: notices of one object are settled by fetching it once. */
export const objectNamedBy = ({ kind, key, data }: RailNotice): string =>
  kind === 'PIX_IN' || kind === 'PIX_RETURN' ? `PIX ${data.endToEndId}` : `${kind} ${key}`

/** The name by which a notice counts once for its connection. */
export const nameOfNotice = ({ kind, key }: Pick<RailNotice, 'kind' | 'key'>): string => `${kind} ${key}`
