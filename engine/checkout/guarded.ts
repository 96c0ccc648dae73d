import { contextId } from '../kernel/context.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import { isByCard } from '../payments/methods/card/terms.ts'
import { cardLimitOf } from '../shared/card-limits.ts'
import type { PaymentLinkId } from '../shared/ids.ts'
import {
  areCardsClosed,
  attackMs,
  type CardGuard,
  type CardLimit,
  type CardTrier,
  cardLimitFor,
  isOneTooMany,
} from './card-guard.ts'
import type { CheckoutSession } from './session.ts'

/** The key by which an account's only guard is found. */
export const guardKey = 'guard'

/** Whether a link was attacked before: from then on its cards are taken only with an answer of their bank. */
export const wasAttacked = (draft: Draft, linkId: PaymentLinkId | null): boolean => {
  const id = draft.lookupId('cardGuard', guardKey)
  const guard = id === undefined ? undefined : draft.find('cardGuard', id)
  return guard?.attacks.some((attack) => attack.linkId === linkId) ?? false
}

/** Lets a card go to the acquirer, and remembers it; or remembers that it met a limit. */
export const guardCard = (draft: Draft, session: CheckoutSession, trier: CardTrier): CardLimit | null => {
  const guard = guardOf(draft)
  const { id: sessionId, linkId, tries } = session
  const { nowMs } = draft.context
  const own = draft.account().profile.cardLimits
  const cards = tries.filter(({ method }) => isByCard(method)).length
  const limit =
    cards >= cardLimitOf(own, 'perSession') ? 'SESSION' : cardLimitFor(guard, linkId, trier, own, nowMs)
  const at = factOf(draft, 'cardGuard', guard.id)
  if (limit === null) {
    draft.add({ type: 'CardTried', tried: { ...trier, sessionId, linkId }, ...at })
    // A try counts as declined until it is answered, so it is the try that closes, and not its answer.
    const after = draft.find('cardGuard', guard.id)!
    if (areCardsClosed(after, own, nowMs))
      draft.add({ type: 'CardsClosed', declines: declinesOf(after), ...at })
    return null
  }
  if (linkId !== null && limit !== 'ATTACK' && isOneTooMany(guard, linkId, nowMs))
    draft.add({ type: 'AttackBegan', linkId, untilMs: nowMs + attackMs, ...at })
  draft.add({ type: 'LimitMet', linkId, limit, ...at })
  return limit
}

/** Remembers what the acquirer said of a session's card. */
export const judgeCard = (draft: Draft, { id: sessionId }: CheckoutSession, isDeclined: boolean): void => {
  draft.add({ type: 'CardJudged', sessionId, isDeclined, ...factOf(draft, 'cardGuard', guardOf(draft).id) })
}

const declinesOf = ({ tries }: CardGuard): number =>
  tries.filter(({ isDeclined }) => isDeclined !== false).length

const guardOf = (draft: Draft): CardGuard => {
  const known =
    draft.steps.find(({ event }) => event.actor === 'cardGuard')?.event.id ??
    draft.lookupId('cardGuard', guardKey)
  const id = known ?? contextId(draft.context, 'grd')
  if (known === undefined)
    draft.add({
      type: 'GuardPosted',
      accountId: draft.account().id,
      ...factOf(draft, 'cardGuard', id as CardGuard['id']),
    })
  return draft.find('cardGuard', id)!
}
