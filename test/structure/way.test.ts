import t from 'tap'
import { recordWay } from './recorded-way.ts'

t.test('the way of a PIX charge from the socket to the disk', async (t) => {
  const files = (await recordWay(t)).map(({ file }) => file)
  for (const file of [
    'gateway/identity/authenticate.ts',
    'gateway/routes/charge-input.ts',
    'engine/payments/methods/pix/decide.ts',
    'engine/payments/methods/pix/evolve.ts',
    'persistence/journal/journal.ts',
  ])
    t.ok(files.includes(file), `it leads through ${file}`)
  const seen = new Set<string>()
  const returns = files.filter((file, n) => {
    if (file === files[n - 1]) return false
    const isReturn = seen.has(file)
    seen.add(file)
    return isReturn
  })
  t.ok(seen.size <= 45, `${seen.size} files: ${[...seen].join(', ')}`)
  t.ok(returns.length <= 45, `${returns.length} returns`)
})
