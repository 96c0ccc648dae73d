import t from 'tap'
import { publicEventsOf } from '../../../../engine/events/events-of-entry.ts'
import type { FlushedEntry } from '../../../../engine/kernel/step.ts'
import { type Permission, permissionsOf } from '../../../../engine/people/permission.ts'
import type { AccountId } from '../../../../engine/shared/ids.ts'
import { bounds } from '../../../../gateway/base/bounds.ts'
import { openLiveFeeds } from '../../../../gateway/events/live/feeds.ts'

const accountId = 'cmp_1/SANDBOX' as AccountId
const everything = permissionsOf({ SANDBOX: 'OWNER', PRODUCTION: 'OWNER' }, 'SANDBOX')

/** An entry that publishes one sample event. */
const entryAt = (sequence: number, eventType = 'payment.approved', of = accountId): FlushedEntry =>
  ({
    sequence,
    accountId: of,
    atMs: 1_700_000_000_000 + sequence,
    steps: [
      {
        event: { actor: 'account', type: 'SampleEventRequested', id: of, eventType, atMs: 1 },
        after: { id: of },
      },
    ],
  }) as unknown as FlushedEntry

const idAt = (sequence: number): string => publicEventsOf(entryAt(sequence), 0)[0]!.id
const idsIn = (text: string): string[] => [...text.matchAll(/^id: (.+)\ndata: /gm)].map(([, id]) => id!)

/** Feeds whose clock the test holds in its hands. */
const openFeeds = () => {
  let nowMs = 0
  let drawn = 0
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>()
  const feeds = openLiveFeeds({
    entropy: () => ++drawn,
    realNow: () => nowMs,
    later: (ms, callback) => {
      const timer = { atMs: nowMs + ms, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  })
  const listen = (place: string | null, isFirst = false, permissions: ReadonlySet<Permission> = everything) =>
    feeds.next(accountId, { place, isFirst, permissions })
  const pass = (ms: number): void => {
    nowMs += ms
    for (const timer of timers)
      if (timer.atMs <= nowMs) {
        timers.delete(timer)
        timer.callback()
      }
  }
  const flush = (first: number, last = first): void => {
    for (let n = first; n <= last; n++) feeds.onFlushed(entryAt(n), 0)
  }
  return { feeds, listen, pass, flush, timers }
}

t.test('who waits is told of a burst in one piece, with the ids that webhooks have', async (t) => {
  const { feeds, listen, pass, flush } = openFeeds()
  flush(1)
  const { text, place } = await listen(null, true)
  t.match(text, /^retry: \d+\nid: \S+\n\n$/)
  const next = listen(place)
  flush(2, 3)
  feeds.onFlushed(entryAt(9, 'payment.approved', 'cmp_2/SANDBOX' as AccountId), 0)
  pass(bounds.liveGatherMs)
  const heard = await next
  t.strictSame(idsIn(heard.text), [idAt(2), idAt(3)])
  t.strictSame(JSON.parse(/data: (.+)/.exec(heard.text)![1]!), {
    type: 'payment.approved',
    object: 'sample',
    id: idAt(2),
    version: null,
  })
})

t.test('while much happens it is told in fewer pieces', async (t) => {
  const { listen, pass, flush } = openFeeds()
  const answers: (readonly string[])[] = []
  const follow = (place: string): void =>
    void listen(place).then((heard) => {
      answers.push(idsIn(heard.text))
      follow(heard.place)
    })
  follow((await listen(null, true)).place)
  for (let n = 1; n <= 20; n++) {
    flush(n)
    pass(bounds.livePauseMs / 10)
    await new Promise(setImmediate)
  }
  t.strictSame(answers[0], [idAt(1)], 'the first at once')
  t.equal(answers.length, 2, 'what came meanwhile with the next')
  t.ok(answers[1]!.length >= 10)
})

t.test('silence is answered after a while', async (t) => {
  const { listen, pass, timers } = openFeeds()
  const { place } = await listen(null, true)
  const next = listen(place)
  pass(bounds.liveHoldMs)
  t.strictSame(await next, { text: '', place })
  t.equal(timers.size, 0)
})

t.test('a role hears of the types that it may read', async (t) => {
  const { feeds, listen, pass } = openFeeds()
  const support = permissionsOf({ SANDBOX: 'SUPPORT', PRODUCTION: null }, 'SANDBOX')
  const { place } = await listen(null, true, support)
  const next = listen(place, false, support)
  feeds.onFlushed(entryAt(1, 'transfer.completed'), 0)
  pass(bounds.liveGatherMs)
  const heard = await next
  t.equal(heard.text, '')
  t.not(heard.place, place, 'it is not looked at again')
  feeds.onFlushed(entryAt(2, 'subscription.paid'), 0)
  const [more, both] = [listen(heard.place, false, support), listen(place)]
  pass(bounds.livePauseMs + bounds.livePauseSpreadMs)
  t.strictSame(idsIn((await more).text), [idAt(2)])
  t.strictSame(idsIn((await both).text), [idAt(1), idAt(2)], 'an owner hears of both')
  const deaf = listen(place, false, new Set())
  pass(bounds.liveHoldMs)
  t.equal((await deaf).text, '')
})

t.test(
  'the last thousand can be resumed from, by place and by id; behind them everything is fetched',
  async (t) => {
    const { listen, pass, flush } = openFeeds()
    const { place } = await listen(null, true)
    const last = bounds.liveNewsKept + 500
    flush(1, last)
    t.strictSame(idsIn((await listen(idAt(last - 2), true)).text), [idAt(last - 1), idAt(last)])
    t.equal(idsIn((await listen(idAt(last - bounds.liveNewsKept), true)).text).length, bounds.liveNewsKept)
    for (const gone of [place, idAt(1), idAt(last + 1), 'evt_x', 'other.1', `${place.split('.')[0]}.9e9`]) {
      const heard = await listen(gone, true)
      t.match(heard.text, /^retry: \d+\nevent: reset\ndata: {}\nid: \S+\n\n$/, gone)
      t.equal(heard.place, (await listen(null, true)).place)
    }
    const slow = listen(place)
    pass(bounds.liveGatherMs)
    t.match((await slow).text, /^event: reset\n/, 'a reader that was too slow')
  },
)

t.test('nothing is kept once nobody has listened for a while', async (t) => {
  const { feeds, listen, pass, flush } = openFeeds()
  const { place } = await listen(null, true)
  pass(bounds.liveFeedKeptMs)
  feeds.sweep()
  flush(1)
  t.strictSame(idsIn((await listen(place, true)).text), [idAt(1)])
  pass(bounds.liveFeedKeptMs + 1)
  feeds.sweep()
  t.match((await listen(place, true)).text, /event: reset/)
})
