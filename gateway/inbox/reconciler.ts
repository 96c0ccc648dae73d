import type { InboxNotice, InboxOutcome } from '../../engine/inbox/inbox-notice.ts'
import { ShardUnavailable } from '../../engine/kernel/unavailable.ts'
import type { InboxNoticeId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import type { RailNotice } from '../providers/port.ts'
import { type InboxLane, later, type SettledNotice, settleAll } from './lane.ts'
import { unpackBody } from './notice-body.ts'
import type { InboxAlert } from './reporting.ts'
import { nameOfNotice } from './settle.ts'

/** Has every open notice of a connection end: what it names is fetched and booked, again and again until it is. */
export type Reconciler = {
  /** Takes up the notices that are open already. */
  readonly load: () => void
  /** A notice is on disk. */
  readonly take: (id: InboxNoticeId) => void
  /** What was unknown may be known by now. */
  readonly afterPoll: () => void
  /** Notices that are open here, and things named in them that nothing here is known by. */
  readonly counts: () => { readonly open: number; readonly unmatched: number }
}

/** An open notice. */
type Held = {
  readonly id: InboxNoticeId
  receivedAtMs: number
  tries: number
  triedAtMs: number
  /** What it names and is not booked yet; null before it was read. */
  left: readonly RailNotice[] | null
  unknown: number
  outcome: InboxOutcome
  state: 'QUEUED' | 'TRIED' | 'WAITS' | 'WAITS_FOR_POLL'
  cancel: () => void
  isStuck: boolean
}

type Notices = {
  readonly lane: InboxLane
  readonly held: Map<InboxNoticeId, Held>
  readonly queue: Held[]
  trying: number
  /** Whether more are open than are held here. */
  hasMore: boolean
}

/** Opens the reconciler of a connection. */
export const openReconciler = (lane: InboxLane): Reconciler => {
  const notices: Notices = { lane, held: new Map(), queue: [], trying: 0, hasMore: false }
  const load = (): void => void loadOpen(notices)
  const lookForMore = (): void => {
    if (notices.hasMore) load()
    later(lane, retryMs.at(-1)!, lookForMore)
  }
  lookForMore()
  return {
    load,
    take: (id) => take(notices, id),
    afterPoll: () => {
      const nowMs = lane.realNow()
      for (const one of notices.held.values())
        if (one.state === 'WAITS_FOR_POLL' && nowMs - one.triedAtMs >= pauseOfUnknown(one, nowMs))
          enqueue(notices, one)
    },
    counts: () => {
      let unmatched = 0
      for (const { unknown } of notices.held.values()) unmatched += unknown
      return { open: notices.held.size, unmatched }
    },
  }
}

/** Repeats (rails, section 1.4): then every ten minutes for a day, and every six hours from then on. */
const retryMs = [5_000, 15_000, 60_000, 180_000, 600_000]
const dayMs = 24 * 3_600_000
const hourMs = 3_600_000
const rareMs = 6 * hourMs
/** Open notices that are held in memory, and that are tried at one time; others wait on disk. */
const heldMax = 2_000
const triedAtOnceMax = 4

const loadOpen = async (notices: Notices): Promise<void> => {
  const { lane, held } = notices
  try {
    const { ids, total } = await lane.shard.open(held.size + heldMax)
    notices.hasMore = total > ids.length
    for (const id of ids) take(notices, id)
  } catch (error) {
    trouble(notices, error)
    later(lane, retryMs[0]!, () => void loadOpen(notices))
  }
}

const take = (notices: Notices, id: InboxNoticeId): void => {
  const { lane, held } = notices
  if (lane.isClosed || held.has(id)) return
  if (held.size >= 2 * heldMax) {
    notices.hasMore = true
    return
  }
  const one: Held = {
    id,
    receivedAtMs: lane.realNow(),
    tries: 0,
    triedAtMs: 0,
    left: null,
    unknown: 0,
    outcome: 'EMPTY',
    state: 'WAITS',
    cancel: () => {},
    isStuck: false,
  }
  held.set(id, one)
  enqueue(notices, one)
}

const enqueue = (notices: Notices, one: Held): void => {
  one.cancel()
  if (one.state === 'QUEUED' || one.state === 'TRIED') return
  one.state = 'QUEUED'
  notices.queue.push(one)
  next(notices)
}

const next = (notices: Notices): void => {
  const { lane, queue } = notices
  while (!lane.isClosed && notices.trying < triedAtOnceMax && queue.length > 0) {
    const one = queue.shift()!
    one.state = 'TRIED'
    notices.trying += 1
    void attempt(notices, one)
      .catch((error: unknown) => {
        trouble(notices, error)
        wait(notices, one, retryMs[0]!)
      })
      .finally(() => {
        notices.trying -= 1
        next(notices)
      })
  }
}

const trouble = ({ lane }: Notices, error: unknown): void => {
  if (!(error instanceof ShardUnavailable)) lane.onFault(error, lane.reporting)
}

const wait = (notices: Notices, one: Held, ms: number): void => {
  if (notices.lane.isClosed || !notices.held.has(one.id)) return
  one.state = 'WAITS'
  one.cancel = later(notices.lane, ms, () => enqueue(notices, one))
}

/** Reads a notice the first time, and settles what is left of it. */
const attempt = async (notices: Notices, one: Held): Promise<void> => {
  const { lane } = notices
  if (one.left === null) {
    const notice = await lane.shard.find(one.id)
    if (notice === null || notice.closed !== null) return drop(notices, one)
    one.receivedAtMs = notice.createdAtMs
    const read = await readItems(lane, notice)
    if (read === null) {
      alert(lane, 'UNREADABLE_NOTICE', one.id)
      return close(notices, one, 'UNREADABLE')
    }
    if (read.length > 0) one.outcome = 'TAKEN'
    setLeft(lane, one, read)
  }
  const nowMs = lane.realNow()
  const isOverdue = nowMs - one.receivedAtMs >= dayMs
  const fresh = one.left!.filter((notice) => !isBooked(lane, notice))
  const settled = await settleAll(lane, fresh, isOverdue)
  one.tries += 1
  one.triedAtMs = nowMs
  const undecided = settled.filter((of) => !conclude(lane, one, of))
  one.unknown = undecided.filter(({ settled }) => settled === 'UNKNOWN').length
  setLeft(
    lane,
    one,
    undecided.map(({ notice }) => notice),
  )
  if (undecided.length === 0) return close(notices, one, one.outcome)
  if (!one.isStuck && nowMs - one.receivedAtMs >= hourMs) {
    one.isStuck = true
    alert(lane, 'STUCK_NOTICE', undecided.map(({ notice }) => nameOfNotice(notice)).join(', '))
  }
  if (notices.held.size > heldMax && one.tries > 1) {
    notices.hasMore = true
    return drop(notices, one)
  }
  const waitsForPoll = one.unknown === undecided.length && lane.reporting.instance.poll !== undefined
  if (waitsForPoll) one.state = 'WAITS_FOR_POLL'
  else wait(notices, one, pauseAfter(one, nowMs))
}

const isBooked = (lane: InboxLane, notice: RailNotice): boolean => {
  const before = lane.settled.get(nameOfNotice(notice))
  return before === 'TAKEN' || before === 'UNMATCHED'
}

/** Whether nothing is left to do about one thing that a notice names. Its outcome is then part of the notice's. */
const conclude = (lane: InboxLane, one: Held, { notice, settled }: SettledNotice): boolean => {
  switch (settled) {
    case 'TAKEN':
      return true
    case 'UNMATCHED':
      alert(lane, 'UNMATCHED_MONEY', nameOfNotice(notice))
      one.outcome = worse(one.outcome, 'UNMATCHED')
      return true
    case 'REFUSED':
      alert(lane, 'REFUSED_NOTICE', nameOfNotice(notice))
      one.outcome = worse(one.outcome, 'REFUSED')
      return true
    case 'ABSENT':
      // A bank may list what it cannot show yet, so it is believed after some time.
      if (one.tries <= retryMs.length) return false
      alert(lane, 'FORGED_NOTICE', nameOfNotice(notice))
      lane.onSettled(notice.kind, 'FORGED', lane.reporting)
      one.outcome = worse(one.outcome, 'FORGED')
      return true
    default:
      return false
  }
}

const worse = (one: InboxOutcome, other: InboxOutcome): InboxOutcome =>
  order.indexOf(one) <= order.indexOf(other) ? one : other
const order: readonly InboxOutcome[] = ['UNREADABLE', 'FORGED', 'REFUSED', 'UNMATCHED', 'TAKEN', 'EMPTY']

const pauseAfter = ({ tries, receivedAtMs }: Held, nowMs: number): number =>
  retryMs[tries - 1] ?? (nowMs - receivedAtMs < dayMs ? retryMs.at(-1)! : rareMs)

/** What is unknown for an hour is not unknown because a notice was fast. */
const pauseOfUnknown = ({ receivedAtMs }: Held, nowMs: number): number =>
  nowMs - receivedAtMs < hourMs ? 0 : retryMs.at(-1)!

/** The things that a notice names; null where it cannot be read, or names more than it may. */
const readItems = async (
  { reporting: { instance } }: InboxLane,
  { source, path, headers, packed }: InboxNotice,
): Promise<readonly RailNotice[] | null> => {
  const body = await unpackBody(packed)
  if (body === null) return null
  try {
    const read =
      source === 'POLL'
        ? (JSON.parse(Buffer.from(body).toString()) as readonly RailNotice[])
        : instance.readNotice?.({ headers, path, body, peerCertificate: null })
    if (read === undefined || read.length > bounds.noticeItemsMax) return null
    return read.length === 0 && !isJson(body) ? null : onceEach(read)
  } catch {
    return null
  }
}

/** A bank's test names nothing, and is JSON or nothing all the same. */
const isJson = (body: Uint8Array): boolean => {
  const text = Buffer.from(body).toString('utf8').trim()
  if (text === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const onceEach = (read: readonly RailNotice[]): readonly RailNotice[] => [
  ...new Map(read.map((notice) => [nameOfNotice(notice), notice])).values(),
]

/** Notes what a notice still waits for, so that a poll which finds the same leaves it to the notice. */
const setLeft = ({ awaited }: InboxLane, one: Held, left: readonly RailNotice[]): void => {
  for (const notice of one.left ?? []) {
    const name = nameOfNotice(notice)
    const others = (awaited.get(name) ?? 1) - 1
    if (others === 0) awaited.delete(name)
    else awaited.set(name, others)
  }
  for (const notice of left) awaited.set(nameOfNotice(notice), (awaited.get(nameOfNotice(notice)) ?? 0) + 1)
  one.left = left
}

const close = async (notices: Notices, one: Held, outcome: InboxOutcome): Promise<void> => {
  const { lane } = notices
  await lane.shard.close(one.id, outcome)
  lane.onSettled('NOTICE', outcome, lane.reporting)
  drop(notices, one)
}

const drop = ({ lane, held }: Notices, one: Held): void => {
  one.cancel()
  setLeft(lane, one, [])
  held.delete(one.id)
}

const alert = ({ onAlert, reporting }: InboxLane, kind: InboxAlert['kind'], detail: string): void =>
  onAlert({ kind, connectionId: reporting.connectionId, accountId: reporting.accountId, detail })
