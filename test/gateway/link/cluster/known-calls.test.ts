import t from 'tap'
import { ShardUnavailable, UpgradeUnfinished } from '../../../../engine/kernel/unavailable.ts'
import { servingKnown } from '../../../../gateway/link/cluster/known-calls.ts'
import { type Batch, type Kind, type Message, openLink } from '../../../../gateway/link/link.ts'

/** A link to a node of another build, which answers as it can. */
const linkTo = (serve: Parameters<typeof openLink>[0]['serve']) => {
  const there = openLink({ post: (batch) => here.receive(batch), serve, later: setImmediate })
  const here = openLink({
    post: (batch) => there.receive(batch),
    serve: async () => null,
    later: setImmediate,
  })
  return here
}

const ask = (type: string) => ({ type, accountId: 'acc' }) as unknown as Message

t.test('what a node does not know it says, and answers what it knows', async (t) => {
  const link = linkTo(servingKnown(async (kind) => kind))
  for (const [kind, type] of [
    ['execute', 'CreateMiracle'],
    ['query', 'constructor'],
    ['watch', 'CreateCharge'],
  ] as const) {
    const error = await link.call(kind as Kind, ask(type)).catch((error: unknown) => error)
    t.type(error, ShardUnavailable)
    t.match((error as Error).message, `a node of another version does not know ${kind} ${type}`)
  }
  t.equal(await link.call('execute', ask('CreateCharge')), 'execute')
  t.equal(await link.call('query', ask('FindTransaction')), 'query')
  t.equal(await link.call('serve', ['path']), 'serve')
})

t.test('that an upgrade is unfinished is known where it was asked', async (t) => {
  const link = linkTo(async () => {
    throw new UpgradeUnfinished('ChargeMarked is of version 14')
  })
  const error = await link.call('execute', ask('CreateCharge')).catch((error: unknown) => error)
  t.type(error, UpgradeUnfinished)
  t.equal((error as Error).message, 'ChargeMarked is of version 14')
})

t.test('an answer that only a newer build understands fails its call alone', async (t) => {
  const link = openLink({ post: () => undefined, serve: async () => null, later: setImmediate })
  const calls = ['CreateCharge', 'CreateCharge'].map((type) =>
    link.call('execute', ask(type)).catch((error: unknown) => error),
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
