import t from 'tap'
import { newTimeLimit } from '../../../gateway/webhooks/time-limit.ts'

/** A limit of ten milliseconds, by a clock that the test sets. */
const limited = (onLate: (item: string) => void = () => undefined) => {
  let timeMs = 0
  const timers: { readonly atMs: number; readonly callback: () => void }[] = []
  const late: string[] = []
  const limit = newTimeLimit<string>({
    ms: 10,
    monotonicMs: () => timeMs,
    later: (ms, callback) => void timers.push({ atMs: timeMs + ms, callback }),
    onLate: (item) => {
      late.push(`${item} at ${timeMs}`)
      onLate(item)
    },
  })
  const goTo = (ms: number): void => {
    for (const { atMs, callback } of timers.splice(0)) {
      timeMs = Math.min(atMs, ms)
      if (atMs <= ms) callback()
      else timers.push({ atMs, callback })
    }
    timeMs = ms
  }
  return { limit, late, timers, goTo }
}

t.test('each item is late when its own time is over, by one timer for all', async (t) => {
  const { limit, late, timers, goTo } = limited()
  limit.add('a')
  goTo(4)
  limit.add('b')
  limit.add('c')
  limit.delete('c')
  t.equal(timers.length, 1)
  t.equal(limit.first(), 'a')
  goTo(10)
  t.strictSame(late, ['a at 10'])
  t.ok(limit.has('b'))
  goTo(14)
  t.strictSame(late, ['a at 10', 'b at 14'])
  t.strictSame(timers, [], 'nothing is left to wait for')
})

t.test('an item that is added again begins anew', async (t) => {
  const { limit, late, goTo } = limited()
  limit.add('a')
  limit.add('b')
  goTo(5)
  limit.add('a')
  t.equal(limit.first(), 'b')
  goTo(10)
  goTo(15)
  t.strictSame(late, ['b at 10', 'a at 15'])
})

t.test('what is added while others run out has its whole time', async (t) => {
  const { limit, late, timers, goTo } = limited((item) => {
    if (item === 'a') limit.add('c')
  })
  limit.add('a')
  goTo(3)
  limit.add('b')
  goTo(10)
  t.equal(timers.length, 1)
  goTo(13)
  goTo(20)
  t.strictSame(late, ['a at 10', 'b at 13', 'c at 20'])
})
