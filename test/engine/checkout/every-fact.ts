import type { PortalSessionId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { aCoupon, aPlan, happened } from '../billing/catalog.ts'
import { aPayer, aPayment, key, type newWorld, ours } from '../world.ts'
import {
  aLink,
  aPaymentBy,
  aSession,
  expiring,
  payer,
  paying,
  payingAt,
  prolonging,
  sessionAt,
} from './page.ts'

const portalId = (n: number): PortalSessionId => `ptl_${String(n).repeat(26)}` as PortalSessionId

/** Sessions and links through every fact of theirs, and the guard of cards. */
export const everyCheckoutFact = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const coupon = aCoupon({ maxRedemptions: 9, maxRedemptionsPerCustomer: null })
  await world.accepted(coupon)
  const byPix = {
    ...aPaymentBy('PIX'),
    receiptEmail: 'zoe@example.com',
    customValues: { 'tamanho ção': 'M' },
  }

  const paid = aSession({ customFields: [] }, { externalId: 'pedido 1' })
  await world.accepted(paid)
  const discount = { type: 'DiscountSession', accountId: ours.accountId, by: payer } as const
  const { checkoutSessionId } = paid
  await world.execute({ ...discount, checkoutSessionId, couponCode: coupon.coupon.code })
  await world.accepted(paying(world, paid, byPix))
  await world.execute({ type: 'LeaveTry', accountId: ours.accountId, by: payer, checkoutSessionId })
  await world.accepted(paying(world, paid, { ...aPaymentBy('PIX'), language: 'en' }))
  await world.accepted(aPayment(sessionAt(world, paid).tries.at(-1)!.transactionId))

  const plan = aPlan({ setupFeeCents: toCents(1000) })
  await world.accepted(plan)
  const subscribed = aSession({ mode: 'SUBSCRIPTION', planId: plan.planId })
  await world.accepted(subscribed)
  await world.accepted(paying(world, subscribed, { ...aPaymentBy('CREDIT_CARD'), customer: aPayer }))
  const authorized = aSession({ mode: 'SUBSCRIPTION', planId: plan.planId })
  await world.accepted(authorized)
  await world.accepted(paying(world, authorized, { ...aPaymentBy('PIX'), customer: aPayer }))
  const { id: ofCustomer, customer } = world.memory.lookup('customer', ours.accountId, aPayer.document!)[0]!
    .state
  await world.accepted({
    type: 'OpenPortal',
    ...ours,
    portalSessionId: portalId(1),
    ofCustomer,
    returnUrl: 'https://loja.example/conta',
    tokenHash: 'hash of a portal',
  })

  const mailed = portalId(2)
  const portals = [{ id: mailed, tokenHash: 'hash of a mail' }]
  await world.execute({ type: 'MailPortals', ...ours, email: customer.email!, language: 'pt', portals })
  await world.execute({ type: 'RecordPortalMail', ...ours, portalSessionId: mailed })
  const entered = { id: portalId(3), tokenHash: 'hash of its portal' }
  await world.execute({ type: 'EnterPortal', ...ours, portalSessionId: mailed, entered })

  const byDebit = aSession({ methods: ['DEBIT_CARD'] })
  await world.accepted(byDebit)
  const asked = aPaymentBy('DEBIT_CARD')
  const threeDSecure = { status: 'AUTHENTICATED', eci: '05' } as const
  await world.accepted(paying(world, byDebit, { ...asked, card: { ...asked.card!, threeDSecure } }))

  const link = aLink({ maxPayments: 3, quantity: { min: 1, max: 4 }, externalIdPrefix: 'feira-' })
  await world.accepted(link)
  await world.execute({
    type: 'EditLink',
    ...ours,
    paymentLinkId: link.paymentLinkId,
    changes: { name: 'Feira', offer: { successUrl: 'https://feira.example', metadata: { a: '1' } } },
  })
  const atLink = payingAt(link, aPaymentBy('CREDIT_CARD', 'tok_test_declined_05'), { quantity: 2 })
  await world.accepted(atLink)
  await world.accepted(payingAt(link, aPaymentBy('CREDIT_CARD')))
  for (let n = 0; n < 8; n++)
    await world.accepted(payingAt(link, aPaymentBy('CREDIT_CARD', 'tok_test_declined_05')))
  const guard = world.memory.lookup('cardGuard', ours.accountId, 'guard')[0]!.state.id
  happened(world, { actor: 'cardGuard', type: 'CardsClosed', id: guard, atMs: world.now(), declines: 100 })

  const ended = aSession()
  await world.accepted(ended)
  await world.accepted(prolonging(ended))
  await world.accepted(paying(world, ended, { ...aPaymentBy('PIX'), receiptEmail: 'zoe@example.com' }))
  await world.accepted(expiring(ended))
  const deciding = aSession()
  await world.accepted(deciding)
  await world.accepted(paying(world, deciding, aPaymentBy('CREDIT_CARD', 'tok_test_processing')))
  await world.accepted({ ...expiring(deciding), by: key })
  await world.advance('P31D')
}
