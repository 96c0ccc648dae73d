import t from 'tap'
import { Type } from 'typebox'
import type { Coupon } from '../../../engine/billing/catalog/coupon.ts'
import type { Plan } from '../../../engine/billing/catalog/plan.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { SplitRuleId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { coupon, couponValidation } from '../../../gateway/resources/billing/coupon.ts'
import { dunning } from '../../../gateway/resources/billing/dunning.ts'
import { plan } from '../../../gateway/resources/billing/plan.ts'
import { noPayee } from '../../../gateway/resources/payments/fiscal.ts'
import { pixCharge, pixChargeDetail } from '../../../gateway/resources/payments/pix-charge.ts'
import { receivedPix } from '../../../gateway/resources/payments/received-pix.ts'
import { detail } from '../../../gateway/resources/payments/transaction-detail.ts'
import { serializer } from '../../../gateway/schema/serialize.ts'
import { aCoupon, aPlan, aPolicySet, stateOf } from '../../engine/billing/catalog.ts'
import { aCancellation, aCharge, account, aPayment, opened } from '../../engine/world.ts'

/** A schema that lacked a field would drop it without a word: what is written is held against the whole view. */
const writesAll = (t: any, schema: any, view: object): void =>
  t.strictSame(JSON.parse(String(serializer(schema)(view))), JSON.parse(JSON.stringify(view)))

t.test('every field of plans, coupons and dunning policies is written as it is', async (t) => {
  const world = await opened()
  const command = aPlan({ maxCycles: 3 }, { metadata: { text: '"', number: 1.5, no: false } })
  const created = stateOf<Plan>(await world.execute(command))
  writesAll(t, plan.schema, plan.view(created))
  writesAll(t, plan.schema, plan.view({ ...created, maxCycles: null, splitRuleId: 'spr_1' as SplitRuleId }))
  const dates = { startsAtMs: 1, expiresAtMs: world.now() + 1, planIds: [created.id], name: 'ç' }
  for (const change of [{}, dates, { percentBps: null, amountOffCents: toCents(5) }]) {
    const found = stateOf<Coupon>(await world.execute(aCoupon(change)))
    writesAll(t, coupon.schema, coupon.view(found, world.now()))
    for (const amountCents of [null, toCents(100)]) {
      const validation = { coupon: found, refusal: null, amountCents, discountCents: amountCents }
      writesAll(t, couponValidation.schema, couponValidation.view({ ...validation, nowMs: world.now() }))
    }
  }
  writesAll(t, dunning.schema, dunning.view(world.account().dunning))
  await world.execute(aPolicySet(null))
  await world.execute(aPolicySet(created.id))
  writesAll(t, dunning.schema, dunning.view(world.account().dunning))
})

t.test('every field of an answer is written as it is', async (t) => {
  const world = await opened()
  const customer = {
    name: 'A "B" \\ ç\u2028',
    document: null,
    documentType: null,
    email: null,
    phone: null,
    address: null,
  }
  const metadata = { text: '\u0001', number: 1.5, yes: true, no: false }
  const charges: Transaction[] = [await world.accepted(aCharge({ customer, metadata }))]
  charges.push(await world.accepted(aPayment(charges[0]!.id)))
  charges.push(await world.accepted(aPayment(charges[0]!.id)))
  charges.push(await world.accepted(aCharge({ metadata: { sandboxScenario: 'provider_error' } })))
  const cancelled = await world.accepted(aCharge())
  charges.push(await world.accepted(aCancellation(cancelled.id)))
  for (const transaction of charges) {
    writesAll(t, pixChargeDetail, {
      ...pixCharge.view(transaction, {
        date: '2026-11-20' as CalendarDate,
        nowMs: world.now(),
        payee: noPayee,
      }),
      ...detail.view({ transaction, deliveries: [], settledAt: {}, nowMs: 0 }),
    })
  }
  for (const received of world.memory.list(account, 'received', { offset: 0, limit: 9 }).states) {
    writesAll(t, receivedPix.schema, receivedPix.view(received))
  }
})

t.test('every text is written as JSON.stringify writes it', async (t) => {
  const write = serializer(Type.Object({ text: Type.String(), email: Type.String({ format: 'e-mail' }) }))
  const texts = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code))
  texts.push('\ud800', '\udfff', '\ud83d\ude00', '\u2028', '"ç"@exemplo.com.br')
  for (const text of texts)
    for (const long of [text, `${text}${'a'.repeat(60)}`, `${'a'.repeat(60)}${text}`]) {
      const value = { text: long, email: long }
      t.equal(String(write(value)), JSON.stringify(value))
    }
})

t.test('an answer of any size is whole, and stays as it is while others are written', async (t) => {
  const texts = Type.Object({ texts: Type.Array(Type.String()) })
  const write = serializer(texts)
  const values = [1, 700, 3, 40_000, 2, 9000, 1, 66_000].map((count, n) => ({
    texts: Array.from({ length: count }, (_, at) => `${n}.${at}${'ç'.repeat(at % 3)}`),
  }))
  const answers = values.map(write)
  t.strictSame(
    answers.map(String),
    values.map((value) => JSON.stringify(value)),
  )
})
