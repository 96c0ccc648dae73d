import Type from 'typebox'
import { endToEndIdOf } from '../../../../engine/payments/methods/pix/end-to-end-id.ts'
import { testPayer } from '../../../../engine/sandbox/forced-outcomes.ts'
import { newId, randomAlphanumerics } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { sandboxPsp } from '../../../providers/sandbox-psp/adapter.ts'
import { suspense } from '../../../resources/payments/suspense.ts'
import { amount } from '../../../schema/schema.ts'
import { sandboxRoute } from './sandbox-route.ts'

export const receiveUnmatchedSandboxPixRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/pix/unmatched',
  operationId: 'receiveUnmatchedSandboxPix',
  summary: 'Receive a PIX that belongs to nothing',
  description:
    'Receives a PIX for a charge that is none of this company, as a bank reports it a day later: the money is in suspense, where people assign it, return it, or write it off.',
  status: 201,
  body: Type.Object({ amount: amount(bounds.amountCentsMax, 'What arrives.') }),
  answer: suspense.schema,
  read: (body) => ({ amountCents: toCents(Number(body.amount)) }),
  command: ({ amountCents }, { accountId, by, atMs, entropy }) => ({
    type: 'ReceiveUnmatchedPix',
    accountId,
    by,
    suspenseId: newId('ssp', atMs, entropy),
    connectionId: null,
    providerId: sandboxPsp.name,
    txid: randomAlphanumerics(32, entropy),
    pixKey: null,
    endToEndId: endToEndIdOf('E', testPayer.ispb, atMs, randomAlphanumerics(11, entropy)),
    amountCents,
    componentsCents: null,
    paidAtMs: atMs,
    payer: testPayer,
  }),
  view: ({ state }) => ({ location: `/v1/suspense/${state.id}`, body: suspense.view(state) }),
})
