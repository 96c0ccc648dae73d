import type { Call } from '../../e2e/service.ts'
import { addDays, dayOf } from '../days.ts'
import { anyOf, atBank, type SoakShop } from './soak-shop.ts'

/** A plan of each week and one of each month. */
export const makePlans = async (call: Call): Promise<readonly string[]> => {
  const ids: string[] = []
  for (const interval of ['WEEK', 'MONTH']) {
    const { body } = await call('POST', '/v1/plans', {
      name: interval,
      amount: 4_900,
      interval,
      methods: ['PIX'],
    })
    ids.push(body.id)
  }
  const coupon = { code: 'DEZ', discountType: 'PERCENT', percentBps: 1000, duration: 'FOREVER' }
  await call('POST', '/v1/coupons', coupon)
  return ids
}

/** A subscription is made, its payer authorizes it, pays a code, has no money, or ends the mandate; or the merchant changes it. */
export const actOnMandate = async (shop: SoakShop): Promise<string> => {
  const { dice, call, subscriptions } = shop
  const id = anyOf(shop, subscriptions)
  if (id === undefined || (subscriptions.length < subscriptionsMax && dice.oneIn(4))) return subscribe(shop)
  const { body } = await call('GET', `/v1/subscriptions/${id}`)
  const { pixMandate: mandate, latestInvoice } = body
  switch (dice.below(8)) {
    case 0:
    case 1:
    case 2: {
      const code = mandate?.status === 'CREATED' ? mandate.copyPaste : null
      if (code === null) return 'nothing to authorize'
      const maximo = dice.oneIn(4) ? { maximo: '49.00' } : {}
      return atBank(shop, 'POST /pay', { code, ...maximo, authorizes: !dice.oneIn(6) }, 'authorization')
    }
    case 3: {
      const code = latestInvoice?.payment?.pix?.copyPaste
      return code == null ? 'no code to pay' : atBank(shop, 'POST /pay', { code }, 'payment of an invoice')
    }
    case 4:
    case 5: {
      if (mandate?.idRec == null) return 'no mandate'
      const does = dice.oneIn(3)
        ? { does: 'pay' }
        : { does: 'reject', codigo: codes[dice.below(codes.length)], times: 1 + dice.below(6) }
      return atBank(shop, 'POST /mandates/account', { idRec: mandate.idRec, ...does }, 'the payer’s account')
    }
    case 6:
      if (mandate?.idRec == null || !dice.oneIn(4)) return 'the payer looks at the mandate'
      return atBank(shop, 'POST /mandates/answer', { idRec: mandate.idRec, does: 'cancel' }, 'mandate ended')
    default: {
      const what = ['pause', 'resume', 'cancel'][dice.below(3)]!
      const { status } = await call('POST', `/v1/subscriptions/${id}/${what}`, bodies[what])
      return `${what} ${status}`
    }
  }
}

/** Ends what would go on for ever. */
export const endSubscriptions = async ({
  call,
  subscriptions,
}: Pick<SoakShop, 'call' | 'subscriptions'>): Promise<void> => {
  for (const id of subscriptions) await call('POST', `/v1/subscriptions/${id}/cancel`, bodies.cancel)
}

const subscriptionsMax = 25
const bodies: Readonly<Record<string, object>> = { pause: {}, resume: {}, cancel: { reason: 'over' } }
/** Two of them end a charge at once. */
const codes = ['AC06', 'AM02', 'DTNT', 'AC05', 'DENC']

const subscribe = async ({ dice, call, bank, planIds, subscriptions }: SoakShop): Promise<string> => {
  const isLater = dice.oneIn(2)
  const { status, body } = await call('POST', '/v1/subscriptions', {
    planId: planIds[dice.below(planIds.length)],
    customer: { name: 'Carla Dias', document: '11144477735', email: 'carla@example.com' },
    method: 'PIX',
    pixAutomatic: {},
    ...(isLater && { startAt: addDays(dayOf(bank.clock.nowMs()), 1 + dice.below(4)) }),
    ...(dice.oneIn(3) && { couponCode: 'DEZ' }),
  })
  if (status === 201) subscriptions.push(body.id)
  return `subscription ${status}`
}
