import t from 'tap'
import { newLine } from '../../../gateway/webhooks/line.ts'

t.test('first in, first out, whatever is taken in between', async (t) => {
  const line = newLine<number>()
  const taken: number[] = []
  for (let n = 0; n < 1000; n++) {
    line.push(n)
    if (n % 3 === 0) taken.push(line.shift()!)
  }
  t.equal(line.length(), 1000 - taken.length)
  for (let item = line.shift(); item !== undefined; item = line.shift()) taken.push(item)
  t.strictSame(
    taken,
    Array.from({ length: 1000 }, (_, n) => n),
  )
  t.equal(line.length(), 0)
})
