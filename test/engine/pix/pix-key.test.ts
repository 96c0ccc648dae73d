import { readFileSync } from 'node:fs'
import t from 'tap'
import { pixKeyType } from '../../../engine/payments/methods/pix/pix-key.ts'

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/pix-keys.json', import.meta.url), 'utf8'),
) as { vectors: { key: string; type: string | null }[] }

t.test('every vector has the type that it says, or none', async (t) => {
  for (const { key, type } of vectors) t.equal(pixKeyType(key), type, key)
})

t.test('each type has one canonical form', async (t) => {
  const types = {
    '12345678909': 'CPF',
    '11987654321': null, // Eleven digits that fail as a CPF: a telephone number without +55 is no key.
    '12abc34501de35': null,
    '+5511987654321': 'PHONE',
    '+12': null,
    '+123': 'PHONE',
    '+1234567890123456': 'PHONE',
    '+12345678901234567': null,
    '+0511987654321': null,
    '+55 11987654321': null,
    'pix@bcb.gov.br': 'EMAIL',
    'Pix@bcb.gov.br': null,
    ' pix@bcb.gov.br': null,
    'pix@': null,
    '123e4567-e12b-12d1-a456-426655440000': 'EVP',
    '123E4567-E12B-12D1-A456-426655440000': null,
    '123e4567e12b12d1a456426655440000': null,
    '': null,
  }
  for (const [key, type] of Object.entries(types)) t.equal(pixKeyType(key), type, key)
})

t.test('an e-mail key has at most 77 characters', async (t) => {
  t.equal(pixKeyType(`${'a'.repeat(64)}@b${'c'.repeat(7)}.com`), 'EMAIL')
  t.equal(pixKeyType(`${'a'.repeat(64)}@b${'c'.repeat(8)}.com`), null)
})
