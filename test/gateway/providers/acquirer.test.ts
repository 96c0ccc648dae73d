import t from 'tap'
import { type DeclineCode, declines } from '../../../engine/payments/methods/card/decline-codes.ts'
import type { ProviderRequest } from '../../../engine/payments/provider.ts'
import { accountIdOf, type CompanyId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { providers } from '../../../gateway/providers/index.ts'
import { askDirectly } from '../../engine/world.ts'

const request = (token: string, change: Partial<ProviderRequest> = {}): ProviderRequest => ({
  reference: 'txn_00000000000000000000000001.2',
  operation: 'AUTHORIZE',
  asked: 0,
  accountId: accountIdOf('cmp_00000000000000000000000001' as CompanyId, 'SANDBOX'),
  transactionId: 'txn_00000000000000000000000001' as ProviderRequest['transactionId'],
  connectionId: null,
  rail: 'CARD',
  providerId: 'sandbox-acquirer',
  amountCents: toCents(10_000),
  crypto: null,
  card: { token, brand: 'VISA', last4: '4242', holderName: null, installments: 1, captures: true },
  authorization: { reference: 'txn_00000000000000000000000001.2', tid: null },
  endToEndId: null,
  pix: null,
  pixReturn: null,
  description: null,
  merchantReference: null,
  refundId: null,
  refundedCents: toCents(0),
  customer: null,
  metadata: {},
  attempt: null,
  openedAtMs: 1_000_000,
  nowMs: 1_000_000,
  ...change,
})

const answered = (request: ProviderRequest) => askDirectly(providers.SANDBOX.CARD!.instance, request)

const tokens = [
  'approved',
  ...Object.keys(declines).map((code) => `declined_${code}`),
  'antifraud',
  'processing',
  'processing_declined',
  'timeout',
  'capture_fails',
  'refund_fails',
  'refund_slow',
  'chargeback',
].map((name) => `tok_test_${name}`)

const operations = ['AUTHORIZE', 'CAPTURE', 'VOID', 'REFUND', 'REVERSE'] as const

t.test('the same reference gets the same answer, however often it is asked', async (t) => {
  for (const token of tokens) {
    for (const operation of operations) {
      const first = await answered(request(token, { operation }))
      const again = await answered(request(token, { operation, asked: 3 }))
      t.strictSame(again, first, `${token} ${operation}`)
    }
  }
})

t.test('its numbers are digits that follow from the reference, and differ between references', async (t) => {
  const wanted = {
    type: 'DONE',
    evidence: {
      nsu: /^\d{6}$/,
      tid: /^\d{20}$/,
      authorizationCode: /^\d{6}$/,
      returnCode: '00',
      message: 'approved',
    },
  }
  const tids = new Set<unknown>()
  for (let n = 0; n < 200; n++) {
    const answer = await answered(request('x', { reference: `txn_${n}.2` }))
    t.match(answer, wanted)
    if (answer.type === 'DONE' && 'evidence' in answer) tids.add(answer.evidence?.tid)
  }
  t.equal(tids.size, 200)
})

t.test('what takes its time is decided five seconds after it was first asked', async (t) => {
  const after = (token: string, ms: number, operation: ProviderRequest['operation'] = 'AUTHORIZE') =>
    answered(request(token, { operation, nowMs: 1_000_000 + ms }))
  t.match(await after('tok_test_processing', 4999), { type: 'PENDING' })
  t.match(await after('tok_test_processing', 5000), { type: 'DONE' })
  t.match(await after('tok_test_processing_declined', 4999), { type: 'PENDING' })
  t.match(await after('tok_test_processing_declined', 5000), { type: 'REFUSED', refusal: { code: '05' } })
  t.match(await after('tok_test_refund_slow', 4999, 'REFUND'), { type: 'PENDING' })
  t.match(await after('tok_test_refund_slow', 5000, 'REFUND'), { type: 'DONE' })
  t.match(await after('tok_test_refund_fails', 4999, 'REFUND'), { type: 'PENDING' })
  t.match(await after('tok_test_refund_fails', 5000, 'REFUND'), { type: 'REFUSED' })
  t.match(await after('tok_test_timeout', 900_000), { type: 'SILENT' })
})

t.test('a token has its effect where it says, and nowhere else', async (t) => {
  for (const token of tokens) {
    t.match(await answered(request(token, { operation: 'VOID' })), { type: 'DONE' }, token)
    t.match(await answered(request(token, { operation: 'REVERSE' })), { type: 'DONE' }, token)
  }
  for (const token of ['tok_test_capture_fails', 'tok_test_refund_fails', 'tok_test_chargeback'])
    t.match(await answered(request(token)), { type: 'DONE' }, token)
  const capture = { operation: 'CAPTURE' } as const
  t.match(await answered(request('tok_test_capture_fails', capture)), { type: 'REFUSED' })
  t.match(await answered(request('tok_test_refund_fails', capture)), { type: 'DONE' })
})

t.test('a decline carries its code, and numbers of the attempt', async (t) => {
  for (const code of Object.keys(declines) as DeclineCode[]) {
    t.match(await answered(request(`tok_test_declined_${code}`)), {
      type: 'REFUSED',
      refusal: { reason: 'DECLINED', code, nsu: /^\d{6}$/, tid: /^\d{20}$/ },
    })
  }
})

t.test('in Production no token and no scenario means anything', async (t) => {
  const accountId = accountIdOf('cmp_00000000000000000000000001' as CompanyId, 'PRODUCTION')
  for (const token of tokens) t.match(await answered(request(token, { accountId })), { type: 'DONE' }, token)
  const metadata = { sandboxScenario: 'declined_51' }
  t.match(await answered(request('x', { accountId, metadata })), { type: 'DONE' })
})
