// The live news of the dashboard: what changed, as server-sent events. The owner of a shard keeps them, and the
// thread of a connection fetches piece after piece.
import { publicEventsOf } from '../../../engine/events/events-of-entry.ts'
import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import type { Permission } from '../../../engine/people/permission.ts'
import { fnv1a } from '../../../engine/shared/hash.ts'
import { type AccountId, type Entropy, randomAlphanumerics } from '../../../engine/shared/ids.ts'
import { bounds } from '../../base/bounds.ts'
import { type News, newsForPeople, newsOf } from './news.ts'

/**
 * The latest news of accounts whose shards this thread owns, in memory, for accounts that people listen to.
 * Without a listener nothing is kept, and an entry costs one look into a map.
 */
export type LiveFeeds = {
  /** Takes an entry that was decided here and is on disk. */
  readonly onFlushed: (entry: FlushedEntry, shard: number) => void
  /** Resolves with the next news, or after a while without any. */
  readonly next: (accountId: AccountId, listening: Listening) => Promise<Heard>
  /** Forgets the accounts that have had no listener for a while. */
  readonly sweep: () => void
}

export type Listening = {
  /** Where to continue: the place of an earlier piece, or the id of an event; null starts with the present. */
  readonly place: string | null
  /** The first piece of a stream comes at once. */
  readonly isFirst: boolean
  readonly permissions: ReadonlySet<Permission>
}

/** A piece of a stream, and where the next one begins. */
export type Heard = { readonly text: string; readonly place: string }

/** Opens the feeds of one thread. */
export const openLiveFeeds = (options: {
  readonly entropy: Entropy
  readonly realNow: () => number
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  readonly later: (ms: number, callback: () => void) => () => void
}): LiveFeeds => {
  const { entropy, realNow, later } = options
  const feeds = new Map<AccountId, Feed>()

  const feedOf = (accountId: AccountId): Feed => {
    let feed = feeds.get(accountId)
    if (feed === undefined) {
      const id = randomAlphanumerics(12, entropy)
      feed = {
        id,
        pauseMs: bounds.livePauseMs + ((fnv1a(id) >>> 0) % bounds.livePauseSpreadMs),
        news: [],
        dropped: 0,
        waiting: new Set(),
        isGathering: false,
        toldAtMs: Number.NEGATIVE_INFINITY,
        askedAtMs: 0,
      }
      feeds.set(accountId, feed)
    }
    feed.askedAtMs = realNow()
    return feed
  }

  /** Waiting listeners get their news together and not too often, so that a burst of payments is one piece. */
  const gather = (feed: Feed): void => {
    if (feed.isGathering || feed.waiting.size === 0) return
    feed.isGathering = true
    later(Math.max(bounds.liveGatherMs, feed.toldAtMs + feed.pauseMs - realNow()), () => {
      feed.isGathering = false
      feed.toldAtMs = realNow()
      for (const answer of [...feed.waiting]) answer()
    })
  }

  return {
    onFlushed: (entry, shard) => {
      const feed = feeds.size === 0 ? undefined : feeds.get(entry.accountId)
      if (feed === undefined) return
      const news = [...publicEventsOf(entry, shard).map(newsOf), ...newsForPeople(entry, shard)]
      if (news.length === 0) return
      feed.news.push(...news)
      if (feed.news.length > bounds.liveNewsKept + newsDroppedTogether) {
        feed.dropped += newsDroppedTogether
        feed.news.splice(0, newsDroppedTogether)
      }
      gather(feed)
    },
    next: (accountId, { place, isFirst, permissions }) =>
      new Promise((resolve) => {
        const feed = feedOf(accountId)
        const from = place === null ? endOf(feed) : positionOf(feed, place)
        const heard = heardFrom(feed, from, permissions)
        if (isFirst) {
          resolve({ text: `retry: ${bounds.liveRetryMs}\n${heard.text || placed(feed)}`, place: heard.place })
          return
        }
        const answer = (): void => {
          cancel()
          feed.waiting.delete(answer)
          resolve(heardFrom(feed, from, permissions))
        }
        const cancel = later(bounds.liveHoldMs, answer)
        feed.waiting.add(answer)
        if (heard.text !== '') gather(feed)
      }),
    sweep: () => {
      for (const [accountId, { askedAtMs, waiting }] of feeds)
        if (waiting.size === 0 && realNow() - askedAtMs > bounds.liveFeedKeptMs) feeds.delete(accountId)
    },
  }
}

type Feed = {
  /** Distinguishes this feed from one of an earlier owner, process or listener. */
  readonly id: string
  readonly pauseMs: number
  readonly news: News[]
  /** How many news were dropped before the first one left. */
  dropped: number
  readonly waiting: Set<() => void>
  isGathering: boolean
  toldAtMs: number
  askedAtMs: number
}

/** Moving the whole array for each event would cost more than the event. */
const newsDroppedTogether = 256

const endOf = ({ news, dropped }: Feed): number => dropped + news.length

const placeAt = (feed: Feed): string => `${feed.id}.${endOf(feed)}`

/** A stream begins with its place, so that a connection that breaks before the first event resumes, too. */
const placed = (feed: Feed): string => `id: ${placeAt(feed)}\n\n`

/** The position behind a place or an event; null where neither is known. */
const positionOf = (feed: Feed, place: string): number | null => {
  const [id, count] = place.split('.')
  const position = Number(count)
  if (id === feed.id) return Number.isInteger(position) && position <= endOf(feed) ? position : null
  const found = feed.news.findLastIndex((news) => news.id === place)
  return found < 0 ? null : feed.dropped + found + 1
}

/** The news after a position that the person may read, or a reset if some of them were dropped. */
const heardFrom = (feed: Feed, from: number | null, permissions: ReadonlySet<Permission>): Heard => {
  const place = placeAt(feed)
  if (from === null || from < feed.dropped) return { text: `event: reset\ndata: {}\n${placed(feed)}`, place }
  let text = ''
  for (let n = from - feed.dropped; n < feed.news.length; n++)
    if (permissions.has(feed.news[n]!.needs)) text += feed.news[n]!.text
  return { text, place }
}
