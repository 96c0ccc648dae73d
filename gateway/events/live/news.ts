import type { EventType, PublicEvent, Subject } from '../../../engine/kernel/event-types.ts'
import type { ActorKind, ActorState } from '../../../engine/kernel/registry.ts'
import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import { noticeKinds, type PeopleNotice } from '../../../engine/notices/notice.ts'
import type { Permission } from '../../../engine/people/permission.ts'
import { type EventId, eventIdAt } from '../../../engine/shared/ids.ts'
import { objectIdOf } from '../body.ts'

/** What a page receives of an event: which object to fetch again, and nothing that needs a permission. */
export type News = {
  readonly id: EventId
  /** The permission that a listener needs. */
  readonly needs: Permission
  /** As a server-sent event. */
  readonly text: string
}

/** Makes the news of an event. */
export const newsOf = ({ id, type, subject }: PublicEvent): News => {
  const about = subject.object === 'sample' ? id : objectIdOf(subject)
  const data = { type, object: objects[about.slice(0, 3)]!, id: about, version: versionOf(subject) }
  return { id, needs: neededFor(type, subject), text: `id: ${id}\ndata: ${JSON.stringify(data)}\n\n` }
}

/** The news of tickets, notices and steps of withdrawals, which only people have. These facts have no public events, so their ids are free. */
export const newsForPeople = ({ atMs, sequence, steps }: FlushedEntry, shard: number): readonly News[] =>
  steps.flatMap(({ event, after }, place) => {
    const types = event.actor === 'withdrawal' ? typesOfWithdrawals : typesForPeople
    const type = (types as Readonly<Record<string, string>>)[event.type]
    if (type === undefined) return []
    const id = eventIdAt(atMs, shard, sequence, place * 4)
    const data = { type, object: type.split('.')[0], id: event.id, version: null }
    const news: News = {
      id,
      needs: neededOf(event.actor, after),
      text: `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`,
    }
    return [news] as const
  })

/** All roles may get news of tickets, and of notices for one person: the id alone says nothing. */
const neededOf = (actor: ActorKind, after: ActorState): Permission => {
  if (actor === 'withdrawal') return 'balance.read'
  return (actor === 'notice' ? noticeKinds[(after as PeopleNotice).kind] : null) ?? 'support.read'
}

const typesForPeople = {
  TicketOpened: 'ticket.opened',
  TicketAnswered: 'ticket.answered',
  TicketClosed: 'ticket.closed',
  NoticeRaised: 'notice.raised',
  NoticeRepeated: 'notice.raised',
  NoticeRead: 'notice.read',
  NoticesRead: 'notice.read',
} as const

/** Only withdrawals: transfers have public events for these steps. */
const typesOfWithdrawals = {
  MoneyOutCreated: 'crypto_withdrawal.created',
  MoneyOutDecided: 'crypto_withdrawal.decided',
  MoneyOutCancelled: 'crypto_withdrawal.cancelled',
  MoneyOutBroadcast: 'crypto_withdrawal.broadcast',
} as const

/** The object to fetch again, by the prefix of an id: parts are read with their transaction. */
const objects: Readonly<Record<string, string>> = {
  txn: 'transaction',
  sub: 'subscription',
  set: 'settlement',
  trf: 'transfer',
  cnv: 'conversion',
  wdr: 'crypto_withdrawal',
  evt: 'sample',
}

const versionOf = (subject: Subject): number | null => {
  if ('transaction' in subject) return subject.transaction.version
  if (subject.object === 'crypto_withdrawal') return subject.withdrawal.version
  return subject.object === 'transfer' ? subject.transfer.version : null
}

const neededFor = (type: EventType, { object }: Subject): Permission =>
  object === 'split_transfer' ? 'marketplace.manage' : permissionOf[type]

/** The permission that reading the subject of an event needs. */
const permissionOf: Readonly<Record<EventType, Permission>> = {
  'payment.created': 'transactions.read',
  'payment.pending': 'transactions.read',
  'payment.approved': 'transactions.read',
  'payment.failed': 'transactions.read',
  'payment.refunded': 'transactions.read',
  'payment.chargeback': 'transactions.read',
  'pix.received': 'transactions.read',
  'pix.med_opened': 'transactions.read',
  'pix.med_closed': 'transactions.read',
  'boleto.paid': 'transactions.read',
  'subscription.created': 'subscriptions.read',
  'subscription.paid': 'subscriptions.read',
  'subscription.failed': 'subscriptions.read',
  'settlement.processing': 'transactions.read',
  'settlement.completed': 'transactions.read',
  'crypto.received': 'transactions.read',
  'crypto.expired': 'transactions.read',
  'crypto.withdrawal_completed': 'balance.read',
  'crypto.withdrawal_failed': 'balance.read',
  'conversion.completed': 'balance.read',
  'conversion.failed': 'balance.read',
  'transfer.scheduled': 'balance.read',
  'transfer.pending_approval': 'balance.read',
  'transfer.completed': 'balance.read',
  'transfer.failed': 'balance.read',
  'transfer.returned': 'balance.read',
  'payment.refund_failed': 'transactions.read',
  'checkout.completed': 'transactions.read',
  'checkout.expired': 'transactions.read',
}
