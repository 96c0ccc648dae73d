import t from 'tap'
import { newThrottle } from '../../../persistence/base/throttle.ts'

t.test('calls come together: at once after a pause, and otherwise so long after the last time', async (t) => {
  let nowMs = 1000
  const ends: (() => void)[] = []
  const timers: { readonly atMs: number; readonly callback: () => void }[] = []
  const called: number[] = []
  const throttle = newThrottle(100, {
    nowMs: () => nowMs,
    after: (ms, callback) => void timers.push({ atMs: nowMs + ms, callback }),
    atEndOfTurn: (callback) => void ends.push(callback),
  })
  const ask = (): void => throttle(() => void called.push(nowMs))
  const endTurn = (): void => {
    for (const callback of ends.splice(0)) callback()
  }
  ask()
  ask()
  t.strictSame(
    [called, ends.length, timers.length],
    [[], 1, 0],
    'the first ones wait for the end of the turn',
  )
  endTurn()
  t.strictSame(called, [1000])
  nowMs = 1030
  ask()
  ask()
  t.strictSame([ends.length, timers.map(({ atMs }) => atMs)], [0, [1100]], 'the next ones for what is left')
  nowMs = 1100
  timers.splice(0)[0]!.callback()
  t.strictSame(called, [1000, 1100])
  nowMs = 1200
  ask()
  t.strictSame([ends.length, timers.length], [1, 0], 'and after a pause none waits')
  endTurn()
  t.strictSame(called, [1000, 1100, 1200])
})

t.test('a call from within the callback asks for the next time', async (t) => {
  let nowMs = 0
  let calls = 0
  const waits: number[] = []
  const ends: (() => void)[] = []
  const throttle = newThrottle(10, {
    nowMs: () => nowMs++,
    after: (ms) => void waits.push(ms),
    atEndOfTurn: (callback) => void ends.push(callback),
  })
  const ask = (): void =>
    throttle(() => {
      calls += 1
      if (calls === 1) ask()
    })
  ask()
  ends[0]!()
  t.strictSame([calls, waits.length], [1, 1])
})
