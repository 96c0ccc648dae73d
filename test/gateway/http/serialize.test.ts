import t from 'tap'
import type { CalendarDate } from '../../../engine/calendar.ts'
import type { Transaction } from '../../../engine/transaction/transaction.ts'
import { serializer } from '../../../gateway/http/serialize.ts'
import { pixChargeDetail, receivedPix } from '../../../gateway/routes/answers.ts'
import { receivedPixView } from '../../../gateway/views/received-pix.ts'
import { chargeView, detailOf } from '../../../gateway/views/transaction.ts'
import { aCancellation, aCharge, account, aPayment, newWorld } from '../../engine/world.ts'

/** A schema that lacked a field would drop it without a word: what is written is held against the whole view. */
const writesAll = (t: any, schema: any, view: object): void =>
  t.strictSame(JSON.parse(serializer(schema)(view)), JSON.parse(JSON.stringify(view)))

t.test('every field of an answer is written as it is', async (t) => {
  const world = newWorld()
  await world.open()
  const customer = { name: 'A "B" \\ ç\u2028', document: null, documentType: null, email: null, phone: null }
  const metadata = { text: '\u0001', number: 1.5, yes: true, no: false }
  const charges: Transaction[] = [await world.accepted(aCharge({ customer, metadata }))]
  charges.push(await world.accepted(aPayment(charges[0]!.id)))
  charges.push(await world.accepted(aPayment(charges[0]!.id)))
  charges.push(await world.accepted(aCharge({ metadata: { sandboxScenario: 'provider_error' } })))
  const cancelled = await world.accepted(aCharge())
  charges.push(await world.accepted(aCancellation(cancelled.id)))
  for (const transaction of charges) {
    writesAll(t, pixChargeDetail, {
      ...chargeView(transaction, '2026-11-20' as CalendarDate),
      ...detailOf({ transaction, deliveries: [], settledAt: {}, nowMs: 0 }),
    })
  }
  for (const received of world.memory.list(account, 'received', { offset: 0, limit: 9 }).states) {
    writesAll(t, receivedPix, receivedPixView(received))
  }
})
