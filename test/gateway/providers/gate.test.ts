import t from 'tap'
import { breakerLimits } from '../../../gateway/providers/breaker.ts'
import { openGate, type Pass, probeEveryMs } from '../../../gateway/providers/gate.ts'
import type { AskedOperation, ProviderLimits } from '../../../gateway/providers/port.ts'
import { holdTime } from './held-time.ts'

const held = (limits: Partial<ProviderLimits> = {}) => {
  const time = holdTime()
  const sent: string[] = []
  const turnedAway: string[] = []
  const changes: boolean[] = []
  let answers = false
  let probes = 0
  const gate = openGate({
    limits: { inFlightMax: 64, waitingMax: 1_000, rates: [], ...limits },
    stopwatch: time.now,
    timeout: time.timeout,
    probe: async () => {
      probes += 1
      return answers
    },
    onBreaker: (isOpen) => changes.push(isOpen),
  })
  return {
    ...gate,
    time,
    sent,
    turnedAway,
    changes,
    probes: () => probes,
    recover: () => {
      answers = true
    },
    come: (name: string, operation: AskedOperation = 'REFUND'): Pass | null =>
      gate.enter(operation, Number.POSITIVE_INFINITY, {
        send: () => sent.push(name),
        turnAway: () => turnedAway.push(name),
      }),
  }
}

t.test('so many are on their way, so many wait in their order, and more are not taken', async (t) => {
  const { come, sent, closedForMs } = held({ inFlightMax: 2, waitingMax: 2 })
  const [a, b] = [come('a'), come('b')]
  t.equal(closedForMs(), null)
  const [c, d] = [come('c'), come('d')]
  t.equal(come('e'), null)
  t.equal(closedForMs(), 1_000, 'nothing new is begun meanwhile')
  t.strictSame(sent, ['a', 'b'])
  t.notOk(c!.isSent())
  a!.end(false)
  a!.end(false)
  t.strictSame(sent, ['a', 'b', 'c'], 'one leaves once')
  c!.end(false)
  b!.end(false)
  t.strictSame(sent, ['a', 'b', 'c', 'd'])
  t.equal(closedForMs(), null)
  d!.end(false)
})

t.test('what is waited for no longer is never sent', async (t) => {
  const { come, sent } = held({ inFlightMax: 1 })
  const a = come('a')
  const b = come('b')
  come('c')
  b!.end(false)
  b!.end(false)
  a!.end(false)
  t.strictSame(sent, ['a', 'c'])
  t.notOk(b!.isSent())
})

t.test('payouts go as fast as their bucket fills, and hold nothing else up', async (t) => {
  const { come, sent, time } = held({
    rates: [{ operations: ['PAY_OUT'], capacity: 2, perMinute: 60 }],
  })
  for (const name of ['a', 'b', 'c', 'd']) come(name, 'PAY_OUT')
  come('refund')
  t.strictSame(sent, ['a', 'b', 'refund'])
  await time.pass(999)
  t.strictSame(sent, ['a', 'b', 'refund'])
  await time.pass(1)
  t.strictSame(sent, ['a', 'b', 'refund', 'c'])
  await time.pass(1_000)
  t.strictSame(sent.at(-1), 'd')
  await time.pass(60_000)
  for (const name of ['e', 'f', 'g']) come(name, 'PAY_OUT')
  t.strictSame(sent.slice(-2), ['e', 'f'], 'a full bucket holds no more than its capacity')
})

t.test(
  'a silent provider shuts the gate: those who wait are turned away, and no other is taken',
  async (t) => {
    const { come, sent, turnedAway, changes, closedForMs, time, probes, recover } = held({ inFlightMax: 10 })
    const passes = Array.from({ length: breakerLimits.silentInRow }, (_, n) => come(`silent ${n}`))
    come('waits')
    for (const pass of passes.slice(0, -1)) pass!.end(true)
    t.strictSame(turnedAway, [])
    t.ok(sent.includes('waits'), 'it took the place of the first')
    for (let n = 0; n < 8; n++) come(`late ${n}`)
    const waiting = come('next')
    t.notOk(waiting!.isSent())
    passes.at(-1)!.end(true)
    t.strictSame(changes, [true])
    t.strictSame(turnedAway, ['next'])
    t.equal(come('new'), null)
    t.equal(closedForMs(), probeEveryMs)
    await time.pass(probeEveryMs - 5_000)
    t.equal(closedForMs(), 5_000, 'until it is probed')
    await time.pass(5_000)
    t.equal(probes(), 1)
    t.equal(come('new'), null, 'it does not answer yet')
    recover()
    await time.pass(probeEveryMs)
    t.equal(probes(), 2)
    t.strictSame(changes, [true, false])
    t.equal(closedForMs(), null)
    t.ok(come('new')!.isSent())
    await time.pass(10 * probeEveryMs)
    t.equal(probes(), 2, 'an open way is not probed')
  },
)
