import t, { type Test } from 'tap'
import { newSharedLog, type Peer } from './shared-log.ts'

const three = async (t: Test, leaseMs?: number) => {
  const log = newSharedLog(leaseMs)
  t.teardown(log.close)
  const [a, b, c] = ['a', 'b', 'c'].map((node) => log.join(node)) as [Peer, Peer, Peer]
  await log.pass(2 * log.leaseMs)
  t.strictSame(log.owners(), ['a'], 'the first in rank owns')
  return { log, a, b, c }
}

t.test('one of several claims wins, and what it writes is on the disk of all', async (t) => {
  const { log, a, b, c } = await three(t)
  await Promise.all([a.write('one'), log.settle()])
  await Promise.all([a.write('two'), log.settle()])
  for (const { entries } of [a, b, c]) t.strictSame(entries(), ['one', 'two'])
  t.strictSame(a.told, ['owner of 1 by claim'])
  t.strictSame(b.told, ['entries 1', 'entries 2'])
  await t.rejects(b.write('three'), { message: 'this node does not own the shard' })
})

t.test(
  'an owner that dies is followed by the next in rank after a lease, which has everything',
  async (t) => {
    const { log, a, b, c } = await three(t)
    await Promise.all([a.write('one'), log.settle()])
    await a.stop()
    await log.pass(0.5 * log.leaseMs)
    t.strictSame(log.owners(), [], 'not before the lease is over')
    await log.pass(2 * log.leaseMs)
    t.strictSame(log.owners(), ['b'])
    await Promise.all([b.write('two'), log.settle()])
    t.strictSame(c.entries(), ['one', 'two'])
    const back = log.join('a', '2')
    await log.settle()
    t.strictSame(back.entries(), ['one', 'two'], 'who comes back follows')
    await log.pass(5 * log.leaseMs)
    t.strictSame(log.owners(), ['b'], 'and takes nothing away')
  },
)

t.test('an owner that was asleep neither answers nor writes any more', async (t) => {
  const { log, a, b, c } = await three(t)
  a.isSilent = true
  a.isCut = true
  await log.pass(3 * log.leaseMs)
  t.strictSame(log.owners(), ['b'])
  t.notOk(a.replica.mayServe(), 'its lease is over')
  await Promise.all([b.write('of b'), log.settle()])
  await log.heal(a)
  t.equal(a.replica.role(), 'OWNER', 'it does not know')
  const written = a.write('of a')
  await log.pass(log.leaseMs)
  await t.rejects(written, { message: 'the shard belongs to b' })
  t.match(a.told[1], /lost: another claim by b/)
  for (const { entries } of [a, b, c]) t.strictSame(entries(), ['of b'])
})

t.test('a lost acknowledgement neither doubles nor loses what was written', async (t) => {
  const { log, a, b } = await three(t)
  a.appends = 'are not acknowledged'
  const written = a.write('one')
  await log.settle()
  await log.heal(a)
  await Promise.all([written, log.pass(log.leaseMs)])
  await Promise.all([a.write('two'), log.settle()])
  t.strictSame(a.entries(), ['one', 'two'])
  t.strictSame(b.entries(), ['one', 'two'])
})

t.test('what did not reach the log is sent again, until it is there', async (t) => {
  const { log, a, b } = await three(t)
  a.appends = 'are lost'
  const written = a.write('one')
  await log.pass(log.leaseMs / 2)
  t.strictSame(b.entries(), [])
  await log.heal(a)
  await Promise.all([written, log.pass(log.leaseMs / 2)])
  t.strictSame(b.entries(), ['one'])
  t.strictSame(log.owners(), ['a'])
})

t.test('without a quorum nobody answers, nobody claims, and it goes on by itself', async (t) => {
  const { log, a, b, c } = await three(t)
  for (const peer of [a, b, c]) peer.isCut = true
  const written = a.write('one')
  await log.pass(5 * log.leaseMs)
  t.strictSame(log.owners(), [])
  for (const peer of [a, b, c]) await log.heal(peer)
  await Promise.all([written, log.pass(log.leaseMs)])
  t.equal(log.owners().length, 1)
  t.strictSame(c.entries(), ['one'])
})

t.test('a claim whose acknowledgement is lost is one all the same', async (t) => {
  const { log, a, b, c } = await three(t)
  await a.stop()
  b.appends = 'are not acknowledged'
  await log.pass(2 * log.leaseMs)
  t.equal(b.replica.role(), 'OWNER')
  t.equal(b.replica.position().epoch, 2, 'there is one of it')
  await log.heal(b)
  await log.pass(log.leaseMs)
  t.strictSame(log.owners(), ['b'])
  t.strictSame(c.told, [])
})

t.test('a handover needs no waiting, and the next owner has everything', async (t) => {
  const { log, a, b, c } = await three(t)
  await Promise.all([a.write('one'), log.settle()])
  const [handed] = await Promise.all([a.replica.handOver(c.self), log.settle()])
  t.ok(handed)
  await log.settle()
  t.strictSame(log.owners(), ['c'])
  t.strictSame(a.told.at(-1), 'lost: handover')
  t.strictSame(c.told.at(-1), 'owner of 2 by handover')
  await Promise.all([c.write('two'), log.settle()])
  for (const { entries } of [a, b, c]) t.strictSame(entries(), ['one', 'two'])
  await t.resolveMatch(b.replica.handOver(a.self), false, 'only an owner can give')
})

t.test(
  'an owner by handover has as long for its first renewal as for each later one, before it is stuck',
  async (t) => {
    const { log, a, c } = await three(t)
    c.appends = 'are lost'
    await Promise.all([a.replica.handOver(c.self), log.settle()])
    t.strictSame([c.replica.role(), c.replica.mayServe(), c.replica.isStuck()], ['OWNER', false, false])
    await log.pass(0.7 * log.leaseMs)
    t.notOk(c.replica.isStuck(), 'a busy machine may need so long')
    await log.pass(0.1 * log.leaseMs)
    t.ok(c.replica.isStuck())
    await log.heal(c)
    await log.pass(log.leaseMs)
    t.strictSame([log.owners(), c.replica.isStuck()], [['c'], false])
    c.appends = 'are lost'
    await log.pass(log.leaseMs)
    t.ok(c.replica.isStuck(), 'a later renewal has no answer')
  },
)

t.test('a process that reads the log anew is not the owner by a handover of long ago', async (t) => {
  const { log, a, c } = await three(t)
  const handed = log.length() + 1
  await Promise.all([a.replica.handOver(c.self), log.settle()])
  await Promise.all([c.write('2'), log.settle()])
  await Promise.all([c.replica.handOver(a.self), log.settle()])
  await c.stop()
  log.loseDisk('c')
  // It gets the log piece by piece, of which one ends with the handover.
  const newer = Array.from({ length: log.length() - handed }, (_, n) => log.record(handed + 1 + n))
  log.lose(newer.length)
  const again = log.join('c')
  await log.settle()
  t.equal(again.replica.position().applied, handed)
  t.equal(again.replica.role(), 'FOLLOWER')
  log.put(newer)
  await log.heal(again)
  t.notOk(
    again.told.some((line) => line.startsWith('owner')),
    again.told.join(),
  )
  t.equal(again.replica.position().applied, log.length())
})

t.test('a handover to one that is dead ends with a claim', async (t) => {
  const { log, a, b, c } = await three(t)
  await c.stop()
  await Promise.all([a.replica.handOver(c.self), log.settle()])
  t.strictSame(log.owners(), [])
  await log.pass(2 * log.leaseMs)
  t.equal(log.owners().length, 1)
  t.equal(b.replica.position().epoch, 3)
})

t.test('an owner that lives but does not renew loses the shard', async (t) => {
  const { log, a } = await three(t)
  a.isCut = true
  await log.pass(2 * log.leaseMs)
  t.strictSame(log.owners(), [], 'others hear its heartbeats')
  await log.pass(3 * log.leaseMs)
  t.strictSame(log.owners(), ['b'])
})

t.test('records that the servers have lost are put back, byte for byte', async (t) => {
  const { log, a, b, c } = await three(t)
  for (const text of ['one', 'two', 'three']) await Promise.all([a.write(text), log.settle()])
  const before = log.length()
  const last = log.record(before)
  log.lose(2)
  await Promise.all([a.write('four'), log.settle()])
  t.strictSame(log.record(before), last)
  t.match(a.told.at(-1), /records that it has lost are put back/)
  for (const { entries } of [a, b, c]) t.strictSame(entries(), ['one', 'two', 'three', 'four'])
})

t.test('after a loss of power the longest journal is put back before anybody claims', async (t) => {
  const { log, a, b, c } = await three(t)
  b.isSlow = true
  c.isSlow = true
  for (const text of ['one', 'two']) await Promise.all([a.write(text), log.settle()])
  log.lose(2)
  await a.stop()
  const back = log.join('a', '2', 2)
  await log.heal(b)
  await log.heal(c)
  await log.pass(4 * log.leaseMs)
  const [owner, ...others] = [back, b, c].filter(({ replica }) => replica.mayServe())
  t.strictSame(others, [])
  await Promise.all([owner!.write('three'), log.settle()])
  for (const { entries } of [back, b, c]) t.strictSame(entries(), ['one', 'two', 'three'])
})

t.test('a node that must not claim puts back what only it has', async (t) => {
  const { log, a, b, c } = await three(t)
  await Promise.all([a.write('one'), log.settle()])
  b.isSlow = true
  c.isSlow = true
  await Promise.all([a.write('two'), log.settle()])
  log.lose(1)
  await a.stop()
  const back = log.join('a', '2', null)
  await log.pass(log.leaseMs / 2)
  t.match(back.told, [
    /^trouble: the log ends at \d+ and not at \d+: the records that it has lost are put back$/,
  ])
  await log.heal(b)
  await log.heal(c)
  await log.pass(3 * log.leaseMs)
  const [owner] = [b, c].filter(({ replica }) => replica.mayServe())
  await Promise.all([owner!.write('three'), log.settle()])
  for (const { entries, told } of [back, b, c]) {
    t.strictSame(entries(), ['one', 'two', 'three'])
    t.notMatch(told.join(), 'forked')
  }
})

t.test('where the log is another than what is on the disk the replica stops', async (t) => {
  const { log, a, b } = await three(t)
  for (const text of ['one', 'two']) await Promise.all([a.write(text), log.settle()])
  log.lose(1)
  log.replace(
    log.length(),
    Buffer.from(log.record(log.length()).toString('latin1').replace('one', 'ONE'), 'latin1'),
  )
  a.write('three')
  await log.pass(log.leaseMs)
  t.equal(a.replica.role(), 'FORKED')
  t.match(a.told.at(-1), /forked: record \d is another than ours/)
  t.notOk(log.owners().includes('a'))
  t.strictSame(b.entries(), ['one', 'two'], 'nothing is overwritten')
})

/** The last record of the log becomes another one, as if the servers had lost it and got that instead. */
const replaceLast = (log: ReturnType<typeof newSharedLog>): void => {
  const last = log.length()
  log.replace(last, Buffer.from(log.record(last).toString('latin1').replace('one', 'ONE'), 'latin1'))
}

t.test('nobody claims a log that is as long as its own, and another', async (t) => {
  const { log, a, b, c } = await three(t)
  await Promise.all([a.write('one'), log.settle()])
  await a.stop()
  replaceLast(log)
  const before = log.length()
  await log.pass(3 * log.leaseMs)
  t.equal(log.length(), before)
  for (const { replica } of [b, c]) t.equal(replica.role(), 'FORKED')
})

t.test('an owner whose lease is over looks whether the log is still its own', async (t) => {
  const { log, a } = await three(t)
  await Promise.all([a.write('one'), log.settle()])
  a.isCut = true
  await log.pass(1.5 * log.leaseMs)
  replaceLast(log)
  const before = log.length()
  await log.heal(a)
  const written = a.write('two')
  await log.pass(log.leaseMs / 2)
  await t.rejects(written, { message: 'this node does not own the shard' })
  t.equal(log.length(), before)
  t.equal(a.replica.role(), 'FORKED')
})

t.test('a node that joins empty gets the whole log', async (t) => {
  const { log, a } = await three(t)
  for (let n = 0; n < 50; n++) await Promise.all([a.write(`entry ${n}`), log.settle()])
  const late = log.join('d')
  await log.settle()
  t.strictSame(late.entries(), a.entries())
  t.equal(late.replica.position().head, a.replica.position().head)
})

t.test('it goes on from the disk where it was closed', async (t) => {
  const { log, a, c } = await three(t)
  await Promise.all([a.write('one'), log.settle()])
  const { head, applied } = c.replica.position()
  await c.stop()
  await Promise.all([a.write('two'), log.settle()])
  const back = log.join('c', '2')
  t.match(back.replica.position(), { head, applied, entries: 1, epoch: 1, owner: { node: 'a' } })
  await log.settle()
  t.strictSame(back.entries(), ['one', 'two'])
})

t.test('a record that the disk has lost is fetched again, with all that follow it', async (t) => {
  const { log, a, b } = await three(t)
  for (const text of ['one', 'two', 'three', 'four']) await Promise.all([a.write(text), log.settle()])
  const { position } = b.replica
  const before = position()
  await b.stop()
  const lost = before.applied - 2
  await log.loseOnDisk('b', lost)
  const back = log.join('b', '2', 1)
  t.equal(back.dropped, lost)
  await log.settle()
  t.strictSame(back.entries(), ['one', 'two', 'three', 'four'])
  t.match(back.replica.position(), { applied: log.length(), entries: 4 })
  await Promise.all([a.write('five'), log.settle()])
  t.strictSame(back.entries().at(-1), 'five')
})

t.test('nothing is written after a record that the disk has lost', async (t) => {
  const { log, a, b } = await three(t)
  await Promise.all([a.write('one'), log.settle()])
  await log.loseOnDisk('b', log.length())
  await Promise.all([a.write('two'), log.settle()])
  t.match(b.told.at(-1), /^broken: the disk has lost record \d+ of the log$/)
})

t.test('who closes while it writes says that nothing is known', async (t) => {
  const { log, a } = await three(t)
  a.isCut = true
  const written = a.write('one')
  await a.stop()
  await t.rejects(written, { message: 'this node does not own the shard' })
  await log.pass(3 * log.leaseMs)
  t.strictSame(log.owners(), ['b'])
})

const restsAfter = 16
const minute = 30

t.test('of a shard that nobody needs the owner writes little, and loses it to nobody', async (t) => {
  const { log, a, b, c } = await three(t)
  await Promise.all([a.write('one'), log.settle()])
  t.notOk(a.replica.isResting())
  await log.pass(restsAfter * log.leaseMs)
  t.ok(a.replica.isResting())
  const before = log.length()
  await log.pass(10 * minute * log.leaseMs)
  t.ok(log.length() - before < 35, `${log.length() - before} records in ten minutes`)
  t.ok(a.replica.isResting())
  t.strictSame([...b.told, ...c.told], ['entries 1', 'entries 1'])
})

t.test('an owner that rests has no lease, because others wait for less than one', async (t) => {
  const { log, a } = await three(t)
  let rested = 0
  while (rested < minute * 10) {
    await log.pass(log.leaseMs / 10)
    if (!a.replica.isResting()) continue
    rested += 1
    if (log.owners().length > 0) t.fail('it serves while it rests')
  }
  t.strictSame(log.owners(), [])
})

t.test('an owner that rests puts back what the servers have lost as soon as they are back', async (t) => {
  const { log, a } = await three(t)
  await log.pass(2 * restsAfter * log.leaseMs)
  t.ok(a.replica.isResting())
  const before = log.length()
  log.lose(2)
  a.replica.refollow()
  await log.settle()
  t.equal(log.length(), before + 1)
  t.ok(a.replica.isResting())
})

t.test('an owner that rests answers when it has renewed', async (t) => {
  const { log, a } = await three(t)
  await log.pass(2 * restsAfter * log.leaseMs)
  t.strictSame(log.owners(), [], 'its lease is over')
  await Promise.all([a.replica.wake(), a.replica.wake(), log.settle()])
  t.notOk(a.replica.isResting())
  t.strictSame(log.owners(), ['a'])
  await log.pass(5 * log.leaseMs)
  t.strictSame(log.owners(), ['a'], 'it renews as before')
  await log.pass(2 * restsAfter * log.leaseMs)
  const written = a.write('one')
  await Promise.all([written, log.settle()])
  t.notOk(a.replica.isResting())
})

t.test('an owner that dies while it rests is followed after a lease, by the next in rank', async (t) => {
  const { log, a } = await three(t)
  await log.pass(2 * restsAfter * log.leaseMs)
  await a.stop()
  await log.pass(log.leaseMs)
  t.strictSame(log.owners(), ['b'])
})

t.test('an owner that rested while another took its shard finds out when it is needed', async (t) => {
  const { log, a, b, c } = await three(t)
  await log.pass(2 * restsAfter * log.leaseMs)
  a.isSilent = true
  a.isCut = true
  await log.pass(2 * log.leaseMs)
  t.strictSame(log.owners(), ['b'])
  await Promise.all([b.write('of b'), log.settle()])
  await log.heal(a)
  t.ok(a.replica.isResting(), 'it does not know')
  const woken = a.replica.wake()
  woken.catch(() => undefined)
  await log.pass(log.leaseMs)
  await t.rejects(woken, { message: 'the shard belongs to b' })
  t.strictSame(log.owners(), ['b'])
  for (const { entries } of [a, b, c]) t.strictSame(entries(), ['of b'])
})

t.test('an owner that lives and never renews while it rests loses the shard in the end', async (t) => {
  const { log, a, b } = await three(t)
  await log.pass(2 * restsAfter * log.leaseMs)
  a.isCut = true
  await log.pass(2 * minute * log.leaseMs)
  t.equal(b.replica.role(), 'FOLLOWER', 'its heartbeats are enough')
  await log.pass(2 * minute * log.leaseMs)
  t.equal(b.replica.role(), 'OWNER')
})

t.test('how far events are published is known from renewals, too', async (t) => {
  const { log, a, b } = await three(t)
  await Promise.all([a.write('one'), log.settle()])
  a.published = 1
  await log.pass(log.leaseMs)
  t.match(b.replica.position(), { published: 1, streamed: 0 })
  a.streamed = 1
  await log.pass(log.leaseMs)
  t.match(b.replica.position(), { published: 1, streamed: 1 })
})
