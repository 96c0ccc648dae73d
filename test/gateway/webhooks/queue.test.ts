import t from 'tap'
import { newQueue } from '../../../gateway/webhooks/queue.ts'

t.test('first in, first out, whatever is taken in between', async (t) => {
  const queue = newQueue<number>()
  const taken: number[] = []
  for (let n = 0; n < 1000; n++) {
    queue.push(n)
    if (n % 3 === 0) taken.push(queue.shift()!)
  }
  t.equal(queue.length(), 1000 - taken.length)
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) taken.push(item)
  t.strictSame(
    taken,
    Array.from({ length: 1000 }, (_, n) => n),
  )
  t.equal(queue.length(), 0)
})
