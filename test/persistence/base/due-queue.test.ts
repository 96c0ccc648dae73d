import t from 'tap'
import {
  firstDueAtMs,
  firstDueRow,
  newDueQueue,
  popDue,
  pushDue,
} from '../../../persistence/base/due-queue.ts'
import { seeded } from '../../engine/world.ts'

t.test('rows come out by their time, then by their number, however they came in', async (t) => {
  const entropy = seeded(6)
  const queue = newDueQueue()
  t.equal(firstDueAtMs(queue), Number.POSITIVE_INFINITY)
  let waiting: [number, number][] = []
  for (let round = 0; round < 40; round++) {
    for (let n = entropy() % 200; n > 0; n--) {
      const pair: [number, number] = [entropy() % 50, entropy() % 1000]
      waiting.push(pair)
      pushDue(queue, ...pair)
    }
    waiting.sort((a, b) => a[0] - b[0] || a[1] - b[1])
    const taken = entropy() % (waiting.length + 1)
    const came: [number, number][] = []
    for (let n = 0; n < taken; n++) {
      came.push([firstDueAtMs(queue), firstDueRow(queue)])
      popDue(queue)
    }
    t.strictSame(came, waiting.slice(0, taken))
    waiting = waiting.slice(taken)
  }
})
