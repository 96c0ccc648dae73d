import t from 'tap'
import { newRateLimit, newRateLimitMemory, ratePoliciesOf } from '../../../gateway/identity/rate-limit.ts'

const policy = (count: number, burst: number) => ({ name: 'default', count, windowSeconds: 1, burst })

t.test('0 requests a second is no limit', async (t) => {
  t.equal(newRateLimit(policy(0, 1), newRateLimitMemory()), null)
})

t.test('who switches the limit off does so for people, too', async (t) => {
  const settings = { rateLimit: 7, rateLimitBurst: 9, exportRateLimit: 3 }
  t.match(ratePoliciesOf(settings), {
    keys: { count: 7, burst: 9 },
    sessions: { count: 50, burst: 200 },
    exports: { count: 3, windowSeconds: 60 },
  })
  t.match(ratePoliciesOf({ ...settings, rateLimit: 0 }), { keys: { count: 0 }, sessions: { count: 0 } })
})

t.test('a burst is let through, then the rate; what is refused costs nothing', async (t) => {
  const limit = newRateLimit(policy(10, 3), newRateLimitMemory())!
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
  const [one, other] = [newRateLimit(policy(1, 1), memory)!, newRateLimit(policy(1, 1), memory)!]
  t.ok(one.take(7, 0).allowed)
  t.notOk(other.take(7, 0).allowed, 'the same key at another worker')
  t.ok(other.take(8, 0).allowed)
  t.ok(one.take(1 << 21, 0).allowed, 'keys beyond the last place share it')
  t.notOk(one.take(1 << 22, 0).allowed)
})

t.test('a rate may be by the minute', async (t) => {
  const limit = newRateLimit(
    { name: 'export', count: 10, windowSeconds: 60, burst: 10 },
    newRateLimitMemory(),
  )!
  t.equal(limit.policy, '"export";q=10;w=60')
  for (let n = 0; n < 10; n++) t.ok(limit.take(0, 0).allowed)
  t.match(limit.take(0, 0), { allowed: false, resetSeconds: 6 })
  t.ok(limit.take(0, 6000).allowed)
})
