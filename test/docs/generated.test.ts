import t from 'tap'
import { stalePages } from './generated.ts'
import { generators } from './generators.ts'

t.test('what pages say of the code is what the code says; npm run docs writes it', async (t) => {
  t.strictSame(stalePages(generators), [])
})
