import t from 'tap'
import { type Over, openRepeats } from '../../../gateway/observability/repeats.ts'

const opened = () => {
  let nowMs = 0
  const over: Over[] = []
  const repeats = openRepeats(
    () => nowMs,
    (one) => over.push(one),
  )
  return {
    over,
    take: repeats.take,
    pass: (ms: number) => {
      nowMs += ms
      repeats.look()
    },
  }
}

t.test('trouble that repeats is told at once, then once a minute with how often', async (t) => {
  const { take, pass, over } = opened()
  const told: (number | null)[] = []
  for (let second = 0; second < 150; second++) {
    told.push(take('disk', 'the disk is full'))
    pass(1000)
  }
  t.strictSame(
    told.flatMap((leftOut, second) => (leftOut === null ? [] : [[second, leftOut]])),
    [
      [0, 0],
      [60, 59],
      [120, 59],
    ],
  )
  t.strictSame(over, [], 'it is not over')
  pass(14_000)
  t.strictSame(over, [{ message: 'the disk is full', times: 150, lastedMs: 149_000 }])
  t.equal(take('disk', 'the disk is full'), 0, 'the next time it is told at once')
})

t.test('what happens once is not over afterwards, and hides nothing else', async (t) => {
  const { take, pass, over } = opened()
  t.equal(take('a', 'a provider failed'), 0)
  t.equal(take('b', 'a provider failed'), 0)
  pass(60_000)
  t.strictSame(over, [])
})

t.test('lines that are all different are all written', async (t) => {
  const { take } = opened()
  const told = Array.from({ length: 3000 }, (_, n) => take(String(n), 'a request failed'))
  t.ok(told.every((leftOut) => leftOut === 0))
})
