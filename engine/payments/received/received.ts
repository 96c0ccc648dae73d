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

/** A PIX that arrived in the account: kept, or returned in full. Only a return by a bank changes it. */
export type ReceivedPix = {
  readonly id: ReceivedPixId
  readonly accountId: AccountId
  readonly transactionId: TransactionId
  readonly endToEndId: string
  readonly txid: string | null
  readonly externalId: string | null
  readonly amountCents: Cents
  readonly returnReason: ReturnReason | null
  /** How far a return by a bank has come. Null where none of it goes back, or it went back at once. */
  readonly returning: ReturnProgress | null
  readonly pixKeyId: PixKeyId
  readonly pixKey: string
  /** Null where the bank does not say. */
  readonly payer: Payer | null
  readonly description: string | null
  readonly receivedAtMs: number
}

export type ReturnProgress = 'RETURNING' | 'RETURNED' | 'RETURN_FAILED'
export type ReceivedStatus = 'RECEIVED' | ReturnProgress

export type ReceivedPixFact = PixReceived | PixReturnChanged

type PixReceived = {
  readonly actor: 'received'
  readonly type: 'PixReceived'
  readonly id: ReceivedPixId
  readonly received: ReceivedPix
}

/** The bank has sent a PIX back, or refuses to for good; or a person has it tried once more. */
type PixReturnChanged = {
  readonly actor: 'received'
  readonly type: 'PixReturnChanged'
  readonly id: ReceivedPixId
  readonly returning: ReturnProgress
}

/** Whether it was kept, and how far its way back has come. */
export const receivedStatusOf = ({
  returnReason,
  returning,
}: Pick<ReceivedPix, 'returnReason' | 'returning'>): ReceivedStatus =>
  returnReason === null ? 'RECEIVED' : (returning ?? 'RETURNED')

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
    PixReturnChanged: null,
  },
  // Its row holds the fee of the charge that it paid.
  isKeptLast: true,
  evolve: (state, event) => {
    if (event.type === 'PixReceived') {
      assert(state === undefined, 'a received PIX is written once')
      return event.received
    }
    const isGoingBack = state?.returning === 'RETURNING' || state?.returning === 'RETURN_FAILED'
    assert(isGoingBack, 'only what is to go back gets there')
    return { ...state!, returning: event.returning }
  },
  createdAtMs: ({ receivedAtMs }) => receivedAtMs,
  lookupKeys: ({ endToEndId }) => [endToEndId],
  label: receivedStatusOf,
}
