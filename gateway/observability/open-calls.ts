import { isCallOpen } from '../../engine/engine.ts'
import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import { environmentOf } from '../../engine/shared/ids.ts'

/** Ages of calls, each with the milliseconds that it begins at. */
const ages = { under_1m: 0, under_1h: 60_000, under_24h: 3_600_000, over_24h: 86_400_000 } as const
export type CallAge = keyof typeof ages

/** The calls of Production that banks have not answered decisively, of one worker. */
export type OpenCalls = {
  /** A call is made, or repeated. */
  readonly onCall: (request: ProviderCallRequest, shard: number) => void
  /** Facts are on disk: they may have ended calls. */
  readonly onFlushed: (entry: FlushedEntry) => void
  /** A shard has come, or has gone: its calls are another's now, or are made anew. */
  readonly onLead: (shard: number) => void
  readonly counts: () => Readonly<Record<CallAge, number>>
}

/**
 * Counts open calls by their age. A call that waits for its repetition when a node takes its shard is counted from that repetition on, which
 * comes within ten minutes on its first day, and within six hours later.
 */
export const openOpenCalls = (realNow: () => number): OpenCalls => {
  const byActor = new Map<string, { readonly shard: number; readonly opened: Map<string, number> }>()
  return {
    onCall: ({ accountId, reference, openedAtMs }, shard) => {
      if (environmentOf(accountId) !== 'PRODUCTION') return
      const actor = reference.slice(0, reference.indexOf('.'))
      const known = byActor.get(actor)
      if (known === undefined) byActor.set(actor, { shard, opened: new Map([[reference, openedAtMs]]) })
      else known.opened.set(reference, openedAtMs)
    },
    onFlushed: ({ steps }) => {
      if (byActor.size === 0) return
      for (const { event, after } of steps) {
        const opened = byActor.get(event.id)?.opened
        if (opened === undefined) continue
        for (const callId of opened.keys()) if (!isCallOpen(event.actor, after, callId)) opened.delete(callId)
        if (opened.size === 0) byActor.delete(event.id)
      }
    },
    onLead: (shard) => {
      for (const [actor, one] of byActor) if (one.shard === shard) byActor.delete(actor)
    },
    counts: () => {
      const counts = { under_1m: 0, under_1h: 0, under_24h: 0, over_24h: 0 }
      const nowMs = realNow()
      for (const { opened } of byActor.values())
        for (const openedAtMs of opened.values()) counts[ageOf(nowMs - openedAtMs)] += 1
      return counts
    },
  }
}

const ageOf = (ms: number): CallAge =>
  (Object.keys(ages) as CallAge[]).findLast((age) => ms >= ages[age]) ?? 'under_1m'
