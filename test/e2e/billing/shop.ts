import { type Call, newMerchant, posted, type Service, until } from '../service.ts'
import { newSplitRule } from '../shares.ts'
import { coupons, type Kind, kinds, plansWith } from './kinds.ts'

/** Of each kind so many subscriptions. */
const copies = 10

/**
 * A Sandbox company with subscriptions of every kind, opened at a moment that its clock is moved to: two shops of one
 * moment have the same dates. A subscription is known by its `metadata.name`. Answers the secret of the shop's key: after a
 * restart the service has another address, but the same keys.
 */
export const openShop = async (service: Service, openedAtMs: number): Promise<string> => {
  const scopes =
    'charges.create,charges.read,transactions.read,subscriptions.read,subscriptions.manage,marketplace.manage'
  const { key, call } = await newMerchant(service, { scopes })
  await advanceTo(call, openedAtMs)
  const planIds: Record<string, string> = {}
  for (const [name, plan] of Object.entries(plansWith(await newSplitRule(call))))
    planIds[name] = (await posted(call, '/v1/plans', plan)).id
  for (const coupon of coupons) await posted(call, '/v1/coupons', coupon)
  await Promise.all(kinds.map((kind) => subscribe(call, kind, planIds, openedAtMs)))
  return key.secret
}

/**
 * Moves the clock, and resolves when everything has happened that is due until then: on a slow machine that is after the
 * answer. Where it is there already, nothing.
 */
export const advanceTo = async (call: Call, toMs: number): Promise<void> => {
  if ((await clockOf(call)).nowMs < toMs)
    await posted(call, '/v1/sandbox/clock/advance', { to: instant(toMs) })
  await arrived(call)
}

/** Resolves when the clock does not advance any more. */
export const arrived = (call: Call): Promise<void> =>
  until(async () => (await clockOf(call)).status === 'IDLE')

export const clockOf = async (
  call: Call,
): Promise<{
  readonly nowMs: number
  readonly status: 'IDLE' | 'ADVANCING'
  /** NaN for none. */
  readonly targetMs: number
}> => {
  const { now, status, target } = (await call('GET', '/v1/sandbox/clock')).body
  return { nowMs: Date.parse(now), status, targetMs: Date.parse(target) }
}

const subscribe = async (
  call: Call,
  { name, plan, startsInDays, next, ...kind }: Kind,
  planIds: Readonly<Record<string, string>>,
  openedAtMs: number,
): Promise<void> => {
  const startAt = startsInDays && instant(openedAtMs + startsInDays * 86_400_000).slice(0, 10)
  for (let n = 0; n < copies; n++) {
    // Some customers have subscriptions of every kind, others have this one.
    const isKnown = kind.method === 'BOLETO' || n % 2 === 0
    const document = documents[n % documents.length]
    const { id } = await posted(call, '/v1/subscriptions', {
      ...kind,
      ...(startAt && { startAt }),
      planId: planIds[plan],
      customer: isKnown ? { name: 'Regular', document } : { name: 'Newcomer' },
      metadata: { ...kind.metadata, name: `${name} ${n}` },
    })
    const path = `/v1/subscriptions/${id}`
    if (next === 'ends') await posted(call, `${path}/cancel`, { reason: 'moved', atPeriodEnd: true })
    if (next === 'changes')
      await posted(call, `${path}/change-plan`, { planId: planIds.dear, effective: 'PERIOD_END' })
  }
}

const instant = (atMs: number): string => new Date(atMs).toISOString()

const documents = ['12345678909', '52998224725', '11222333000181']
