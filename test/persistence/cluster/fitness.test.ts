import t from 'tap'
import { openClockWatch } from '../../../persistence/cluster/clock-watch.ts'
import { type Heartbeat, openMembership } from '../../../persistence/cluster/membership.ts'
import { openLinkWatch } from '../../../persistence/nats/link-watch.ts'

const flushed = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

t.test('a connection on which nothing arrives for too many beats is lost, until it answers', async (t) => {
  let answer = (): void => undefined
  let losses = 0
  let asked = 0
  const link = openLinkWatch({
    ask: () => {
      asked += 1
      return new Promise<void>((resolve) => {
        answer = resolve
      })
    },
    received: () => 7,
    beatsMax: 3,
    onLost: () => losses++,
  })
  for (let beats = 0; beats < 2; beats++) link.beat()
  t.notOk(link.isLost())
  t.equal(asked, 1, 'a question waits for its answer')
  link.beat()
  t.ok(link.isLost())
  for (let beats = 0; beats < 3; beats++) link.beat()
  t.equal(losses, 2, 'it is told again after as many beats')
  answer()
  await flushed()
  t.notOk(link.isLost())
  link.beat()
  t.equal(asked, 2)
  t.notOk(link.isLost())
})

t.test('one that brings messages and no answer is given twice as long', async (t) => {
  let messages = 0
  let losses = 0
  const link = openLinkWatch({
    ask: () => new Promise(() => undefined),
    received: () => messages++,
    beatsMax: 3,
    onLost: () => losses++,
  })
  for (let beats = 0; beats < 5; beats++) link.beat()
  t.notOk(link.isLost())
  link.beat()
  t.ok(link.isLost())
  t.equal(losses, 1)
})

t.test('a question that is lost with its connection is asked again', async (t) => {
  const outcomes = [() => Promise.reject(new Error('away')), () => Promise.resolve()]
  const link = openLinkWatch({
    ask: () => outcomes.shift()!(),
    received: () => 0,
    beatsMax: 2,
    onLost: () => undefined,
  })
  link.beat()
  await flushed()
  link.beat()
  t.ok(link.isLost())
  await flushed()
  t.notOk(link.isLost())
})

t.test('a clock is compared with most others, by the messages that came quickest', async (t) => {
  let nowMs = 1_000_000
  const clocks = openClockWatch(() => nowMs)
  t.equal(clocks.aheadMs(), 0, 'nobody else is heard')
  clocks.hear('b', nowMs - 5_000)
  t.equal(clocks.aheadMs(), 0, 'of two clocks, either may be wrong')
  clocks.hear('c', nowMs - 4_000)
  t.equal(clocks.aheadMs(), 4_000)
  clocks.hear('c', nowMs - 3_900)
  t.equal(clocks.aheadMs(), 3_900, 'a late message makes a clock look slow, never fast')
  clocks.hear('NATS', nowMs + 10)
  t.equal(clocks.aheadMs(), 0, 'two against two')
  clocks.forget('NATS')
  t.equal(clocks.aheadMs(), 3_900)
  nowMs -= 10_000
  for (let n = 0; n < 8; n++) for (const node of ['b', 'c']) clocks.hear(node, nowMs + 6_000)
  t.equal(clocks.aheadMs(), -6_000)
  clocks.resumed()
  t.equal(clocks.aheadMs(), 0)
})

t.test('of two processes with one name the one that has lived longer without a break goes on', async (t) => {
  let nowMs = 0
  const told: string[] = []
  const open = (incarnation: string) =>
    openMembership({
      self: { node: 'a', incarnation },
      say: () => heartbeat(incarnation, 0),
      monotonicNow: () => nowMs,
      heartbeatMs: 250,
      deadMs: 1500,
      onDied: () => undefined,
      onTwin: (twin, hasToEnd) => told.push(`${incarnation} hears ${twin}: ${hasToEnd}`),
      onResumed: () => undefined,
    })
  const first = open('m')
  nowMs = 60_000
  first.tick()
  const resumedMs = nowMs - first.resumedAt()
  t.equal(resumedMs, 0, 'a process that was not run begins anew')
  nowMs = 100_000
  const second = open('k')
  first.hear('a', heartbeat('k', 0))
  second.hear('a', heartbeat('m', 40_000))
  t.strictSame(told.splice(0), ['m hears k: IT', 'k hears m: THIS'])
  first.hear('a', heartbeat('n', 40_100))
  first.hear('a', heartbeat('l', 39_900))
  t.strictSame(told, ['m hears n: THIS', 'm hears l: IT'], 'of two that began together, the name decides')
})

const heartbeat = (incarnation: string, upMs: number): Heartbeat => ({
  incarnation,
  workers: 1,
  version: '0.1.0',
  reads: 13,
  writes: 13,
  zone: '',
  isLeaving: false,
  isDraining: false,
  leavesForGood: false,
  isUnfit: false,
  upMs,
  clockMs: 0,
})
