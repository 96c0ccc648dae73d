import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { resultLines } from '../../../gateway/operator/command-line/output/print.ts'
import { companyId } from '../../engine/world.ts'
import { newOperator } from '../operations/operator.ts'

const inSandbox = { company: companyId, environment: 'sandbox' }

t.test('an operator makes, lists, shows and deactivates links of a company', async (t) => {
  const { operate } = await newOperator()
  const course = await operate('links create', {
    ...inSandbox,
    title: 'Curso de barista',
    amount: '24900',
    methods: 'pix,credit_card',
    installments: '6',
    maxPayments: '30',
  })
  t.match(course, {
    name: 'Curso de barista',
    title: 'Curso de barista',
    amountMode: 'FIXED',
    amount: '24900',
    methods: ['PIX', 'CREDIT_CARD'],
    installments: { max: 6, interestFreeUpTo: 6, monthlyRateBps: 0 },
    maxPayments: 30,
    url: `http://pay.test/l/${course.id}`,
  })
  const gift = await operate('links create', {
    ...inSandbox,
    title: 'Doações',
    name: 'Natal',
    minAmount: '1000',
  })
  t.match(gift, { amountMode: 'OPEN', amount: null, minAmount: '1000', name: 'Natal' })
  t.match(await operate('links deactivate', { id: gift.id }), { id: gift.id, status: 'INACTIVE' })
  t.match(await operate('links show', { id: gift.id }), { status: 'INACTIVE', paymentsCount: 0 })
  const all = await operate('links list', inSandbox)
  t.strictSame(
    all.data.map(({ id }: { id: string }) => id),
    [gift.id, course.id],
  )
  t.match((await operate('links list', { ...inSandbox, status: 'active' })).data, [{ id: course.id }])
  t.match((await operate('links list', { company: companyId, environment: 'production' })).data, [])
  const lines = resultLines(all, { columns: 100, hasColors: false }).map(stripVTControlCharacters)
  t.match(lines.join('\n'), /Curso de barista +24900 +ACTIVE +0 +0\n.*http:\/\/pay\.test\/l\/lnk_/)
  t.match(lines.join('\n'), /Doações +from 1000 +INACTIVE/)
})

t.test('what cannot be is refused in the words of the API', async (t) => {
  const { operate } = await newOperator()
  const create = (input: object) => operate('links create', { ...inSandbox, title: 'x', ...input })
  await t.rejects(create({}), { code: 'VALIDATION_ERROR', message: /amount or items|either amount/ })
  await t.rejects(create({ amount: 'ten' }), { code: 'VALIDATION_ERROR', message: /^amount must be/ })
  await t.rejects(create({ amount: '1', methods: 'CASH' }), { code: 'VALIDATION_ERROR' })
  await t.rejects(create({ minAmount: '99' }), { code: 'VALIDATION_ERROR' })
  await t.rejects(operate('links create', { company: companyId, title: 'x', amount: '1' }), {
    message: /environment is required/,
  })
  await t.rejects(operate('links show', { id: 'lnk_1' }), { code: 'NOT_FOUND' })
  await operate('companies update', { id: companyId, products: 'BOLETO=DISABLED', environment: 'sandbox' })
  await t.rejects(create({ amount: '1', methods: 'BOLETO' }), { message: /does not have the product BOLETO/ })
  await operate('companies update', { id: companyId, products: 'CHECKOUT=DISABLED', environment: 'sandbox' })
  await t.rejects(create({ amount: '1' }), { message: /does not have the product CHECKOUT in Sandbox/ })
})
