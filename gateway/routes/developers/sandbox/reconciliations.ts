import Type from 'typebox'
import { endToEndIdOf } from '../../../../engine/payments/methods/pix/end-to-end-id.ts'
import {
  type DayBook,
  type Difference,
  reconciliationIdOf,
} from '../../../../engine/reconciliation/reconciliation.ts'
import { testPayer } from '../../../../engine/sandbox/forced-outcomes.ts'
import { addDays, type CalendarDate, dateIn } from '../../../../engine/shared/calendar.ts'
import { randomAlphanumerics } from '../../../../engine/shared/ids.ts'
import { type Cents, toCents } from '../../../../engine/shared/money.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { sandboxPsp } from '../../../providers/sandbox-psp/adapter.ts'
import { reconciliationDetail } from '../../../resources/reconciliation/reconciliation.ts'
import { described } from '../../../schema/named-schema.ts'
import { amount, choice } from '../../../schema/schema.ts'
import { sandboxRoute } from './sandbox-route.ts'

export const compareSandboxDayRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/reconciliations',
  operationId: 'compareSandboxDay',
  summary: 'Compare the books of a day',
  description:
    'Records a comparison as the books of a bank and ours have it each morning. The Sandbox’s bank has no books of its own, so both are made up: of one payment, in which they agree or differ as you say.',
  status: 201,
  body: Type.Object({
    date: Type.Optional(Type.String({ format: 'date', description: 'The day. By default yesterday.' })),
    amount: amount(bounds.amountCentsMax, 'What was paid.'),
    difference: Type.Optional(
      described(
        choice('NONE', 'MISSING_HERE', 'MISSING_AT_BANK', 'RETURNS'),
        'How the books differ. NONE, the default: they agree.',
      ),
    ),
  }),
  answer: reconciliationDetail.schema,
  read: (body) => ({
    date: (body.date ?? null) as CalendarDate | null,
    amountCents: toCents(Number(body.amount)),
    difference: body.difference ?? 'NONE',
  }),
  command: (input, { accountId, by, atMs, entropy, company }) => {
    const date = input.date ?? addDays(dateIn(company.timeZone, atMs), -1)
    const endToEndId = endToEndIdOf('E', testPayer.ispb, atMs, randomAlphanumerics(11, entropy))
    return {
      type: 'RecordComparedDay',
      accountId,
      by,
      reconciliationId: reconciliationIdOf(accountId, null, date),
      compared: {
        connectionId: null,
        providerId: sandboxPsp.name,
        date,
        statement: null,
        ...booksOf(input, endToEndId),
      },
    }
  },
  view: ({ state }) => ({
    location: `/v1/reconciliations/${state.id}`,
    body: reconciliationDetail.view(state),
  }),
})

const booksOf = (
  { amountCents, difference }: { readonly amountCents: Cents; readonly difference: string },
  endToEndId: string,
) => {
  const none: DayBook = { count: 0, amountCents: toCents(0), returnedCents: toCents(0) }
  const one: DayBook = { ...none, count: 1, amountCents }
  const of = { endToEndId, txid: null }
  const differing = (bank: DayBook, ours: DayBook, ...differences: readonly Difference[]) => ({
    bank,
    ours,
    differences,
    differencesCount: differences.length,
    differenceCents: differences.length === 0 ? toCents(0) : amountCents,
  })
  switch (difference) {
    case 'MISSING_HERE':
      return differing(one, none, { kind: 'MISSING_HERE', ...of, bankCents: amountCents, oursCents: null })
    case 'MISSING_AT_BANK':
      return differing(none, one, { kind: 'MISSING_AT_BANK', ...of, bankCents: null, oursCents: amountCents })
    case 'RETURNS':
      return differing({ ...one, returnedCents: amountCents }, one, {
        kind: 'RETURNS',
        ...of,
        bankCents: amountCents,
        oursCents: toCents(0),
      })
    default:
      return differing(one, one)
  }
}
