import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert } from '../shared/assert.ts'
import type { AccountId, UnsubscriptionId } from '../shared/ids.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly unsubscription: Unsubscription
  }
  interface ActorFacts {
    readonly unsubscription: Unsubscribed
  }
}

/**
 * A payer who wants no reminders of this company. Only a keyed hash of the address is kept: erasing the payer leaves nothing to
 * erase here, and they stay unsubscribed.
 */
export type Unsubscription = {
  readonly id: UnsubscriptionId
  readonly accountId: AccountId
  readonly addressHash: string
  readonly createdAtMs: number
}

export type Unsubscribed = ActorFact<'unsubscription', 'Unsubscribed'> &
  Pick<Unsubscription, 'accountId' | 'addressHash'>

export const unsubscriptionKind: ActorDefinition<Unsubscription, Unsubscribed> = {
  prefix: 'uns',
  evolve: (state, { id, accountId, addressHash, atMs: createdAtMs }) => {
    assert(state === undefined, 'a payer unsubscribes once')
    return { id, accountId, addressHash, createdAtMs }
  },
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: () => '',
  lookupKeys: ({ addressHash }) => [addressHash],
  isKnownByKey: true,
  isKeptByReset: true,
}
