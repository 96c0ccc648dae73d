import t from 'tap'
import { finish } from '../../../engine/kernel/work.ts'
import { newTimeSlice } from '../../../persistence/base/time-slice.ts'
import { newRanking } from '../../../persistence/index/ranking.ts'
import { seeded } from '../../engine/world.ts'

const never = newTimeSlice(() => 0, 1)

t.test('any piece of an order, without the rest of it being in order', async (t) => {
  const entropy = seeded(8)
  for (const distinct of [1, 7, 1_000_000]) {
    for (const count of [0, 1, 2, 50, 20_000]) {
      const keys = Array.from({ length: count }, () => entropy() % distinct)
      // Rows with the same key come in descending order.
      const expected = [...keys.keys()].sort((a, b) => keys[a]! - keys[b]! || b - a)
      for (const [start, end] of [
        [0, 25],
        [0, 0],
        [40, 60],
        [count >> 1, (count >> 1) + 10],
        [Math.max(0, count - 1), count + 5],
        [0, count],
      ] as const) {
        const ranking = newRanking(end, (a, b) => b - a, never)
        for (let row = 0; row < count; row++) {
          if (row % 4096 === 0) finish(ranking.makeRoom(4096))
          if (ranking.takes(keys[row]!)) ranking.add(keys[row]!, row)
        }
        t.strictSame(
          finish(ranking.take(start, end)),
          expected.slice(start, end),
          `${distinct} ${start} ${end}`,
        )
      }
    }
  }
})

t.test('it gives way while it looks for a rank', async (t) => {
  let now = 0
  const ranking = newRanking(
    10_000,
    (a, b) => a - b,
    newTimeSlice(() => now++, 1),
  )
  finish(ranking.makeRoom(30_000))
  const entropy = seeded(1)
  for (let row = 0; row < 30_000; row++) ranking.add(entropy(), row)
  let pauses = 0
  for (const work = ranking.take(9_000, 9_010); !work.next().done; ) pauses += 1
  t.ok(pauses > 5, `${pauses} pauses`)
})
