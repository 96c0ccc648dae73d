import t from 'tap'
import { readTraceparent, traceIdOf } from '../../../engine/shared/traceparent.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const example = `00-${traceId}-b7ad6b7169203331-01`

t.test('a traceparent is read as W3C Trace Context writes it', async (t) => {
  const read = readTraceparent(example)!
  t.equal(read, example)
  t.equal(traceIdOf(read), traceId)
})

t.test('of a later version as much is read as this one knows', async (t) => {
  t.equal(readTraceparent(`01${example.slice(2)}-what-else-there-is`), example)
  t.equal(readTraceparent(`cc${example.slice(2)}`), example)
})

for (const [text, why] of [
  ['', 'is empty'],
  [`${example}-more`, 'has more than its version'],
  [`ff${example.slice(2)}`, 'has the version that there is not'],
  [example.toUpperCase(), 'is in capitals'],
  [example.replace(traceId, '0'.repeat(32)), 'names no trace'],
  [example.replace('b7ad6b7169203331', '0'.repeat(16)), 'names no parent'],
  [example.slice(0, -1), 'is cut short'],
  [`${example}0`, 'is too long'],
  [`01${example.slice(2)}x`, 'runs on without a dash'],
  [` ${example}`, 'begins with a space'],
] as const)
  t.test(`a text is no traceparent where it ${why}`, async (t) => {
    t.equal(readTraceparent(text), null)
  })
