import type { SessionPage } from '../../engine/checkout/queries.ts'
import { type CheckoutSession, liveTry, methodsOf } from '../../engine/checkout/session.ts'
import { isByCard } from '../../engine/payments/methods/card/terms.ts'
import { environmentOf } from '../../engine/shared/ids.ts'
import type { HttpResponse } from '../wire/transport.ts'
import { type Checkout, companyOf, type Visit } from './checkout.ts'
import { declineKindOf } from './decline-kind.ts'
import { pageResponse } from './headers.ts'
import { openMethods } from './open-methods.ts'
import { choosePage } from './pages/choose.ts'
import { closedPage } from './pages/closed.ts'
import { donePage } from './pages/done.ts'
import type { Shown } from './pages/shown.ts'
import type { FormState } from './pages/typed.ts'
import { waitingPage } from './pages/waiting.ts'
import { pageFraming } from './shown-to.ts'

/** The session of an address, as it stands now; null where there is none. */
export const sessionPageAt = async (
  { router, tokens }: Checkout,
  { accountId, token }: Visit,
): Promise<SessionPage | null> => {
  const found = await router.query({
    type: 'FindPage',
    accountId,
    kind: 'checkoutSession',
    hash: tokens.hashOf(token),
  })
  return found as SessionPage | null
}

/** The page as the session stands now. */
export const showSession = (
  checkout: Checkout,
  shown: Shown,
  { session, transaction, mandate }: SessionPage,
  form: FormState,
  notice: string | null,
  status = 200,
): HttpResponse => {
  const framing = pageFraming(checkout, session.offer)
  const answer = (body: string, code = status) => pageResponse(code, body, framing)
  const { company, texts } = shown
  const isOpen = companyOf(checkout, session.accountId).isOpen
  if (session.status === 'COMPLETED')
    return answer(
      donePage(shown, session, { transaction: transaction!, mandate }, portalPathOf(checkout, session)),
    )
  if (session.status === 'EXPIRED') return answer(closedPage(shown, 'expired', session.offer.cancelUrl))
  if (!isOpen) return answer(closedPage(shown, 'inactive', session.offer.cancelUrl))
  const nonce = checkout.nonces.ofSession(session.id, session.version)
  if (liveTry(session) !== null)
    return answer(waitingPage(shown, session, { transaction: transaction!, mandate }, nonce, notice))
  const offered = {
    ...session,
    offer: {
      ...session.offer,
      methods: openMethods({ methods: methodsOf(session) }, company, environmentOf(session.accountId)),
    },
  }
  return answer(choosePage(shown, offered, nonce, form, notice ?? endNotice(session, texts)))
}

/** Where who has subscribed asks for a link to their subscriptions. */
const portalPathOf = (
  { sendsMail, tokens }: Checkout,
  { accountId, subscriptionId }: CheckoutSession,
): string | null => (sendsMail && subscriptionId !== null ? `/p/${tokens.portalEntryOf(accountId)}` : null)

/** What became of the charge made last, which ended unpaid. */
const endNotice = ({ tries, isCardBlocked }: CheckoutSession, texts: Shown['texts']): string | null => {
  if (isCardBlocked) return texts.notices.declined.NOT_ALLOWED
  const last = tries.at(-1)
  if (last === undefined) return null
  const { method, failureReason } = last
  if (isByCard(method)) return texts.notices.declined[declineKindOf(failureReason)]
  if (failureReason === 'CHARGE_EXPIRED') return texts.notices.pixExpired
  if (failureReason === 'REGISTRATION_REJECTED') return texts.notices.boletoRefused
  return failureReason === 'CANCELLED' ? null : texts.notices.failed
}
