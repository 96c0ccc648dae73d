import t from 'tap'
import { newRecentMap } from '../../../engine/shared/recent-map.ts'

t.test('a new key takes the place of the oldest that was not used since', async (t) => {
  const map = newRecentMap<number>(3)
  for (const [n, key] of ['a', 'b', 'c'].entries()) map.set(key, n)
  t.equal(map.get('a'), 0)
  map.set('d', 3)
  t.strictSame([...map.entries()].map(([key]) => key).sort(), ['a', 'c', 'd'])
  map.set('c', 4)
  map.set('e', 5)
  t.strictSame([map.get('a'), map.get('c'), map.get('d'), map.get('e')], [undefined, 4, 3, 5])
})

t.test('what is used all the time stays, however many others come', async (t) => {
  const map = newRecentMap<number>(100)
  map.set('mine', -1)
  for (let n = 0; n < 10_000; n++) {
    map.set(`other ${n}`, n)
    if (n % 50 === 0) t.equal(map.get('mine'), -1)
  }
  t.equal([...map.entries()].length, 100)
})

t.test('where all were used, the oldest of them goes', async (t) => {
  const map = newRecentMap<number>(2)
  for (const key of ['a', 'b', 'a', 'b', 'c']) map.set(key, 1)
  t.strictSame([map.get('a'), map.get('b'), map.get('c')], [undefined, 1, 1])
})

t.test('a deleted key leaves nothing behind, and one that is set again is new', async (t) => {
  const map = newRecentMap<number>(2)
  map.set('a', 1)
  t.equal(map.get('a'), 1)
  map.delete('a')
  t.equal(map.get('a'), undefined)
  map.set('a', 2)
  map.set('b', 3)
  t.strictSame([map.get('a'), map.get('b')], [2, 3], 'the place that it had before is free')
})
