import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import { readBrCode, writeBrCode } from './br-code.ts'

const file = resolve(import.meta.dirname, '../../../../test/vectors/brcode.json')
const vectors: readonly any[] = JSON.parse(readFileSync(file, 'utf8')).vectors

t.test('official codes are read, and what only looks like one is refused', async (t) => {
  for (const { id, valid, payload, fields } of vectors) {
    if (!valid) {
      t.throws(() => readBrCode(payload), `${id} is refused`)
      continue
    }
    const read = readBrCode(payload)
    t.equal(read.name, fields['59'], id)
    t.equal(read.location, fields['26']['25'], id)
    t.equal(read.chave, fields['26']['01'], id)
    t.equal(read.recurrenceLocation, fields['80']?.['25'], id)
  }
})

t.test('a code that was written is read alike', async (t) => {
  const of = { location: 'bank.example/qr/v2/0123456789', name: 'Loja São João Ltda', city: 'São Paulo' }
  const code = writeBrCode({ ...of, recurrenceLocation: 'bank.example/qr/v2/rec/0123456789' })
  t.strictSame(readBrCode(code), {
    location: of.location,
    recurrenceLocation: 'bank.example/qr/v2/rec/0123456789',
    name: 'Loja Sao Joao Ltda',
    city: 'Sao Paulo',
  })
  t.throws(() => readBrCode(code.replace('0123456789', '1123456789')), { message: /check/ })
})
