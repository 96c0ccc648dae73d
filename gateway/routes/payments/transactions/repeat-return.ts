import Type from 'typebox'
import type { ReceivedPixId } from '../../../../engine/shared/ids.ts'
import { commandRoute } from '../../../api/route.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { idParameter } from '../../../schema/schema.ts'
import { todayOf } from '../../charge-input.ts'
import { forExisting } from '../../command-target.ts'

/** It can only go to the account that it came from, and at most once: a recent second factor is enough. */
export const repeatReturnRoute = commandRoute({
  verb: 'POST',
  path: '/v1/transactions/:id/returns/repeat',
  operationId: 'repeatReturn',
  summary: 'Try once more to return a PIX',
  description:
    'For a PIX whose charge could not take it, and which its bank has refused on four days to send back (`RETURN_FAILED`): the bank is asked once more, under an id that it has not seen, and the PIX is RETURNING until it says what it did. If it refuses, the PIX is RETURN_FAILED as before.',
  tag: 'Transactions',
  permission: 'refunds.create',
  isForPeople: true,
  factor: 'SESSION',
  product: null,
  idempotent: true,
  refusals: [404, 409],
  body: Type.Object({ receivedPixId: idParameter('The received PIX, `rpx_…`.') }),
  answer: transaction.schema,
  read: (sent) => ({ receivedPixId: sent.receivedPixId as ReceivedPixId }),
  command: (input, request) =>
    ({ type: 'RepeatReturn', ...forExisting('transactionId', request), ...input }) as const,
  view: (reply, _, request) => ({ body: transaction.view(reply.state, todayOf(request, reply)) }),
})
