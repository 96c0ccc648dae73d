import type { ActorDefinition } from '../kernel/actor.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { DocumentType } from '../shared/documents.ts'
import type { AccountId, RecipientId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Cents } from '../shared/money.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly recipient: Recipient
  }
  interface ActorFacts {
    readonly recipient: RecipientEvent
  }
}

/** Where a recipient is paid. */
export type BankAccount = { readonly bankCode: string; readonly branch: string; readonly account: string }

/** Somebody who gets a part of payments (decisions, section 17.4), and what is owed to them. */
export type Recipient = {
  readonly id: RecipientId
  readonly accountId: AccountId
  readonly name: string
  /** Who it is: it never changes. */
  readonly document: string
  readonly documentType: DocumentType
  readonly email: string | null
  readonly bank: BankAccount
  readonly metadata: Metadata
  readonly isActive: boolean
  /** Nobody finds it any more; money that is on its way still gets there. */
  readonly isRemoved: boolean
  /** How many rules name it. */
  readonly rulesCount: number
  /** Settled, and neither paid out nor taken back. Negative is a debt, which the next transfers pay. */
  readonly balanceCents: Cents
  /** What transfers that are not over will pay out of it. */
  readonly pendingCents: Cents
  /** How often something was booked. */
  readonly bookings: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export type RecipientEvent =
  | (Fact<'RecipientCreated'> & {
      readonly recipient: Pick<
        Recipient,
        'accountId' | 'name' | 'document' | 'documentType' | 'email' | 'bank' | 'metadata'
      >
    })
  | (Fact<'RecipientChanged'> & {
      readonly changes: Partial<Pick<Recipient, 'name' | 'email' | 'bank' | 'metadata' | 'isActive'>>
    })
  | Fact<'RecipientRemoved'>
  /** A rule names it now, or no more. */
  | (Fact<'RecipientNamed'> & { readonly rulesCount: number })
  | (Fact<'RecipientBooked'> & {
      readonly balanceCents: Cents
      readonly pendingCents: Cents
      /** Now and then all of it, before this: so its state never takes more than a few entries to fold. */
      readonly whole: Recipient | null
    })

type Fact<Type extends string> = {
  readonly actor: 'recipient'
  readonly type: Type
  readonly id: RecipientId
  readonly atMs: number
}

/** What it owes: more is pending than there is. */
export const debtCents = ({
  balanceCents,
  pendingCents,
}: Pick<Recipient, 'balanceCents' | 'pendingCents'>): number => Math.max(0, pendingCents - balanceCents)

const evolveRecipient = (state: Recipient | undefined, event: RecipientEvent): Recipient => {
  if (event.type === 'RecipientCreated') {
    assert(state === undefined, 'a recipient is created once')
    const { id, atMs, recipient } = event
    const nothing = { rulesCount: 0, balanceCents: 0 as Cents, pendingCents: 0 as Cents, bookings: 0 }
    return {
      id,
      ...recipient,
      isActive: true,
      isRemoved: false,
      ...nothing,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    }
  }
  if (event.type === 'RecipientBooked') {
    const before = event.whole ?? state
    assert(before !== undefined, 'what is booked is of a recipient')
    const { balanceCents, pendingCents } = event
    return { ...before, balanceCents, pendingCents, bookings: before.bookings + 1 }
  }
  assert(state !== undefined, `${event.type} follows RecipientCreated`)
  switch (event.type) {
    case 'RecipientChanged':
      return { ...state, ...event.changes, updatedAtMs: event.atMs }
    case 'RecipientRemoved':
      return { ...state, isActive: false, isRemoved: true, updatedAtMs: event.atMs }
    case 'RecipientNamed':
      return { ...state, rulesCount: event.rulesCount }
    default:
      return unreachable(event)
  }
}

export const recipientKind: ActorDefinition<Recipient, RecipientEvent> = {
  prefix: 'rcp',
  namedBy: 'recipientId',
  evolve: evolveRecipient,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: labelOfListed,
  isSnapshot: (event) => event.type === 'RecipientBooked' && event.whole !== null,
}

/** What the lists of recipients and rules go by. */
export function labelOfListed({
  isActive,
  isRemoved,
}: Pick<Recipient, 'isActive' | 'isRemoved'>): ListedLabel {
  if (isRemoved) return 'REMOVED'
  return isActive ? 'ACTIVE' : 'INACTIVE'
}

export type ListedLabel = 'ACTIVE' | 'INACTIVE' | 'REMOVED'

/** A fact that many others follow holds the whole state so often. */
export const wholeEvery = 64
