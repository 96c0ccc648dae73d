import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { reconciliationIdOf } from '../../../engine/reconciliation/reconciliation.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { SuspenseId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { resultLines } from '../../../gateway/operator/command-line/output/print.ts'
import { account, companyId } from '../../engine/world.ts'
import { newOperator } from '../operations/operator.ts'

const inSandbox = { company: companyId, environment: 'sandbox' }
const inProduction = { company: companyId, environment: 'production' }
const by = { kind: 'SYSTEM', id: null } as const
const suspenseId = 'ssp_01JZZZZZZZZZZZZZZZZZZZZZZZ' as SuspenseId
const endToEndId = 'E18236120202603101200abcdefghijk'

const linesOf = (result: Readonly<Record<string, unknown>>): string =>
  resultLines(result, { columns: 100, hasColors: false }).map(stripVTControlCharacters).join('\n')

t.test('an operator lists and shows money in suspense, open where nothing else is requested', async (t) => {
  const { operate, world } = await newOperator()
  const reply = await world.execute({
    ...{ type: 'ReceiveUnmatchedPix', accountId: account, by, suspenseId, connectionId: null },
    ...{ providerId: 'a-bank', txid: 'a'.repeat(32), pixKey: null, endToEndId, componentsCents: null },
    ...{ amountCents: toCents(1_990), paidAtMs: world.now(), payer: null },
  } as never)
  t.ok(reply.accepted)
  const open = await operate('suspense list', inSandbox)
  t.match(open.data, [{ id: suspenseId, amount: '1990', status: 'OPEN', endToEndId }])
  t.match(linesOf(open), new RegExp(`${suspenseId} +1990 +0 +OPEN +a-bank .*\\n.*${endToEndId}`))
  t.match(await operate('suspense show', { id: suspenseId }), { id: suspenseId, payer: null })
  t.strictSame((await operate('suspense list', { ...inSandbox, status: 'returned,assigned' })).data, [])
  t.strictSame((await operate('suspense list', inProduction)).data, [])
})

t.test('an operator lists and shows days whose books were compared', async (t) => {
  const { operate, world } = await newOperator()
  const date = '2026-03-09' as CalendarDate
  const id = reconciliationIdOf(account, null, date)
  const [none, one] = [0, 1].map((count) => ({
    ...{ count, amountCents: toCents(count * 1_990), returnedCents: toCents(0) },
  }))
  const reply = await world.execute({
    ...{ type: 'RecordComparedDay', accountId: account, by, reconciliationId: id },
    compared: {
      ...{ connectionId: null, providerId: 'a-bank', date, bank: one, ours: none, statement: null },
      ...{ differencesCount: 1, differenceCents: toCents(1_990) },
      differences: [
        { kind: 'MISSING_HERE', endToEndId, txid: null, bankCents: toCents(1_990), oursCents: null },
      ],
    },
  } as never)
  t.ok(reply.accepted)
  const days = await operate('reconciliations list', { ...inSandbox, status: 'different', date })
  t.match(days.data, [{ id, date, status: 'DIFFERENT', differencesCount: 1 }])
  t.match(linesOf(days), new RegExp(`${id} +${date} +a-bank +DIFFERENT +1 +1990`))
  t.match(await operate('reconciliations show', { id }), { differences: [{ endToEndId }] })
  const others = [{ status: 'equal' }, { date: '2026-03-08' }, { connection: 'con_1' }]
  for (const input of others)
    t.strictSame((await operate('reconciliations list', { ...inSandbox, ...input })).data, [])
  t.strictSame((await operate('reconciliations list', inProduction)).data, [])
})

t.test('what cannot be is refused, and operators decide nothing', async (t) => {
  const { operate } = await newOperator()
  await t.rejects(operate('suspense list', { company: companyId }), { message: /environment is required/ })
  await t.rejects(operate('suspense list', { ...inSandbox, status: 'LOST' }), { code: 'VALIDATION_ERROR' })
  await t.rejects(operate('reconciliations list', { ...inSandbox, date: 'today' }), {
    code: 'VALIDATION_ERROR',
  })
  await t.rejects(operate('suspense show', { id: 'ssp_1' }), { code: 'NOT_FOUND' })
  await t.rejects(operate('reconciliations show', { id: 'rcn_1' }), { code: 'NOT_FOUND' })
  const money = ['suspense assign', 'suspense return', 'suspense write-off', 'reconciliations accept']
  for (const name of money)
    t.throws(() => operate(name, { id: suspenseId }), { message: `there is no ${name}` })
})
