import type { ActorDefinition } from '../../kernel/actor.ts'
import { assert } from '../../shared/assert.ts'
import type { AccountId, PixKeyId, ReceivedPixId, TransactionId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import type { Payer } from '../methods/pix/pix.ts'
import type { ReturnReason } from '../transaction/transaction.ts'

declare module '../../kernel/event-types.ts' {
  interface EventSubjects {
    readonly received: { readonly object: 'received_pix'; readonly received: ReceivedPix }
  }
}

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly received: ReceivedPix
  }
  interface ActorFacts {
    readonly received: ReceivedPixFact
  }
}

/** A PIX that arrived in the account: kept, or returned in full at once. Never changed. */
export type ReceivedPix = {
  readonly id: ReceivedPixId
  readonly accountId: AccountId
  readonly transactionId: TransactionId
  readonly endToEndId: string
  readonly txid: string | null
  readonly externalId: string | null
  readonly amountCents: Cents
  readonly returnReason: ReturnReason | null
  readonly pixKeyId: PixKeyId
  readonly pixKey: string
  readonly payer: Payer
  readonly description: string | null
  readonly receivedAtMs: number
}

export type ReceivedPixFact = {
  readonly actor: 'received'
  readonly type: 'PixReceived'
  readonly id: ReceivedPixId
  readonly received: ReceivedPix
}

export const receivedKind: ActorDefinition<ReceivedPix, ReceivedPixFact> = {
  prefix: 'rpx',
  publishes: {
    PixReceived: ({ received }) =>
      received.returnReason === null
        ? [
            {
              type: 'pix.received',
              atMs: received.receivedAtMs,
              subject: { object: 'received_pix', received },
            },
          ]
        : [],
  },
  // Its row holds the fee of the charge that it paid.
  isKeptLast: true,
  evolve: (state, { received }) => {
    assert(state === undefined, 'a received PIX is written once')
    return received
  },
  createdAtMs: ({ receivedAtMs }) => receivedAtMs,
  lookupKeys: ({ endToEndId }) => [endToEndId],
  label: ({ returnReason }) => (returnReason === null ? 'RECEIVED' : 'RETURNED'),
}
