import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  boletoBarCode,
  digitableLine,
  formattedLine,
} from '../../../../engine/payments/methods/boleto/bar-code.ts'
import { modulo10, modulo11 } from '../../../../engine/payments/methods/boleto/check-digits.ts'
import { dueFactor } from '../../../../engine/payments/methods/boleto/due-factor.ts'
import { interleavedElements } from '../../../../engine/payments/methods/boleto/interleaved.ts'
import { ourNumber } from '../../../../engine/payments/methods/boleto/our-number.ts'
import type { CalendarDate } from '../../../../engine/shared/calendar.ts'
import type { Cents } from '../../../../engine/shared/money.ts'
import { dueDateOfFactor, readDigitableLine } from './read-boleto.ts'

const read = (name: string): any =>
  JSON.parse(readFileSync(new URL(`../../../../../test/vectors/${name}.json`, import.meta.url), 'utf8'))
const boletos = read('boleto')

t.test('every published boleto: bar code, line and printed line', async (t) => {
  for (const { id, barcode, line, lineFormatted, bank, amountCents, freeField, dueDate } of boletos.vectors) {
    t.equal(digitableLine(barcode), line, id)
    t.equal(formattedLine(line), lineFormatted, id)
    t.equal(readDigitableLine(lineFormatted), barcode, id)
    if (dueDate === null) continue
    t.equal(
      boletoBarCode({ bankCode: bank, dueDate, amountCents: amountCents as Cents, freeField }),
      barcode,
      id,
    )
  }
})

t.test('lines with a wrong digit or of another family are refused', async (t) => {
  for (const { line, reason } of boletos.invalidLines) t.equal(readDigitableLine(line), null, reason)
  const { line } = boletos.vectors[0]
  for (let place = 0; place < 33; place++) {
    const digit = String((Number(line[place]) + 1) % 10)
    t.equal(readDigitableLine(line.slice(0, place) + digit + line.slice(place + 1)), null, `digit ${place}`)
  }
})

t.test('the due factor starts again after 9999', async (t) => {
  for (const { date, factor } of boletos.factors) t.equal(dueFactor(date), String(factor), date)
  for (const { factor, referenceDate, dueDate } of boletos.decode)
    t.equal(dueDateOfFactor(String(factor), referenceDate), dueDate, `${factor} at ${referenceDate}`)
  t.equal(dueDateOfFactor('0000', '2026-11-21' as CalendarDate), null, 'no due date')
  t.throws(() => dueFactor('2000-07-02' as CalendarDate))
})

t.test('interleaved 2 of 5', async (t) => {
  for (const { digits, elements } of read('itf').vectors) t.equal(interleavedElements(digits), elements)
  t.throws(() => interleavedElements('123'))
})

t.test('check digits of the manuals', async (t) => {
  const itau = boletos.checkDigits.find(({ bank }: { bank: string }) => bank === '341')
  t.equal(modulo10(itau.input), itau.dv)
  const caixa = boletos.checkDigits.find(({ bank }: { bank: string }) => bank === '104')
  t.equal(String(modulo11(caixa.input)), caixa.dv)
})

t.test('our number: a sequence and its digit', async (t) => {
  t.equal(ourNumber(1), '00000000019')
  t.equal(ourNumber(9_999_999_999).length, 11)
  for (const wrong of [0, 10_000_000_000]) t.throws(() => ourNumber(wrong))
  const digits = Array.from({ length: 500 }, (_, n) => ourNumber(n + 1).slice(-1))
  t.ok(digits.every((digit) => /^\d$/.test(digit)))
})
