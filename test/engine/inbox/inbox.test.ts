import t from 'tap'
import type { InboxOutcome } from '../../../engine/inbox/inbox-notice.ts'
import { bounds } from '../../../engine/shared/bounds.ts'
import type { InboxNoticeId } from '../../../engine/shared/ids.ts'
import { account, newWorld } from '../world.ts'
import { aConnectionId, aNotice, byBank, otherConnectionId } from './notices.ts'

const target = { accountId: account, by: byBank } as const

const opened = async () => {
  const world = newWorld()
  await world.open()
  const receive = (changed: Parameters<typeof aNotice>[0] = {}) =>
    world.execute({ type: 'ReceiveNotice', ...target, ...aNotice(changed) })
  const open = (atMost = 10, connectionId = aConnectionId) =>
    world.shard.query({ type: 'ListOpenNotices', accountId: account, connectionId, atMost })
  const find = (id: InboxNoticeId) => world.shard.query({ type: 'FindInboxNotice', accountId: account, id })
  const close = (closes: InboxNoticeId, outcome: InboxOutcome = 'TAKEN') =>
    world.execute({ type: 'CloseNotice', ...target, closes, outcome })
  return { world, receive, open, find, close }
}

t.test('a notice is open until it is closed, and then gives up its body', async (t) => {
  const { receive, open, find, close } = await opened()
  await receive()
  const { ids, total } = await open()
  t.equal(total, 1)
  const state = await find(ids[0]!)
  t.strictSame([...state!.packed], [1, 0, 255])
  t.equal(state!.closed, null)
  await close(ids[0]!, 'REFUSED')
  t.strictSame(await open(), { ids: [], total: 0, oldestAtMs: null })
  const closed = await find(ids[0]!)
  t.equal(closed!.packed.length, 0)
  t.equal(closed!.closed!.outcome, 'REFUSED')
})

t.test('the same bytes at the same connection are one notice while it is open', async (t) => {
  const { receive, open } = await opened()
  await receive()
  await receive()
  t.equal((await open()).total, 1)
  await receive({ key: 'hash of another' })
  await receive({ connectionId: otherConnectionId })
  t.equal((await open()).total, 2)
  t.equal((await open(10, otherConnectionId)).total, 1)
})

t.test(
  'and for a minute after it was closed, not longer: a bank may say the same of a later change',
  async (t) => {
    const { world, receive, open, close } = await opened()
    await receive()
    await close((await open()).ids[0]!)
    const { noticeRepeatedMs } = bounds
    world.pass(noticeRepeatedMs - 1)
    await receive()
    t.equal((await open()).total, 0)
    world.pass(1)
    await receive()
    t.equal((await open()).total, 1)
  },
)

t.test('those that have waited longest are listed first, and no more than are wanted', async (t) => {
  const { world, receive, open } = await opened()
  for (const key of ['a', 'b', 'c']) {
    await receive({ key })
    world.pass(1000)
  }
  const { ids, total, oldestAtMs } = await open(2)
  t.equal(total, 3)
  t.equal(ids.length, 2)
  const all = (await open(10)).ids
  t.strictSame(ids, all.slice(0, 2))
  t.equal(oldestAtMs, world.now() - 3000)
})

t.test('closing changes a notice once, and a notice that is not there is not closed', async (t) => {
  const { world, receive, open, find, close } = await opened()
  await receive()
  const [id] = (await open()).ids
  await close(id!, 'TAKEN')
  const before = world.journal.appended()
  await close(id!, 'FORGED')
  t.equal(world.journal.appended(), before)
  t.equal((await find(id!))!.closed!.outcome, 'TAKEN')
  const reply = await close(`ibn_${'9'.repeat(26)}` as InboxNoticeId)
  t.equal(reply.accepted, false)
})

t.test('a body that would not fit into the log of a cluster is refused', async (t) => {
  const { receive, open } = await opened()
  const reply = await receive({ packed: new Uint8Array(bounds.noticeBytesMax + 1) })
  t.match(reply, { accepted: false, rejection: { reason: 'NOTICE_TOO_LARGE' } })
  t.equal((await receive({ packed: new Uint8Array(bounds.noticeBytesMax) })).accepted, true)
  t.equal((await open()).total, 1)
})

t.test('cursors of polls are as they were left, each loop its own', async (t) => {
  const { world } = await opened()
  const cursors = (connectionId = aConnectionId) =>
    world.shard.query({ type: 'FindPollCursors', accountId: account, connectionId })
  const advance = (loop: 'RECEIVED' | 'RETURNED', cursor: string) =>
    world.execute({ type: 'AdvancePoll', ...target, connectionId: aConnectionId, loop, cursor })
  t.strictSame(await cursors(), {})
  await advance('RECEIVED', '1')
  await advance('RETURNED', 'x')
  await advance('RECEIVED', '2')
  t.strictSame(await cursors(), { RECEIVED: '2', RETURNED: 'x' })
  const before = world.journal.appended()
  await advance('RECEIVED', '2')
  t.equal(world.journal.appended(), before, 'what is known is not written')
  t.strictSame(await cursors(otherConnectionId), {})
})

t.test('what was recorded is there after a replay', async (t) => {
  const { world, receive, open, close } = await opened()
  await receive({ key: 'a' })
  await receive({ key: 'b' })
  await close((await open()).ids[0]!)
  const before = await open()
  const left = [...world.journal.replay(0)].map(({ record }) => record)
  const after = newWorld(undefined, undefined, left)
  const stillOpen = () =>
    after.shard.query({
      type: 'ListOpenNotices',
      accountId: account,
      connectionId: aConnectionId,
      atMost: 10,
    })
  t.strictSame(await stillOpen(), before)
  for (const key of ['a', 'b']) await after.execute({ type: 'ReceiveNotice', ...target, ...aNotice({ key }) })
  t.strictSame(await stillOpen(), before, 'and the same is still known')
})
