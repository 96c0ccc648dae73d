import { readFileSync } from 'node:fs'
import t from 'tap'
import { isReferenceLabel, isTxid } from '../../../engine/payments/methods/pix/txid.ts'

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/txid.json', import.meta.url), 'utf8'),
) as { vectors: { txid: string; validStatic: boolean; validDynamic: boolean }[] }

t.test('every vector fits a charge, a static code or neither, as it says', async (t) => {
  for (const { txid, validStatic, validDynamic } of vectors) {
    t.equal(isTxid(txid), validDynamic, txid)
    t.equal(isReferenceLabel(txid), validStatic, txid)
  }
})

t.test('lengths are bounded on both sides', async (t) => {
  const fits = (check: (text: string) => boolean) =>
    Array.from({ length: 40 }, (_, length) => length).filter((length) => check('a'.repeat(length)))
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
  t.same(fits(isTxid), range(26, 35))
  t.same(fits(isReferenceLabel), range(1, 25))
})

t.test('nothing but plain letters and digits fits', async (t) => {
  for (const wrong of ['-', ' ', '_', 'é', '*', '\n', '１']) {
    t.notOk(isTxid('a'.repeat(30) + wrong))
    t.notOk(isReferenceLabel(`abc${wrong}`))
  }
  t.notOk(isReferenceLabel('**'))
  t.notOk(isReferenceLabel('****'))
})
