import type { EventType, PublicEvent, Subject } from '../../engine/kernel/public-event.ts'
import type { FlushedEntry } from '../../engine/kernel/step.ts'
import { noticeKinds, type PeopleNotice } from '../../engine/notices/notice.ts'
import type { Permission } from '../../engine/people/permission.ts'
import { type EventId, eventIdAt } from '../../engine/shared/ids.ts'
import { objectIdOf } from '../webhooks/body.ts'

/** What a page is told of an event: which object to fetch again, and nothing that only a permission shows. */
export type News = {
  readonly id: EventId
  /** Who may hear it. */
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

/** The news of what only people have: tickets and notices. Their facts have no public events, so these ids are free. */
export const newsForPeople = ({ atMs, sequence, steps }: FlushedEntry, shard: number): readonly News[] =>
  steps.flatMap(({ event, after }, place) => {
    const type = (typesForPeople as Readonly<Record<string, string>>)[event.type]
    if (type === undefined) return []
    const id = eventIdAt(atMs, shard, sequence, place * 4)
    const needs = event.actor === 'notice' ? noticeKinds[(after as PeopleNotice).kind] : null
    const data = { type, object: type.split('.')[0], id: event.id, version: null }
    // What all roles may do; the id alone says nothing of a notice that is for one person.
    const news: News = {
      id,
      needs: needs ?? 'support.read',
      text: `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`,
    }
    return [news] as const
  })

const typesForPeople = {
  TicketOpened: 'ticket.opened',
  TicketAnswered: 'ticket.answered',
  TicketClosed: 'ticket.closed',
  NoticeRaised: 'notice.raised',
  NoticeRepeated: 'notice.raised',
  NoticeRead: 'notice.read',
  NoticesRead: 'notice.read',
} as const

/** What is fetched again, by the prefix of its id: refunds, disputes and receivables are read with their transaction. */
const objects: Readonly<Record<string, string>> = {
  txn: 'transaction',
  sub: 'subscription',
  set: 'settlement',
  trf: 'transfer',
  evt: 'sample',
}

const versionOf = (subject: Subject): number | null => {
  if ('transaction' in subject) return subject.transaction.version
  return subject.object === 'transfer' ? subject.outgoing.version : null
}

const neededFor = (type: EventType, { object }: Subject): Permission =>
  object === 'split_transfer' ? 'marketplace.manage' : permissionOf[type]

/** What it takes to read what an event is about. */
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
}
