import t from 'tap'
import { newRateLimit, newRateLimitMemory } from '../../../gateway/http/rate-limit.ts'

t.test('0 requests a second is no limit', async (t) => {
  t.equal(newRateLimit(0, 1, newRateLimitMemory()), null)
})

t.test('a burst is let through, then the rate; what is refused costs nothing', async (t) => {
  const limit = newRateLimit(10, 3, newRateLimitMemory())!
  t.equal(limit.policy, '"default";q=10;w=1')
  const at = (nowMs: number) => limit.take(0, nowMs)
  t.strictSame(
    [at(1000), at(1000), at(1000)].map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 2],
      [true, 1],
      [true, 0],
    ],
  )
  t.match(at(1000), { allowed: false, remaining: 0, resetSeconds: 1 })
  t.match(at(1050), { allowed: false }, 'half a request later')
  t.match(at(1100), { allowed: true, remaining: 0 }, 'one request later')
  t.match(at(9000), { allowed: true, remaining: 2 }, 'the bucket is full again')
})

t.test('keys do not take from each other; workers share', async (t) => {
  const memory = newRateLimitMemory()
  const [one, other] = [newRateLimit(1, 1, memory)!, newRateLimit(1, 1, memory)!]
  t.ok(one.take(7, 0).allowed)
  t.notOk(other.take(7, 0).allowed, 'the same key at another worker')
  t.ok(other.take(8, 0).allowed)
  t.ok(one.take(1 << 21, 0).allowed, 'keys beyond the last place share it')
  t.notOk(one.take(1 << 22, 0).allowed)
})
