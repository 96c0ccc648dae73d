import { readFileSync } from 'node:fs'
import t from 'tap'
import { lastPayableDay } from '../../../engine/payments/methods/pix/due-validity.ts'
import { addDays, type CalendarDate } from '../../../engine/shared/calendar.ts'

type Vector = {
  example: string
  dataDeVencimento: CalendarDate
  validadeAposVencimento: number
  lastPayableDay: CalendarDate
  firstRefusedDay: CalendarDate
}

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../../test/vectors/pix-due-validity.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] }

t.test('every example of the central bank ends on its last payable day', async (t) => {
  for (const vector of vectors) {
    const last = lastPayableDay(vector.dataDeVencimento, vector.validadeAposVencimento)
    t.equal(last, vector.lastPayableDay, vector.example)
    t.equal(addDays(last, 1), vector.firstRefusedDay, vector.example)
  }
})
