import t from 'tap'
import { breakerLimits, newBreaker } from '../../../gateway/providers/breaker.ts'

const held = () => {
  let nowMs = 0
  return {
    breaker: newBreaker(() => nowMs),
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

t.test('ten silent in a row open it, and one that answers between begins from the start', async (t) => {
  const { breaker, pass } = held()
  for (let n = 1; n < breakerLimits.silentInRow; n++) {
    t.notOk(breaker.count(true))
    pass(60_000)
  }
  breaker.count(false)
  pass(60_000)
  for (let n = 1; n < breakerLimits.silentInRow; n++) {
    t.notOk(breaker.count(true), `${n} in a row`)
    pass(60_000)
  }
  t.ok(breaker.count(true), 'however long they take')
  t.ok(breaker.isOpen())
  t.notOk(breaker.count(true), 'it opens once')
})

t.test('half of twenty within half a minute open it', async (t) => {
  const { breaker, pass } = held()
  for (let n = 0; n < 9; n++) {
    t.notOk(breaker.count(false))
    t.notOk(breaker.count(true))
    pass(100)
  }
  t.notOk(breaker.count(false), 'nineteen are too few')
  t.ok(breaker.count(true))
})

t.test('fewer than half, or those of before, do not', async (t) => {
  const { breaker, pass } = held()
  for (let n = 0; n < 100; n++) {
    t.notOk(breaker.count(n % 3 === 0), String(n))
    pass(10)
  }
  const old = held()
  for (let n = 0; n < 15; n++) {
    old.breaker.count(false)
    if (n % 2 === 0) old.breaker.count(true)
  }
  old.pass(breakerLimits.windowMs)
  for (let n = 0; n < 8; n++) t.notOk(old.breaker.count(true), 'what is older than the window does not count')
})

t.test('what answers never opens it, though most before were silent', async (t) => {
  const { breaker } = held()
  for (let n = 0; n < 9; n++) breaker.count(true)
  for (let n = 0; n < 9; n++) t.notOk(breaker.count(false))
  t.notOk(breaker.count(false))
})

t.test('closed, it counts from the start, over many thousands too', async (t) => {
  const { breaker, pass } = held()
  for (let n = 0; n < breakerLimits.silentInRow; n++) breaker.count(true)
  breaker.close()
  t.notOk(breaker.isOpen())
  for (let n = 0; n < 5_000; n++) {
    breaker.count(false)
    pass(10)
  }
  for (let n = 1; n < breakerLimits.silentInRow; n++) t.notOk(breaker.count(true))
  t.ok(breaker.count(true))
})
