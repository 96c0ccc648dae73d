import t from 'tap'
import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import type { ProviderRequest } from '../../../engine/payments/provider.ts'
import { answerOf } from '../../../gateway/providers/answers.ts'
import { askOf } from '../../../gateway/providers/asks.ts'
import type { Evidence, ProviderOutcome, Refusal } from '../../../gateway/providers/port.ts'
import { referenceOf, referenceOfCall } from '../../../gateway/providers/references.ts'
import { refusedWith } from '../../../gateway/providers/sandbox/answers.ts'
import { aBoleto, aCardPayment, aCharge, aPayment, aRefund, askSandbox, opened } from '../../engine/world.ts'

/** Everything that a world asked of its providers. */
const asked = async (): Promise<ProviderRequest[]> => {
  const requests: ProviderRequest[] = []
  const world = await opened(async (request) => {
    requests.push(request)
    return askSandbox(request)
  })
  const pix = await world.accepted(aCharge({ metadata: { secret: 'of the merchant' } }))
  await world.accepted(aPayment(pix.id))
  await world.accepted(aRefund(pix.id, 500))
  await world.accepted(aRefund(pix.id, 300))
  const card = await world.accepted(aCardPayment({}, { metadata: { secret: 'of the merchant' } }))
  await world.accepted(aRefund(card.id, 500))
  await world.accepted(aRefund(card.id, 300))
  await world.accepted(aBoleto())
  return requests
}

t.test('references are letters and digits, 35 at most, and no two calls share one', async (t) => {
  const requests = await asked()
  const references = requests.map(referenceOf)
  t.equal(references.length, 5)
  for (const reference of references) t.match(reference, /^[0-9A-Za-z]{26,35}$/)
  t.equal(new Set(references).size, references.length)
  const [first] = requests
  t.equal(referenceOf(first!), first!.refundId!.slice(4), 'a return by PIX is named by its refund')
  const ulid = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  t.equal(referenceOfCall(`txn_${ulid}.2`), `${ulid}02`)
  t.equal(referenceOfCall(`txn_${ulid}.40`), `${ulid}14`)
  const all = new Set(Array.from({ length: 5_000 }, (_, n) => referenceOfCall(`txn_${ulid}.${n}`)))
  t.equal(all.size, 5_000)
})

t.test('an ask says what was done before, and nothing that merchants keep for themselves', async (t) => {
  const asks = (await asked()).map((request) => askOf(request, 'con_1', 8_000))
  t.notMatch(JSON.stringify(asks), 'of the merchant')
  const [pix, , sale, , second] = asks
  t.match(pix, { operation: 'REFUND', rail: 'PIX', amountCents: 500, data: { endToEndId: /^E/ } })
  t.match(sale, { operation: 'AUTHORIZE', data: { merchantInitiated: null, acceptsPart: false } })
  t.match(second, {
    operation: 'REFUND',
    data: { rail: 'CARD', saleReference: sale!.reference, tid: /^\d{20}$/, refundedBeforeCents: 500 },
  })
})

t.test('a call that was under way when its shard was opened may have been sent once more', async (t) => {
  const [request] = await asked()
  t.equal(askOf(request!, 'con_1', 8_000).asked, 0)
  t.equal(askOf({ ...request!, isResumed: true }, 'con_1', 8_000).asked, 1)
})

t.test('only in the Sandbox something is to be played', async (t) => {
  const metadata = { sandboxScenario: 'refund_slow' }
  const request = { ...(await asked())[0]!, metadata }
  t.equal(askOf(request, 'con_1', 8_000).scenario, 'refund_slow')
  const live = request.accountId.replace('SANDBOX', 'PRODUCTION') as typeof request.accountId
  t.equal(askOf({ ...request, accountId: live }, 'con_1', 8_000).scenario, null)
})

type Operation = ProviderCallRequest['operation']

const done = (evidence: Evidence | null): ProviderOutcome => ({
  type: 'DONE',
  echo: { reference: null, amountCents: null, payee: null },
  evidence,
})
const refused = (change: Partial<Refusal>): ProviderOutcome => refusedWith('no', change)
const undone: ProviderOutcome = { type: 'UNDONE', how: 'AUTO_REFUNDED', message: 'taken back' }
const pending: ProviderOutcome = { type: 'PENDING', againInMs: 7_000, evidence: null }

t.test(
  'a decline has its network code, known here or not, and may be retried as the provider says',
  async (t) => {
    const decline = { reason: 'GENERIC_DECLINE', network: { code: '3X', advice: '03' } } as const
    t.match(answerOf({ operation: 'AUTHORIZE' }, refused(decline)), {
      refusal: { reason: 'DECLINED', failureReason: 'GENERIC_DECLINE', code: '3X', retryable: false },
    })
    for (const retryOn of ['SAME', 'OTHER'] as const)
      t.match(answerOf({ operation: 'AUTHORIZE' }, refused({ ...decline, retryOn })), {
        refusal: { retryable: true },
      })
    t.match(answerOf({ operation: 'AUTHORIZE' }, refused({ reason: 'ANTIFRAUD_DECLINED' })), {
      refusal: { reason: 'ANTIFRAUD', message: 'no' },
    })
    t.match(answerOf({ operation: 'AUTHORIZE' }, refused({})), { refusal: { reason: 'ERROR' } })
    const closed = refused({ reason: 'ACCOUNT_CLOSED', network: { code: 'AC07', advice: null } })
    t.match(answerOf({ operation: 'SEND_TRANSFER' }, closed), { type: 'REFUSED', code: 'AC07' })
    t.match(answerOf({ operation: 'SEND_TRANSFER' }, refused({ reason: 'BENEFICIARY_CHANGED' })), {
      code: 'OWNER',
    })
  },
)

t.test('evidence of another kind than a call needs is none', async (t) => {
  const chain: Evidence = { kind: 'CHAIN', txHash: '0x1' }
  t.strictSame(answerOf({ operation: 'AUTHORIZE' }, done(chain)), { type: 'DONE', evidence: null })
  for (const operation of ['FIND_KEY', 'OPEN_ADDRESS', 'QUOTE'] as const)
    t.strictSame(answerOf({ operation }, done(chain)), { type: 'SILENT' }, operation)
  t.strictSame(answerOf({ operation: 'SEND' }, done(null)), { type: 'SILENT' })
  t.strictSame(answerOf({ operation: 'SEND' }, done(chain)), { type: 'CONFIRMED', txHash: '0x1' })
})

t.test('what a provider took back by itself is not there, and what it voided is no sale again', async (t) => {
  const types: Readonly<Record<Operation, string>> = {
    AUTHORIZE: 'UNDONE',
    CAPTURE: 'UNDONE',
    REFUND: 'UNDONE',
    PAY_OUT: 'UNDONE',
    SEND_TRANSFER: 'UNDONE',
    SEND: 'REFUSED',
    CONVERT: 'REFUSED',
    VOID: 'SILENT',
    REVERSE: 'SILENT',
    OPEN_ADDRESS: 'SILENT',
    QUOTE: 'SILENT',
    FIND_KEY: 'SILENT',
    REGISTER: 'UNDONE',
    RETURN: 'UNDONE',
    RETURN_SUSPENSE: 'UNDONE',
    CANCEL: 'SILENT',
    READ_CHARGE: 'SILENT',
    MANDATE_CREATE: 'SILENT',
    MANDATE_CANCEL: 'SILENT',
    SCHEDULE: 'REFUSED',
    RESCHEDULE: 'SILENT',
    UNSCHEDULE: 'SILENT',
  }
  for (const [operation, type] of Object.entries(types) as [Operation, string][])
    t.equal(answerOf({ operation }, undone).type, type, operation)
})

t.test('a provider that asks for patience says for how long', async (t) => {
  t.strictSame(answerOf({ operation: 'REFUND' }, pending), { type: 'PENDING', asksAgainInMs: 7_000 })
  t.strictSame(answerOf({ operation: 'FIND_KEY' }, pending), { type: 'SILENT' })
})
