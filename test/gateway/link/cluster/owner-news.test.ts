import t from 'tap'
import { newOwnerNews } from '../../../../gateway/link/cluster/owner-news.ts'

t.test('a wait ends with news of its shard, and of no other', async (t) => {
  // Waits keep no idle thread alive.
  const alive = setInterval(() => undefined, 1000)
  t.teardown(() => clearInterval(alive))
  const news = newOwnerNews()
  const ended: string[] = []
  const wait = (name: string, shard: number): Promise<void> =>
    news.within(60_000, shard).then(() => void ended.push(name))
  const waits = [wait('a', 1), wait('b', 1), wait('c', 2)]
  news.give(3)
  await Promise.resolve()
  t.strictSame(ended, [])
  news.give(1)
  await Promise.all(waits.slice(0, 2))
  t.strictSame(ended, ['a', 'b'])
  news.give(2)
  await waits[2]
  await news.within(1, 1)
  t.pass('and without news when its time is over')
})
