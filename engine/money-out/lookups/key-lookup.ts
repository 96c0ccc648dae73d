import type { ActorDefinition } from '../../kernel/actor.ts'
import type { ActorFact } from '../../kernel/fact.ts'
import { assert, unreachable } from '../../shared/assert.ts'
import type { BankAccountType } from '../../shared/bank-account-type.ts'
import type { TaxDocument } from '../../shared/documents.ts'
import type { AccountId, KeyLookupId, PersonId, TransferId } from '../../shared/ids.ts'
import type { AnyPixKey } from '../../shared/pix-key.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly keyLookup: KeyLookup
  }
  interface ActorFacts {
    readonly keyLookup: KeyLookupFact
  }
}

declare module '../../kernel/calls.ts' {
  interface ProviderRequests {
    readonly keys: FindKeyRequest
  }
}

/** A look-up of a PIX key's owner in the directory of PIX keys (dashboard, section 2.5). */
export type KeyLookup = NewKeyLookup & {
  readonly id: KeyLookupId
  readonly status: 'ASKED' | 'FOUND' | 'NOT_FOUND' | 'UNAVAILABLE'
  readonly owner: KeyOwner | null
  /** The end-to-end id for the payment that uses the look-up. */
  readonly endToEndId: string | null
  readonly expiresAtMs: number | null
  /** The transfer that used it: each look-up serves one. */
  readonly usedBy: TransferId | null
  readonly createdAtMs: number
}

type NewKeyLookup = AnyPixKey & {
  readonly accountId: AccountId
  /** The only person who can use it. */
  readonly askedBy: PersonId | null
}

/** The owner of a PIX key, and the account behind it. */
export type KeyOwner = TaxDocument & {
  readonly name: string
  readonly bankName: string
  readonly ispb: string
  readonly accountType: BankAccountType
  readonly ownedSinceMs: number
}

export type KeyLookupFact =
  /** The intent: the directory is asked once this is on disk. */
  | (Fact<'KeyAsked'> & { readonly lookup: NewKeyLookup; readonly callId: string })
  | (Fact<'KeyFound'> & {
      readonly callId: string
      readonly owner: KeyOwner
      readonly endToEndId: string
      readonly expiresAtMs: number
    })
  | (Fact<'KeyNotFound'> & { readonly callId: string })
  /** The directory did not answer. */
  | (Fact<'KeyUnanswered'> & { readonly callId: string })
  | (Fact<'KeyUsed'> & { readonly transferId: TransferId })

type Fact<Type extends string> = ActorFact<'keyLookup', Type>

/** Asks the directory for the owner of a key. Plain data. */
export type FindKeyRequest = {
  readonly reference: string
  readonly operation: 'FIND_KEY'
  /** How often it may have been sent before. */
  readonly asked: number
  readonly rail: 'KEYS'
  readonly accountId: AccountId
  readonly keyLookupId: KeyLookupId
  readonly pixKey: string
  readonly openedAtMs: number
  readonly nowMs: number
}

/** The directory's answer. */
export type KeyAnswer =
  | { readonly type: 'FOUND'; readonly owner: KeyOwner }
  | { readonly type: 'NOT_FOUND' }
  | { readonly type: 'SILENT' }

const evolveKeyLookup = (state: KeyLookup | undefined, event: KeyLookupFact): KeyLookup => {
  const { id, atMs } = event
  if (event.type === 'KeyAsked') {
    assert(state === undefined, 'a look-up is asked once')
    const open = { status: 'ASKED', owner: null, endToEndId: null, expiresAtMs: null, usedBy: null } as const
    return { id, ...event.lookup, ...open, createdAtMs: atMs }
  }
  assert(state !== undefined, `${event.type} follows KeyAsked`)
  switch (event.type) {
    case 'KeyFound': {
      const { owner, endToEndId, expiresAtMs } = event
      return { ...state, status: 'FOUND', owner, endToEndId, expiresAtMs }
    }
    case 'KeyNotFound':
      return { ...state, status: 'NOT_FOUND' }
    case 'KeyUnanswered':
      return { ...state, status: 'UNAVAILABLE' }
    case 'KeyUsed':
      return { ...state, usedBy: event.transferId }
    default:
      return unreachable(event)
  }
}

export const keyLookupKind: ActorDefinition<KeyLookup, KeyLookupFact> = {
  prefix: 'lkp',
  namedBy: 'keyLookupId',
  evolve: evolveKeyLookup,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ status }) => status,
  auditedFields: ({ keyType, status }) => ({ keyType, status }),
  awaitsProvider: ({ status }) => status === 'ASKED',
  calls: {
    madeBy: (event) => (event.type === 'KeyAsked' ? event.callId : null),
    awaitedBy: (event) => (event.type === 'KeyAsked' ? event.callId : null),
    answeredBy: (event) => ('callId' in event && event.type !== 'KeyAsked' ? event.callId : null),
    request: ({ id: keyLookupId, accountId, pixKey, createdAtMs: openedAtMs }, reference, nowMs) => ({
      reference,
      operation: 'FIND_KEY',
      asked: 0,
      rail: 'KEYS',
      accountId,
      keyLookupId,
      pixKey,
      openedAtMs,
      nowMs,
    }),
    onTheirWay: ({ id, status }) => (status === 'ASKED' ? [callOf(id)] : []),
    isOpen: ({ status }) => status === 'ASKED',
  },
}

/** The one call of a look-up. */
export const callOf = (id: KeyLookupId): string => `${id}.1`
