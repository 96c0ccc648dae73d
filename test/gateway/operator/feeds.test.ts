import t from 'tap'
import type { ListedEvents } from '../../../engine/events/queries.ts'
import { ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import type { RequestLine } from '../../../gateway/api/api.ts'
import { eventFeed } from '../../../gateway/operator/event-feed.ts'
import { requestFeed } from '../../../gateway/operator/request-feed.ts'
import { aCharge, account, aPayment, companyId } from '../../engine/world.ts'
import { newOperator } from '../operations/operator.ts'

/** Somebody who watches, and what was told until the watcher has gone. */
const newWatcher = () => {
  const sent: Record<string, any>[] = []
  const leaving = new AbortController()
  const state = { isBehind: false }
  return {
    sent,
    state,
    leave: () => leaving.abort(),
    watcher: {
      send: (one: object) => void sent.push(one),
      isBehind: () => state.isBehind,
      caughtUp: async () => undefined,
      signal: leaving.signal,
    },
  }
}

t.test(
  'every event from the start on is told once, in order, also over an outage of its shard',
  async (t) => {
    const { directory, world } = await newOperator()
    await world.accepted(aCharge())
    world.pass(1)
    const { watcher, sent, leave } = newWatcher()
    const asks = { count: 0 }
    const ask = async (query: any): Promise<ListedEvents> => {
      asks.count += 1
      if (asks.count === 2) throw new ShardUnavailable('it recovers')
      const answer = world.shard.query(query)
      await world.settle()
      return answer as never
    }
    const steps = [
      async () => void (await world.accepted(aCharge())),
      async () => undefined,
      async () => {
        const { id } = await world.accepted(aCharge())
        await world.accepted(aPayment(id))
      },
      async () => leave(),
    ]
    const wait = async (): Promise<void> => steps.shift()!()
    const feed = eventFeed({ directory, router: { query: ask as never }, realNow: world.now, wait })
    t.match(await feed({}, watcher), { ended: true })
    const [head, ...events] = sent
    t.match(head, { object: 'event_feed', companyId, environment: 'SANDBOX' })
    t.strictSame(events.map(({ type }) => type).slice(0, 5), [
      'payment.created',
      'payment.pending',
      'payment.created',
      'payment.pending',
      'pix.received',
    ])
    t.equal(new Set(events.map(({ id }) => id)).size, events.length)
    t.match(JSON.parse(events[0]!.body), {
      id: events[0]!.id,
      type: 'payment.created',
      environment: 'SANDBOX',
    })
    t.equal(accountIdOf(companyId, 'SANDBOX'), account)
  },
)

t.test('a feed tells only what is wanted, and waits for a reader who is behind', async (t) => {
  const { directory, world } = await newOperator()
  const { watcher, sent, leave, state } = newWatcher()
  let waits = 0
  const wait = async (): Promise<void> => {
    waits += 1
    if (waits === 1) {
      state.isBehind = true
      await world.accepted(aCharge())
    }
    if (waits === 4) state.isBehind = false
    if (waits === 5) leave()
  }
  const ask = async (query: any) => {
    t.notOk(state.isBehind && waits > 1, 'nothing is read for a reader who is behind')
    const answer = world.shard.query(query)
    await world.settle()
    return answer
  }
  const feed = eventFeed({ directory, router: { query: ask as never }, realNow: world.now, wait })
  await feed({ events: 'payment.pending' }, watcher)
  t.strictSame(
    sent.slice(1).map(({ type }) => type),
    ['payment.pending'],
  )
  await t.rejects(feed({ events: 'nothing' }, watcher), { code: 'VALIDATION_ERROR' })
  await t.rejects(feed({ company: 'cmp_1' }, watcher), { code: 'NOT_FOUND' })
})

t.test(
  'requests are told as they are answered; those that nobody has read in time are counted',
  async (t) => {
    const { directory } = await newOperator()
    const { watcher, sent, leave, state } = newWatcher()
    const heard: ((line: RequestLine) => void)[] = []
    const watchRequests = (onAnswered: (line: RequestLine) => void) => {
      heard.push(onAnswered)
      return () => void heard.pop()
    }
    const answered = (status: number, company: string = companyId) =>
      heard[0]!({ status, companyId: company, path: '/v1/x' } as never)
    const steps = [
      () => {
        for (const status of [200, 404, 422, 500]) answered(status)
        answered(404, 'cmp_2')
        state.isBehind = true
        for (const status of [400, 200, 500]) answered(status)
      },
      () => {
        state.isBehind = false
      },
      () => leave(),
    ]
    const wait = async (): Promise<void> => steps.shift()!()
    const feed = requestFeed({ directory, watchRequests, realNow: () => 7, wait })
    t.match(await feed({ status: '404,5xx', company: companyId }, watcher), { ended: true })
    t.strictSame(
      sent.map(({ object, status, requests }) => status ?? requests ?? object),
      ['request_feed', 404, 500, 1],
    )
    t.match(sent[1], { object: 'request', atMs: 7, path: '/v1/x' })
    t.equal(heard.length, 0, 'and is no longer sent')
    await t.rejects(feed({ status: 'x' }, watcher), { code: 'VALIDATION_ERROR' })
  },
)
