import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import type { Permission } from '../people/permission.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { AccountId, NoticeId, PersonId } from '../shared/ids.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly notice: PeopleNotice
  }
  interface ActorFacts {
    readonly notice: NoticeFact
  }
}

/** Kinds of notices, and the permission to act on each (dashboard, section 4.2); null for one person alone. */
export const noticeKinds = {
  DELIVERY_FAILING: 'webhooks.manage',
  DELIVERY_EXHAUSTED: 'webhooks.manage',
  CHARGEBACK_OPENED: 'charges.create',
  DEFENSE_DUE: 'charges.create',
  MED_OPENED: 'disputes.manage',
  CRYPTO_DEPOSIT: 'crypto.withdraw',
  CARD_TESTING: 'charges.create',
  BALANCE_NEGATIVE: 'transfers.create',
  TRANSFER_PENDING: 'transfers.approve',
  TRANSFER_COMPLETED: 'transfers.create',
  TRANSFER_FAILED: 'transfers.create',
  TRANSFER_RETURNED: 'transfers.create',
  PAYOUT_RETURNED: 'marketplace.manage',
  TRANSFER_LOST: 'transfers.approve',
  RETURN_FAILED: 'transfers.approve',
  WITHDRAWAL_PENDING: 'transfers.approve',
  WITHDRAWAL_COMPLETED: 'crypto.withdraw',
  WITHDRAWAL_FAILED: 'crypto.withdraw',
  LIMIT_CHANGED: 'limits.manage',
  TICKET_ANSWERED: 'support.manage',
  KEY_CREATED: 'keys.manage',
  KEY_EXPIRING: 'keys.manage',
  KEY_UNUSED: 'keys.manage',
  CONNECTION_EXPIRING: 'company.manage',
  CONNECTION_STOPPED: 'company.manage',
  BOOKS_DIFFER: 'transfers.approve',
  STATEMENT_MISSING: 'company.manage',
  SUSPENSE_OLD: 'refunds.create',
  FACTOR_RESET: 'team.manage',
  ROLE_PENDING: null,
  ROLE_BY_OPERATOR: 'team.manage',
  NEW_SIGN_IN: null,
  PASSKEY_COUNTER: null,
} as const satisfies Readonly<Record<string, Permission | null>>
export type NoticeKind = keyof typeof noticeKinds

/** Something that happened and that people should know. All times are real. */
export type PeopleNotice = NewNotice & {
  readonly id: NoticeId
  /** How often it happened: repetitions within the hour are one notice. */
  readonly count: number
  readonly readBy: readonly NoticeReading[]
  readonly isMailed: boolean
  readonly createdAtMs: number
}

export type NoticeReading = { readonly personId: PersonId; readonly atMs: number }

/** The content that a notice is raised with. */
export type NewNotice = {
  readonly accountId: AccountId
  readonly kind: NoticeKind
  /** The only person whom it is for; null for all who can act. */
  readonly personId: PersonId | null
  /** The object that it is about. */
  readonly objectId: string | null
  /** The values in its text, by name. */
  readonly details: Readonly<Record<string, string | number | null>>
  /** Notices with the same topic within the hour are one; null for a notice that stands alone. */
  readonly topic: string | null
  /** When its reminder is due, on the environment clock; null for none. */
  readonly remindAtMs: number | null
}

export type NoticeFact =
  | (Fact<'NoticeRaised'> & { readonly notice: NewNotice })
  /** It happened again. */
  | (Fact<'NoticeRepeated'> & { readonly details: PeopleNotice['details'] })
  | Fact<'NoticeReminded'>
  | (Fact<'NoticeRead'> & { readonly personId: PersonId })
  /** Mails about it are queued, if there are any. */
  | Fact<'NoticeMailed'>

type Fact<Type extends string> = ActorFact<'notice', Type>

const evolveNotice = (notice: PeopleNotice | undefined, event: NoticeFact): PeopleNotice => {
  if (event.type === 'NoticeRaised') {
    assert(notice === undefined, 'a notice is raised once')
    return { id: event.id, count: 1, readBy: [], isMailed: false, createdAtMs: event.atMs, ...event.notice }
  }
  assert(notice !== undefined, `${event.type} follows NoticeRaised`)
  switch (event.type) {
    case 'NoticeRepeated':
      return { ...notice, count: notice.count + 1, details: event.details }
    case 'NoticeReminded':
      return { ...notice, remindAtMs: null }
    case 'NoticeRead':
      return { ...notice, readBy: [...notice.readBy, { personId: event.personId, atMs: event.atMs }] }
    case 'NoticeMailed':
      return { ...notice, isMailed: true }
    default:
      return unreachable(event)
  }
}

export const noticeKind: ActorDefinition<PeopleNotice, NoticeFact> = {
  prefix: 'ntf',
  namedBy: 'noticeId',
  evolve: evolveNotice,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ kind, personId }) => (personId === null ? kind : `${kind}/${personId}`),
  lookupKeys: ({ isMailed, topic, createdAtMs }) => [
    ...(isMailed ? [] : [notMailed]),
    ...(topic === null ? [] : [topicKeyOf(topic, createdAtMs)]),
  ],
  timer: ({ id, accountId, remindAtMs }) =>
    remindAtMs === null
      ? null
      : {
          dueAtMs: remindAtMs,
          command: { type: 'RemindOfDefense', accountId, by: { kind: 'CLOCK', id: null }, noticeId: id },
        },
}

/** The lookup key of the notices whose mails are still to be queued. */
export const notMailed = 'not mailed'

/** The lookup key of a topic's notices, by the hour: a key for all time would find ever more of them. */
export const topicKeyOf = (topic: string, atMs: number): string => `${Math.floor(atMs / topicMs)} ${topic}`

export const topicMs = 3_600_000
