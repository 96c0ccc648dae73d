import { readFileSync } from 'node:fs'
import t from 'tap'
import { endToEndIdOf } from '../../../../engine/payments/methods/pix/end-to-end-id.ts'
import { readEndToEndId } from './read-end-to-end-id.ts'

type Vector = {
  id: string
  valid: boolean
  parsed?: { type: 'payment' | 'return'; ispb: string; utc: string; sequence: string }
}

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../../../test/vectors/e2e.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] }

t.test('every valid vector is read into its parts, and the parts build it again', async (t) => {
  for (const { id, parsed } of vectors.filter(({ valid }) => valid)) {
    const parts = readEndToEndId(id)!
    const { type, ispb, utc, sequence } = parsed!
    const kind = type === 'payment' ? 'E' : 'D'
    t.same(parts, { kind, ispb, minuteMs: Date.parse(utc), suffix: sequence }, id)
    t.equal(endToEndIdOf(parts.kind, parts.ispb, parts.minuteMs + 59_999, parts.suffix), id)
  }
})

t.test('every invalid vector is refused', async (t) => {
  for (const { id } of vectors.filter(({ valid }) => !valid)) t.equal(readEndToEndId(id), null, id)
})

t.test('an id whose minute does not exist is refused', async (t) => {
  for (const minute of ['202602300000', '202613010000', '202601012400', '202601010060', '000001010000']) {
    t.equal(readEndToEndId(`E12345678${minute}abcdef12345`), null, minute)
  }
})

t.test('anything but capitals in the bank’s code and plain letters at the end is refused', async (t) => {
  t.equal(readEndToEndId('E1234567a202009091221abcdef12345'), null)
  t.equal(readEndToEndId('E12345678202009091221abcdef1234-'), null)
  t.equal(readEndToEndId('X12345678202009091221abcdef12345'), null)
  t.equal(readEndToEndId('E12345678202009091221abcdef12345\n'), null)
  t.equal(readEndToEndId(''), null)
})

t.test('an id is not built from parts that do not fit', async (t) => {
  t.throws(() => endToEndIdOf('E', '1234567', 0, 'abcdef12345'))
  t.throws(() => endToEndIdOf('E', '12345678', 0, 'abcdef1234'))
  t.throws(() => endToEndIdOf('D', '12345678', 0, 'abcdef1234!'))
})
