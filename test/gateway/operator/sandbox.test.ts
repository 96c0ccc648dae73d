import t from 'tap'
import { publicEventsOf } from '../../../engine/events/events-of-entry.ts'
import { eventTypes } from '../../../engine/kernel/event-types.ts'
import { recipes } from '../../../gateway/operator/trigger-recipes.ts'
import { aCharge, companyId } from '../../engine/world.ts'
import { newOperator } from '../operations/operator.ts'

t.test('what is triggered happens: every event that has a recipe is told, and is no sample', async (t) => {
  for (const event of eventTypes) {
    const { operate, world } = await newOperator()
    const made = await operate('trigger', { event })
    await world.settle()
    const told = world.told.flatMap((entry) => publicEventsOf(entry, 0))
    const [one] = told.filter(({ type }) => type === event)
    t.ok(one, event)
    t.equal(one!.subject.object === 'sample', recipes[event] === null, event)
    t.match(made, { event, companyId, sample: recipes[event] === null })
    t.equal(made.of === null, made.sample)
  }
})

t.test('a charge is paid by its id alone', async (t) => {
  const { operate, world } = await newOperator()
  const { id } = await world.accepted(aCharge())
  t.match(await operate('sandbox pay', { id }), { id, object: 'transaction', status: 'APPROVED' })
  t.match(await operate('sandbox pay', { id }), { paidAmount: '1990' }, 'a second payment is returned')
  await t.rejects(operate('sandbox pay', { id: 'txn_1' }), { code: 'NOT_FOUND' })
  const other = await world.accepted(aCharge())
  await t.rejects(operate('sandbox pay', { id: other.id, amount: 'ten' }), {
    code: 'VALIDATION_ERROR',
    message: /amount/,
  })
  await t.rejects(operate('sandbox pay', { id: other.id, amount: '700' }), {
    code: 'INVALID_STATE',
    message: 'It can be paid only with exactly 1990 centavos.',
  })
})

t.test('the clock is shown, advanced and set back, one thing at a time', async (t) => {
  const { operate } = await newOperator()
  t.match(await operate('sandbox clock'), { object: 'clock', offsetSeconds: 0, status: 'IDLE' })
  t.match(await operate('sandbox clock', { by: 'P1D' }), { offsetSeconds: 86_400 })
  t.match(await operate('sandbox clock', { reset: true }), { offsetSeconds: 0 })
  await t.rejects(operate('sandbox clock', { by: 'P1D', reset: true }), { code: 'VALIDATION_ERROR' })
  await t.rejects(operate('sandbox clock', { by: 'tomorrow' }), { message: /ISO 8601/ })
})

t.test('a company has to be named where there are several, and needs the product', async (t) => {
  const { operate, world } = await newOperator()
  await operate('companies update', { id: companyId, products: 'PIX=DISABLED', environment: 'sandbox' })
  await world.settle()
  await t.rejects(operate('trigger', { event: 'payment.created' }), {
    code: 'INVALID_STATE',
    message: /product PIX in Sandbox/,
  })
  const { id } = await operate('companies create', { name: 'Another', document: '11444777000161' })
  await t.rejects(operate('trigger', { event: 'payment.failed' }), { message: /there are several/ })
  t.match(await operate('trigger', { event: 'payment.failed', company: companyId }), { companyId })
  t.not(id, companyId)
})
