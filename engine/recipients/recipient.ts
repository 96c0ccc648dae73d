import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { DocumentType } from '../shared/documents.ts'
import { maskedDocument } from '../shared/documents.ts'
import type { AccountId, RecipientId } from '../shared/ids.ts'
import type { Metadata } from '../shared/metadata.ts'
import type { Cents } from '../shared/money.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly recipient: Recipient
  }
  interface ActorFacts {
    readonly recipient: RecipientFact
  }
}

/** The account that a recipient is paid to. */
export type BankAccount = { readonly bankCode: string; readonly branch: string; readonly account: string }

/** A recipient of parts of payments (decisions, section 17.4), and what the company owes them. */
export type Recipient = NewRecipient & {
  readonly id: RecipientId
  readonly isActive: boolean
  /** No lookup finds it any more; money on its way still arrives. */
  readonly isRemoved: boolean
  /** How many rules name it. */
  readonly rulesCount: number
  /** Settled, and neither paid out nor taken back. Negative is a debt, which the next transfers pay. */
  readonly balanceCents: Cents
  /** What open transfers will pay from it. */
  readonly pendingCents: Cents
  /** How many bookings the recipient has had. */
  readonly bookings: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** The terms that a recipient is created with. */
export type NewRecipient = {
  readonly accountId: AccountId
  readonly name: string
  /** Their identity; never changes. */
  readonly document: string
  readonly documentType: DocumentType
  readonly email: string | null
  readonly bank: BankAccount
  readonly metadata: Metadata
}

export type RecipientFact =
  | (Fact<'RecipientCreated'> & { readonly recipient: NewRecipient })
  | (Fact<'RecipientChanged'> & {
      readonly changes: Partial<Pick<Recipient, 'name' | 'email' | 'bank' | 'metadata' | 'isActive'>>
    })
  | Fact<'RecipientRemoved'>
  /** A rule began or stopped naming it. */
  | (Fact<'RecipientNamed'> & { readonly rulesCount: number })
  | (Fact<'RecipientBooked'> & {
      readonly balanceCents: Cents
      readonly pendingCents: Cents
      /** Now and then the whole state before this fact, so that few entries rebuild it. */
      readonly whole: Recipient | null
    })

type Fact<Type extends string> = ActorFact<'recipient', Type>

/** The debt: more is pending than there is. */
export const debtCents = ({
  balanceCents,
  pendingCents,
}: Readonly<Record<'balanceCents' | 'pendingCents', number>>): number =>
  Math.max(0, pendingCents - balanceCents)

const evolveRecipient = (state: Recipient | undefined, event: RecipientFact): Recipient => {
  if (event.type === 'RecipientCreated') {
    assert(state === undefined, 'a recipient is created once')
    const { id, atMs, recipient } = event
    const nothing = { rulesCount: 0, balanceCents: 0 as Cents, pendingCents: 0 as Cents, bookings: 0 }
    return {
      id,
      isActive: true,
      isRemoved: false,
      createdAtMs: atMs,
      updatedAtMs: atMs,
      ...recipient,
      ...nothing,
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

export const recipientKind: ActorDefinition<Recipient, RecipientFact> = {
  prefix: 'rcp',
  namedBy: 'recipientId',
  evolve: evolveRecipient,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  auditedFields: ({ name, document, bank, isActive, isRemoved, metadata }) => ({
    name,
    document: maskedDocument(document),
    bank,
    active: isActive,
    removed: isRemoved,
    metadata,
  }),
  label: labelOfListed,
  isSnapshot: (event) => event.type === 'RecipientBooked' && event.whole !== null,
}

/** The label that lists of recipients and rules filter by. */
export function labelOfListed({
  isActive,
  isRemoved,
}: Pick<Recipient, 'isActive' | 'isRemoved'>): ListedLabel {
  if (isRemoved) return 'REMOVED'
  return isActive ? 'ACTIVE' : 'INACTIVE'
}

export type ListedLabel = 'ACTIVE' | 'INACTIVE' | 'REMOVED'

/** Every so many facts, one holds the whole state. */
export const wholeEvery = 64
