import t from 'tap'
import { promised } from '../../../../engine/kernel/handler.ts'
import { ShardUnavailable, UpgradeUnfinished } from '../../../../engine/kernel/unavailable.ts'
import { servingKnown } from '../../../../gateway/link/cluster/known-calls.ts'
import {
  type Batch,
  type Kind,
  type Link,
  type Message,
  openLink,
  type Serve,
} from '../../../../gateway/link/link.ts'
import { serving } from '../serving.ts'

/** A link to a node of another build, which answers as it can. */
const linkTo = (serve: Serve) => {
  const there = openLink({ post: (batch) => here.receive(batch), serve, later: setImmediate })
  const here = openLink({
    post: (batch) => there.receive(batch),
    serve: serving(async () => null),
    later: setImmediate,
  })
  return here
}

const ask = (type: string) => ({ type, accountId: 'acc' }) as unknown as Message

const called = (link: Link, kind: Kind, message: Message): Promise<unknown> =>
  promised((to) => link.call(kind, message, to))

t.test('what a node does not know it says, and answers what it knows', async (t) => {
  const link = linkTo(servingKnown(serving(async (kind) => kind)))
  for (const [kind, type] of [
    ['execute', 'CreateMiracle'],
    ['query', 'constructor'],
    ['watch', 'CreateCharge'],
  ] as const) {
    const error = await called(link, kind as Kind, ask(type)).catch((error: unknown) => error)
    t.type(error, ShardUnavailable)
    t.match((error as Error).message, `a node of another version does not know ${kind} ${type}`)
  }
  t.equal(await called(link, 'execute', ask('CreateCharge')), 'execute')
  t.equal(await called(link, 'query', ask('FindTransaction')), 'query')
  t.equal(await called(link, 'serve', ['path']), 'serve')
})

t.test('that an upgrade is unfinished is known where it was asked', async (t) => {
  const link = linkTo(
    serving(async () => {
      throw new UpgradeUnfinished('ChargeMarked is of version 14')
    }),
  )
  const error = await called(link, 'execute', ask('CreateCharge')).catch((error: unknown) => error)
  t.type(error, UpgradeUnfinished)
  t.equal((error as Error).message, 'ChargeMarked is of version 14')
})

t.test('an answer that only a newer build understands fails its call alone', async (t) => {
  const link = openLink({ post: () => undefined, serve: serving(async () => null), later: setImmediate })
  const calls = ['CreateCharge', 'CreateCharge'].map((type) =>
    called(link, 'execute', ask(type)).catch((error: unknown) => error),
  )
  const results = [
    [0, 'postponed', null],
    [1, 'ok', 'done'],
  ]
  link.receive({ calls: [], results } as unknown as Batch)
  const [first, second] = await Promise.all(calls)
  t.match(first, { message: 'a node of another version answers postponed' })
  t.equal(second, 'done')
})
