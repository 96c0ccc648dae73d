import t from 'tap'
import { isAccessKey } from '../../../engine/shared/access-key.ts'

t.test('access keys that were published are right, and those with a letter in the CNPJ', async (t) => {
  for (const key of [
    '35080599999090910270550010000000015180051273',
    '43171207364617000135550000000120141000120146',
    '35261212345678000195550010000001231123456781',
    '35261212ABC34501DE35550010000001241123456797',
  ])
    t.ok(isAccessKey(key), key)
})

t.test(
  'one wrong digit, a changed order, another length, a month that is none and small letters are refused',
  async (t) => {
    const key = '35261212345678000195550010000001231123456781'
    for (let n = 0; n < 44; n++) {
      const other = String((Number(key[n]) + 1) % 10)
      t.notOk(isAccessKey(key.slice(0, n) + other + key.slice(n + 1)), `place ${n}`)
    }
    for (const wrong of [
      '',
      key.slice(1),
      `${key}0`,
      `NFe${key}`,
      '35261312345678000195550010000001231123456781',
      '35261212abc34501de35550010000001241123456797',
      '3526 1212 3456 7800 0195 5500 1000 0001 2311 2345 6781',
    ])
      t.notOk(isAccessKey(wrong), wrong)
  },
)
