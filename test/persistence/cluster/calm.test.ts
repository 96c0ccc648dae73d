import type { NatsConnection } from '@nats-io/transport-node'
import t from 'tap'
import { isCalm } from '../../../persistence/cluster/calm.ts'
import { heartbeatOf, memberOn } from '../../../persistence/cluster/open-member.ts'
import type { Replica } from '../../../persistence/cluster/replica.ts'
import { openLinkWatch } from '../../../persistence/nats/link-watch.ts'
import { everyCopy } from './every-copy.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A member whose shards rest, or not, at a time that the test says. */
const newMemberOfTest = (leaseMs = 2_000) => {
  const clock = { nowMs: 1_000_000 }
  const rests = [true, true]
  const answers: (() => void)[] = []
  const connection = {
    stats: () => ({ inMsgs: 0 }),
    flush: () => new Promise<void>((resolve) => void answers.push(resolve)),
  } as unknown as NatsConnection
  const unused = null as never
  const member = memberOn(
    {
      ...everyCopy,
      connection,
      cluster: 'calm',
      leaseMs,
      self: { node: 'a', incarnation: 'a1' },
      version: '0.1.0',
      worker: 0,
      workers: 1,
      shards: 2,
      pins: () => new Map(),
      giveAway: async () => false,
      progress: () => ({ published: 0, streamed: 0 }),
      logKept: { records: 100, ms: 0, nodesMin: 2, lookMs: 10_000 },
      onDied: () => undefined,
      onOwner: () => undefined,
      onTwin: () => undefined,
      wallNow: () => clock.nowMs,
      monotonicNow: () => clock.nowMs,
      pause: async () => undefined,
      every: () => () => undefined,
      layout: unused,
      writtenVersion: () => 14,
      log: silent,
    },
    unused,
    unused,
  )
  for (const [shard] of rests.entries())
    member.replicas.set(shard, { position: () => ({ rests: rests[shard] }) } as unknown as Replica)
  const hear = (node: string): void =>
    member.membership.hear(node, { ...heartbeatOf(member), incarnation: `${node}1` })
  return { member, clock, rests, answers, hear }
}

t.test('a member is calm while every shard rests and every node is heard in time', async (t) => {
  const { member, clock, rests, hear } = newMemberOfTest()
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 50) {
      clock.nowMs += 50
      member.membership.tick()
    }
  }
  t.ok(isCalm(member))
  rests[1] = false
  t.notOk(isCalm(member), 'the owner of this one renews its lease, here or elsewhere')
  rests[1] = true
  hear('b')
  pass(700)
  t.ok(isCalm(member))
  pass(100)
  t.notOk(isCalm(member), 'a node that may be dead is looked at as often as ever')
  hear('b')
  t.ok(isCalm(member))
  pass(1_500)
  t.notOk(isCalm(member), 'a dead one is not heard any more, and its shards are to be claimed')
  pass(30_000)
  t.ok(isCalm(member))
})

t.test('a member that is about to move something is not calm', async (t) => {
  for (const state of [{ isLeaving: true }, { isDraining: true }, { isHanding: true }]) {
    const { member } = newMemberOfTest()
    Object.assign(member, state)
    t.notOk(isCalm(member), JSON.stringify(state))
  }
  const { member } = newMemberOfTest()
  member.leaving.set(0, 1)
  t.notOk(isCalm(member))
})

t.test('nor one that NATS does not answer, nor one with a short lease', async (t) => {
  const { member, answers } = newMemberOfTest()
  member.link.beat()
  t.notOk(isCalm(member))
  answers[0]!()
  await new Promise(setImmediate)
  t.ok(isCalm(member))
  t.notOk(isCalm(newMemberOfTest(1_900).member))
})

t.test('a connection is lost after as long a silence, however far the looks are apart', async (t) => {
  for (const intervals of [1, 2]) {
    let lost = 0
    const watch = openLinkWatch({
      ask: () => new Promise(() => undefined),
      received: () => 0,
      beatsMax: 3,
      onLost: () => void lost++,
    })
    let passed = 0
    while (!watch.isLost()) {
      watch.beat(intervals)
      passed += intervals
    }
    t.ok(passed === 3 || passed === 4, `${passed}`)
    t.equal(lost, 1)
  }
})
