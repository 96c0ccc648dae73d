import t from 'tap'
import { newPulse } from '../../../persistence/base/pulse.ts'

const newTimers = () => {
  let nowMs = 1_003
  let fired = 0
  let next: { readonly atMs: number; readonly callback: () => void } | null = null
  const pulse = newPulse({
    nowMs: () => nowMs,
    after: (ms, callback) => {
      const timer = { atMs: nowMs + ms, callback }
      next = timer
      return () => {
        if (next === timer) next = null
      }
    },
  })
  return {
    pulse,
    fired: () => fired,
    nowMs: () => nowMs,
    isWaiting: () => next !== null,
    /** Lets time go on, with each timer this much late. */
    until: (ms: number, lateMs = 0): void => {
      while (next !== null && next.atMs + lateMs <= ms) {
        const { atMs, callback } = next
        nowMs = atMs + lateMs
        next = null
        fired++
        callback()
      }
      nowMs = ms
    },
  }
}

t.test('work with periods that divide each other is done at the same moments, by one timer', async (t) => {
  const { pulse, until, fired, nowMs } = newTimers()
  const done: [string, number][] = []
  pulse(500, () => done.push(['slow', nowMs()]))
  until(1_130)
  pulse(250, () => done.push(['quick', nowMs()]))
  until(2_010)
  t.strictSame(done, [
    ['quick', 1_250],
    ['slow', 1_500],
    ['quick', 1_500],
    ['quick', 1_750],
    ['slow', 2_000],
    ['quick', 2_000],
  ])
  t.equal(fired(), 4)
})

t.test('a period may change from one time to the next, and work may be stopped by other work', async (t) => {
  const { pulse, until, nowMs, isWaiting } = newTimers()
  const done: number[] = []
  let periodMs = 100
  const stop = pulse(
    () => periodMs,
    () => {
      done.push(nowMs())
      if (nowMs() >= 1_200) periodMs = 500
    },
  )
  until(2_100)
  t.strictSame(done, [1_100, 1_200, 1_300, 1_500, 2_000])
  pulse(100, () => stop())
  until(3_000)
  t.equal(done.length, 5)
  t.ok(isWaiting())
})

t.test(
  'work is said to be late by as much as it is, missed times are not made up for, and what throws stops nothing',
  async (t) => {
    const { pulse, until, nowMs } = newTimers()
    const done: [number, number][] = []
    pulse(100, (lateMs) => {
      done.push([nowMs(), lateMs])
      if (done.length === 1) throw new Error('what is due fails')
    })
    t.throws(() => until(1_200), /what is due fails/)
    until(1_900, 230)
    t.strictSame(done, [
      [1_100, 0],
      [1_430, 230],
      [1_730, 230],
    ])
  },
)
