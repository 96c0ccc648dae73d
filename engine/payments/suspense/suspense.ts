import type { ActorDefinition } from '../../kernel/actor.ts'
import type { ActorFact } from '../../kernel/fact.ts'
import { assert, unreachable } from '../../shared/assert.ts'
import type { AccountId, ConnectionId, SuspenseId, TransactionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import type { PixAtBank } from '../methods/pix/pix.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly suspense: Suspense
  }
  interface ActorFacts {
    readonly suspense: SuspenseFact
  }
}

/** Money that a bank took for the account and that belongs to nothing here, until people have decided what it is. */
export type Suspense = UnmatchedPix & {
  readonly id: SuspenseId
  readonly status: 'OPEN' | 'ASSIGNED' | 'WRITTEN_OFF'
  /** What it was assigned to: a charge, or a deposit of its own. */
  readonly transactionId: TransactionId | null
  /** Who wants to write it off; it takes another person to do it. */
  readonly proposed: WriteOffProposal | null
  readonly createdAtMs: number
  readonly resolvedAtMs: number | null
}

export type WriteOffProposal = { readonly by: Initiator; readonly reason: string; readonly atMs: number }

/** What the bank says of it. */
export type UnmatchedPix = PixAtBank & {
  readonly accountId: AccountId
  readonly connectionId: ConnectionId
  readonly providerId: string
  readonly txid: string | null
  readonly pixKey: string | null
}

export type SuspenseFact =
  | (Fact<'SuspenseOpened'> & { readonly unmatched: UnmatchedPix })
  | (Fact<'SuspenseAssigned'> & { readonly by: Initiator; readonly transactionId: TransactionId })
  | (Fact<'WriteOffProposed'> & { readonly by: Initiator; readonly reason: string })
  | (Fact<'SuspenseWrittenOff'> & { readonly by: Initiator; readonly reason: string })

type Fact<Type extends string> = ActorFact<'suspense', Type>

export const suspenseKind: ActorDefinition<Suspense, SuspenseFact> = {
  prefix: 'ssp',
  namedBy: 'suspenseId',
  evolve: (state, event) => {
    if (event.type === 'SuspenseOpened') {
      assert(state === undefined, 'money enters suspense once')
      const { id, atMs: createdAtMs, unmatched } = event
      return {
        ...unmatched,
        id,
        status: 'OPEN',
        transactionId: null,
        proposed: null,
        createdAtMs,
        resolvedAtMs: null,
      }
    }
    assert(state?.status === 'OPEN', `${event.type} is about money that is in suspense`)
    const { atMs } = event
    switch (event.type) {
      case 'SuspenseAssigned':
        return { ...state, status: 'ASSIGNED', transactionId: event.transactionId, resolvedAtMs: atMs }
      case 'WriteOffProposed':
        return { ...state, proposed: { by: event.by, reason: event.reason, atMs } }
      case 'SuspenseWrittenOff':
        return { ...state, status: 'WRITTEN_OFF', resolvedAtMs: atMs }
      default:
        return unreachable(event)
    }
  },
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ status }) => status,
  lookupKeys: ({ endToEndId }) => [endToEndId],
  auditedFields: ({ status, amountCents, transactionId }) => ({ status, amount: amountCents, transactionId }),
}
