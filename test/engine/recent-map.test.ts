import t from 'tap'
import { newRecentMap } from '../../engine/recent-map.ts'

t.test('the oldest key makes room; setting a known one again does not make it newer', async (t) => {
  const map = newRecentMap<number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  t.equal(map.get('a'), 3)
  map.set('c', 4)
  t.equal(map.get('a'), undefined)
  t.strictSame([map.get('b'), map.get('c')], [2, 4])
  map.delete('b')
  t.equal(map.get('b'), undefined)
})
