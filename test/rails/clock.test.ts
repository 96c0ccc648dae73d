import t from 'tap'
import { openClock } from './clock.ts'

t.test('work is done at its moment and in its order', async (t) => {
  const clock = openClock({ startMs: 1000 })
  const done: string[] = []
  const at = (dueMs: number, name: string) => clock.at(dueMs, () => done.push(`${name} at ${clock.nowMs()}`))
  at(3000, 'c')
  at(2000, 'a')
  at(2000, 'b')
  at(500, 'late')
  clock.at(2500, async () => {
    await null
    at(2600, 'new')
  })
  const cancel = at(2700, 'cancelled')
  cancel()
  t.strictSame(clock.due(), [500, 2000, 2000, 2500, 3000])
  await clock.advance(1999)
  t.strictSame(done, ['late at 1000', 'a at 2000', 'b at 2000', 'new at 2600'])
  t.equal(clock.nowMs(), 2999)
  await clock.advance(1)
  t.strictSame(done.at(-1), 'c at 3000')
})

t.test('two that advance at once move on by the sum', async (t) => {
  const clock = openClock({ startMs: 0 })
  await Promise.all([clock.advance(10), clock.advance(20)])
  t.equal(clock.nowMs(), 30)
})

t.test('work that fails fails who advanced, and no later one', async (t) => {
  const clock = openClock({ startMs: 0 })
  clock.at(5, () => {
    throw new Error('no')
  })
  await t.rejects(clock.advance(10), { message: 'no' })
  await clock.advance(10)
  t.equal(clock.nowMs(), 15)
})

t.test('a clock that runs does what is due by itself', async (t) => {
  const clock = openClock({ startMs: Date.UTC(2026, 0), runs: true })
  t.teardown(clock.stop)
  const dueMs = clock.nowMs() + 5
  const reached = await new Promise<number>((resolve) => {
    clock.at(dueMs, () => resolve(clock.nowMs()))
  })
  t.ok(reached >= dueMs)
  t.ok(reached < Date.UTC(2026, 0) + 600_000)
})
