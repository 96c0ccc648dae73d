import { dateIn, instantOf } from '../../shared/calendar.ts'
import type { AskedTransfer } from '../asked.ts'
import { newEndToEndId } from '../lookups/lookup-deciders.ts'
import { bankTransfer, ownBankOf } from './bank.ts'
import type { MoneyOutDefinition } from './method.ts'

/** A PIX costs nothing and runs at any time. It travels under the end-to-end id of its look-up, or under a new one. */
export const pixTransfer: MoneyOutDefinition<AskedTransfer> = {
  ...bankTransfer,
  runTimeOf: (timeZone, scheduledFor, nowMs) =>
    scheduledFor !== null && scheduledFor > dateIn(timeZone, nowMs)
      ? instantOf(timeZone, scheduledFor, scheduledAtMs)
      : nowMs,
  sentBy: (draft, { lookupId }, way) => {
    const providerId = ownBankOf(way)
    // A bank gives what it sends ids of its own.
    if (providerId !== null) return { providerId, railId: null }
    const lookup = lookupId === null ? undefined : draft.find('keyLookup', lookupId)
    return { providerId, railId: lookup?.endToEndId ?? newEndToEndId(draft) }
  },
}

/** The time of its day at which a scheduled PIX runs. */
const scheduledAtMs = 8 * 3_600_000
