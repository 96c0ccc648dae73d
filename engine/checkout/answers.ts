import type { Answerers } from '../kernel/reader.ts'
import type { CardLimits } from '../shared/card-limits.ts'
import { foldCase } from '../shared/fold-case.ts'
import type { PaymentLinkId } from '../shared/ids.ts'
import { areCardsClosed, type CardGuard, isAttacked } from './card-guard.ts'
import { guardKey } from './guarded.ts'
import { linkStatusAt, type PaymentLink } from './link.ts'
import type { CardDefence, CheckoutQuery, ListLinks, ListSessions } from './queries.ts'
import type { CheckoutSession, CheckoutSessionStatus } from './session.ts'

/** Answers about sessions and links. */
export const checkoutAnswers: Answerers<CheckoutQuery> = {
  FindSession: ({ checkoutSessionId }, { find }) => find('checkoutSession', checkoutSessionId),
  FindLink: ({ paymentLinkId }, { find, nowMs }) => {
    const { value: link, sequence } = find('paymentLink', paymentLinkId)
    return { value: link && { link, nowMs }, sequence }
  },
  FindPage: ({ accountId, kind, hash }, { memory, account, result, nowMs }) => {
    const [found] = memory.lookup(kind, accountId, hash)
    if (found === undefined) return result(null)
    const guard = memory.lookup('cardGuard', accountId, guardKey)[0]?.state as CardGuard | undefined
    const own = account?.profile.cardLimits
    if (kind === 'paymentLink') {
      const link = found.state as PaymentLink
      return result({ kind, link, defence: defenceOf(guard, link.id, own, nowMs), nowMs })
    }
    const session = found.state as CheckoutSession
    const defence = defenceOf(guard, session.linkId, own, nowMs)
    const id = session.transactionId ?? session.tries.at(-1)?.transactionId
    const transaction = id === undefined ? null : (memory.find('transaction', id)?.state ?? null)
    const mandateId = session.tries.find((one) => one.transactionId === id)?.mandateId
    const mandate = mandateId === undefined ? null : (memory.find('mandate', mandateId)?.state ?? null)
    return result({ kind, session, transaction, mandate, defence, nowMs })
  },
  ListSessions: function* (query, { list, listByKey, result }) {
    const key = query.linkId ?? query.externalId
    return result(
      key === null
        ? yield* list('checkoutSession', query, statusFits(query), null)
        : listByKey('checkoutSession', key, query, (session) => isWantedSession(query, session)),
    )
  },
  ListLinks: function* (query, { list, result, nowMs }) {
    return result(yield* list('paymentLink', query, () => true, linkMatches(query, nowMs)))
  },
}

const defenceOf = (
  guard: CardGuard | undefined,
  linkId: PaymentLinkId | null,
  own: CardLimits | undefined,
  nowMs: number,
): CardDefence => {
  if (guard === undefined) return { takesCards: true, asksWork: false }
  const asksWork = isAttacked(guard, linkId, nowMs)
  return { takesCards: !asksWork && !areCardsClosed(guard, own, nowMs), asksWork }
}

const statusFits =
  ({ statuses }: ListSessions) =>
  (label: string): boolean =>
    statuses.length === 0 || statuses.includes(label.split(' ')[0] as CheckoutSessionStatus)

const isWantedSession = (query: ListSessions, { status, linkId, externalId }: CheckoutSession): boolean =>
  (query.statuses.length === 0 || query.statuses.includes(status)) &&
  (query.linkId === null || query.linkId === linkId) &&
  (query.externalId === null || query.externalId === externalId)

/** A filter by status now, id, name or title; null when every link fits, so that no state is loaded. */
const linkMatches = (
  { statuses, search }: ListLinks,
  nowMs: number,
): ((link: PaymentLink) => boolean) | null => {
  if (statuses.length === 0 && search === null) return null
  return (link) => {
    if (statuses.length > 0 && !statuses.includes(linkStatusAt(link, nowMs))) return false
    return search === null || link.id === search || says(link.name, search) || says(link.title, search)
  }
}

const says = (text: string, search: string): boolean => foldCase(text).includes(foldCase(search))
