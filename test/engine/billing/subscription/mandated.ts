import type { MandateReport, PlayMandateCharge } from '../../../../engine/billing/mandate/commands.ts'
import type { Mandate } from '../../../../engine/billing/mandate/mandate.ts'
import type { CreateSubscription } from '../../../../engine/billing/subscription/commands.ts'
import type { Subscription } from '../../../../engine/billing/subscription/subscription.ts'
import type { Command } from '../../../../engine/kernel/registry.ts'
import type { MandateId, SubscriptionId } from '../../../../engine/shared/ids.ts'
import { ours, type World } from '../../world.ts'
import { byPix, pays, type planned, subscribed, subscriptionOf } from './subscribing.ts'

/** Subscriptions that are collected by Pix Automático, as tests make them. */
export const automatic = { ...byPix, pixAutomatic: { journey: null, payerAccount: null } } as const

export const mandateOf = (world: World, id: SubscriptionId): Mandate =>
  world.memory.find('mandate', subscriptionOf(world, id).mandate!.id)!.state

export const aDecision = (mandateId: MandateId, change: Partial<MandateReport> = {}): Command => ({
  type: 'PlayMandate',
  ...ours,
  mandateId,
  status: 'ACTIVE',
  closedBy: null,
  code: null,
  maximumCents: null,
  ...change,
})

export const anOutcome = (
  mandateId: MandateId,
  result: PlayMandateCharge['result'],
  code: string | null = null,
): Command => ({ type: 'PlayMandateCharge', ...ours, mandateId, result, code })

/** A monthly subscription whose first invoice is paid on 20 November, and whose payer has authorized the next ones. */
export const mandated = async (
  world: World,
  terms: Parameters<typeof planned>[1] = {},
  change: Partial<CreateSubscription> = {},
): Promise<{ readonly id: SubscriptionId; readonly mandateId: MandateId }> => {
  const { id }: Subscription = await subscribed(world, terms, { ...automatic, ...change })
  const mandateId = mandateOf(world, id).id
  await pays(world, id)
  await world.execute(aDecision(mandateId))
  return { id, mandateId }
}
