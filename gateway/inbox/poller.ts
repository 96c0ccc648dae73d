import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { RailNotice } from '../providers/port.ts'
import { type InboxLane, later, settleAll } from './lane.ts'
import { noticeKeyOf, packBody } from './notice-body.ts'
import { nameOfNotice } from './settle.ts'

/**
 * Asks a bank each minute for what it has not reported (rails, section 2.7). The cursor moves when everything before it is on disk: booked, or
 * as an open notice. `onPolled` is called after each poll.
 */
export const startPolls = (lane: InboxLane, onPolled: () => void): void => {
  const { instance } = lane.reporting
  if (instance.poll === undefined) return
  const poll = instance.poll
  /** Null before the stored one is known. */
  let cursor: { text: string | null; stored: string | null; storedAtMs: number } | null = null

  const round = async (): Promise<void> => {
    if (cursor === null) {
      const stored = (await lane.shard.cursors())[loop] ?? null
      cursor = { text: stored, stored, storedAtMs: Number.NEGATIVE_INFINITY }
    }
    for await (const page of poll(cursor.text, lane.realNow())) {
      if (lane.isClosed) return
      const found = await keep(lane, page.notices)
      const nowMs = lane.realNow()
      // A cursor that is a little old only has the bank asked for more: not every minute without news needs an entry.
      if (page.cursor !== cursor.stored && (found || nowMs - cursor.storedAtMs >= storedEveryMs)) {
        await lane.shard.advance(loop, page.cursor)
        cursor.stored = page.cursor
        cursor.storedAtMs = nowMs
      }
      cursor.text = page.cursor
    }
  }

  const run = async (): Promise<void> => {
    const startedAtMs = lane.realNow()
    await round().catch((error: unknown) => {
      if (!(error instanceof ShardUnavailable)) lane.onFault(error, lane.reporting)
    })
    if (lane.isClosed) return
    onPolled()
    const tookMs = lane.realNow() - startedAtMs
    const spreadMs = (lane.random() - 0.5) * everyMs * 0.1
    later(lane, Math.max(everyMs - tookMs, everyMs / 10) + spreadMs, () => void run())
  }

  // After a takeover many connections begin at one moment.
  later(lane, lane.random() * firstWithinMs, () => void run())
}

const loop = 'UNREPORTED'
const everyMs = 60_000
const firstWithinMs = 5_000
const storedEveryMs = 600_000

/** Books what a poll has found, and has what cannot be booked yet kept as notices. Resolves to whether there was anything new. */
const keep = async (lane: InboxLane, notices: readonly RailNotice[]): Promise<boolean> => {
  const fresh = notices.filter((notice) => {
    const name = nameOfNotice(notice)
    return !lane.settled.has(name) && !lane.awaited.has(name)
  })
  const settled = await settleAll(lane, fresh, false)
  for (const { notice, settled: outcome } of settled) {
    if (outcome === 'REFUSED')
      lane.onAlert({
        kind: 'REFUSED_NOTICE',
        connectionId: lane.reporting.connectionId,
        accountId: lane.reporting.accountId,
        detail: nameOfNotice(notice),
      })
    if (outcome !== 'UNKNOWN' && outcome !== 'ABSENT' && outcome !== 'SILENT') continue
    const body = Buffer.from(JSON.stringify([notice]))
    const packed = await packBody(body)
    const key = noticeKeyOf('poll', Buffer.from(nameOfNotice(notice)))
    await lane.shard.receive({ key, source: 'POLL', path: '', headers: {}, packed })
  }
  return fresh.length > 0
}
