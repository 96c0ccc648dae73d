import t from 'tap'
import { openSideThrottle } from '../../../gateway/inbox/throttle.ts'

t.test('each side has its own bound, which fills again, and those idle longest are forgotten', async (t) => {
  let nowMs = 0
  const { take } = openSideThrottle({ capacity: 3, perSecond: 1, sidesMax: 2 }, () => nowMs)
  t.strictSame(
    [1, 2, 3, 4].map(() => take('a')),
    [true, true, true, false],
  )
  t.equal(take('b'), true)
  nowMs = 999
  t.equal(take('a'), false)
  nowMs = 2_000
  t.strictSame(
    [1, 2, 3].map(() => take('a')),
    [true, true, false],
  )
  nowMs = 1_000_000
  t.strictSame(
    [1, 2, 3, 4].map(() => take('a')),
    [true, true, true, false],
    'it fills no further than it was',
  )
  take('b')
  take('c')
  t.equal(take('a'), true, 'a third side makes room for itself')
})
