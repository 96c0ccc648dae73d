import t from 'tap'
import type { FailedAttempts } from '../../../engine/people/session.ts'
import {
  factorThrottle,
  linkThrottle,
  passwordThrottle,
  secondsToWait,
  type ThrottlePolicy,
  withFailure,
} from '../../../engine/people/throttle.ts'

/** Seconds to wait after each of so many failures, each made as soon as it is taken. */
const waits = (policy: ThrottlePolicy, count: number): number[] => {
  let attempts: FailedAttempts | undefined
  let nowMs = 1_000_000
  return Array.from({ length: count }, () => {
    attempts = withFailure(attempts, nowMs, policy)
    const wait = secondsToWait(attempts, nowMs)
    nowMs += wait * 1000
    return wait
  })
}

t.test('wrong passwords wait from the fifth on, twice as long each time', async (t) => {
  t.strictSame(
    waits(passwordThrottle, 17),
    [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900],
  )
})

t.test('a hundred wrong passwords in an hour are the end of it, however slowly they come', async (t) => {
  let attempts: FailedAttempts | undefined
  for (let n = 0; n < 100; n++) {
    attempts = { ...withFailure(attempts, n * 1000, passwordThrottle), inRow: 0 }
    if (n < 99) t.equal(secondsToWait({ ...attempts, blockedUntilMs: 0 }, n * 1000), 0)
  }
  t.equal(secondsToWait(attempts, 99_000), 3600 - 99, 'until the first of them is an hour old')
})

t.test('five codes in five minutes, and ten wrong ones lock codes for an hour', async (t) => {
  t.strictSame(waits(factorThrottle, 10), [0, 0, 0, 0, 300, 0, 0, 0, 0, 3600])
})

t.test('three links in an hour', async (t) => {
  t.strictSame(waits(linkThrottle, 3), [0, 0, 3600])
})

t.test('who never failed never waits', async (t) => {
  t.equal(secondsToWait(undefined, 5), 0)
})
