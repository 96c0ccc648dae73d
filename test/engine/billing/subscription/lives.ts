import fc from 'fast-check'
import type { DunningPolicy } from '../../../../engine/billing/catalog/dunning.ts'
import type { PlanTerms } from '../../../../engine/billing/catalog/plan.ts'
import { type Invoice, isPayable } from '../../../../engine/billing/invoice/invoice.ts'
import type { Subscription } from '../../../../engine/billing/subscription/subscription.ts'
import { clockNow } from '../../../../engine/kernel/clock.ts'
import type { Command } from '../../../../engine/kernel/registry.ts'
import type { Reply } from '../../../../engine/kernel/reply.ts'
import type { Transaction } from '../../../../engine/payments/transaction/transaction.ts'
import type { InvoiceId, PlanId, SubscriptionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { plainProfile } from '../../profile.ts'
import { openService, type Service } from '../../properties/service.ts'
import { account, companyId, ours } from '../../world.ts'
import { aCoupon, aPlan, aPolicySet } from '../catalog.ts'
import { figureProblems, lifeProblems } from './promises.ts'
import {
  aCardOf,
  anEnd,
  aPause,
  aPlanChange,
  aResumption,
  aRetry,
  aSubscription,
  everyMethod,
} from './subscribing.ts'

/** Random lives of the subscriptions of one account, and what holds of all of them after every step. */
export type Life = { readonly steps: readonly LifeStep[] }

export type LifeStep =
  | {
      readonly do: 'create'
      readonly plan: number
      readonly method: number
      readonly card: number
      readonly coupon: number
      readonly customer: number
      readonly startIn: number
      /** Whether PIX and boletos are paid by themselves, two seconds after they were issued. */
      readonly paid: boolean
    }
  | { readonly do: 'advance'; readonly days: number; readonly hours: number }
  | { readonly do: 'reset' }
  | { readonly do: 'pay' | 'payLate' | 'cancelCharge'; readonly nth: number }
  | { readonly do: 'pause' | 'resume' | 'cancel' | 'cancelAtEnd'; readonly nth: number }
  | {
      readonly do: 'change'
      readonly nth: number
      readonly plan: number
      readonly effective: number
      readonly preview: boolean
    }
  | { readonly do: 'retry'; readonly nth: number; readonly means: number }
  | { readonly do: 'policy'; readonly policy: number }
  | { readonly do: 'clear' }
  | { readonly do: 'crash'; readonly kept: number }

const n = (max: number) => fc.integer({ min: 0, max })

const anyStep: fc.Arbitrary<LifeStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      plan: n(6),
      method: n(2),
      card: n(7),
      coupon: n(5),
      customer: n(2),
      startIn: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: n(20) }),
      paid: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('advance' as const), days: n(20), hours: n(23) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('pay' as const, 'payLate' as const), nth: n(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancelCharge' as const), nth: n(9) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'pause' as const,
        'pause' as const,
        'resume' as const,
        'resume' as const,
        'cancel' as const,
        'cancelAtEnd' as const,
      ),
      nth: n(9),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      nth: n(9),
      plan: n(6),
      effective: n(2),
      preview: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('retry' as const), nth: n(9), means: n(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('policy' as const), policy: n(4) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('crash' as const), kept: n(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('clear' as const, 'reset' as const) }) },
)

export const anyLife: fc.Arbitrary<Life> = fc.record({
  steps: fc.array(anyStep, { minLength: 10, maxLength: 40, size: 'max' }),
})

const plans: readonly Partial<PlanTerms>[] = [
  {},
  { amountCents: toCents(9900) },
  { amountCents: toCents(50_000), interval: 'YEAR' },
  { amountCents: toCents(1000), interval: 'WEEK', setupFeeCents: toCents(300) },
  { amountCents: toCents(700), interval: 'CUSTOM', intervalCount: 2 },
  { trialDays: 10, maxCycles: 3, amountCents: toCents(6000) },
  { interval: 'QUARTER', amountCents: toCents(1), maxCycles: 1 },
]

const tokens = [
  'tok_test_approved',
  'tok_approved_too',
  'tok_test_recurring_fail_1',
  'tok_test_recurring_fail_6',
  'tok_test_recurring_expires',
  'tok_test_declined_51',
  'tok_test_processing',
  'tok_test_timeout',
]

const policies: readonly DunningPolicy[] = [
  { enabled: true, retryDays: [1, 3, 5, 7], finalAction: 'SUSPEND', retryHour: 9 },
  { enabled: true, retryDays: [2], finalAction: 'CANCEL', retryHour: 0 },
  { enabled: true, retryDays: [], finalAction: 'SUSPEND', retryHour: 23 },
  { enabled: false, retryDays: [1], finalAction: 'KEEP_PAST_DUE', retryHour: 6 },
  { enabled: true, retryDays: [1, 2, 60], finalAction: 'KEEP_PAST_DUE', retryHour: 6 },
]

const customers = ['12345678909', '52998224725', null] as const

/** Lets a life happen, and throws where something does not hold. */
export const live = async ({ steps }: Life): Promise<void> => {
  const service = openService(account, Date.UTC(2026, 10, 20, 12))
  const tell = (command: Command): Promise<Reply | null> => told(service, command)
  await tell({
    type: 'OpenAccount',
    ...ours,
    profile: {
      companyId,
      environment: 'SANDBOX',
      name: 'Loja Demo',
      city: 'Sao Paulo',
      timeZone: 'America/Sao_Paulo',
      ...plainProfile,
    },
  })
  const sold = plans.map((terms) => aPlan({ methods: everyMethod, ...terms }))
  const planIds = sold.map(({ planId }) => planId)
  const offers = [
    aCoupon({ maxRedemptions: 2, maxRedemptionsPerCustomer: null }),
    aCoupon({ percentBps: 3333, duration: 'FOREVER', cycles: null, maxRedemptionsPerCustomer: null }),
    aCoupon({ percentBps: null, amountOffCents: toCents(5000), duration: 'REPEATING', cycles: 2 }),
    aCoupon({ percentBps: 10_000, duration: 'REPEATING', cycles: 3, planIds: [planIds[0]!, planIds[4]!] }),
  ]
  const catalog = [...sold, ...offers]
  for (const command of catalog) await tell(command)
  for (const [place, step] of steps.entries()) {
    try {
      await act(
        service,
        step,
        planIds,
        offers.map(({ coupon }) => coupon.code),
        catalog,
      )
      demand(service)
    } catch (error) {
      throw new Error(`after step ${place + 1}, ${JSON.stringify(step)}: ${textOf(error)}`, { cause: error })
    }
  }
  try {
    for (let months = 0; months < 6; months++) {
      await tell({ type: 'AdvanceClock', ...ours, step: { by: 'P35D' } })
      demand(service)
    }
  } catch (error) {
    throw new Error(`in the end: ${textOf(error)}`, { cause: error })
  }
}

const act = async (
  service: Service,
  step: LifeStep,
  planIds: readonly PlanId[],
  codes: readonly string[],
  catalog: readonly Command[],
): Promise<void> => {
  const tell = (command: Command): Promise<Reply | null> => told(service, command)
  /** Mostly one that can be changed so: refusals are told soon. */
  const subscription = (
    nth: number,
    statuses: readonly Subscription['status'][],
  ): Subscription | undefined => {
    const all = listed<Subscription>(service, 'subscription')
    const able = nth === 0 ? all : all.filter(({ status }) => statuses.includes(status))
    return able[nth % Math.max(1, able.length)]
  }
  switch (step.do) {
    case 'create': {
      const method = everyMethod[step.method]!
      const document = customers[step.customer]!
      const atMs = clockOf(service) + step.startIn * 86_400_000
      await tell(
        aSubscription(planIds[step.plan]!, {
          method,
          card: method === 'CREDIT_CARD' ? aCardOf(tokens[step.card]!) : null,
          customer: {
            name: 'Ana',
            document,
            documentType: document === null ? null : 'CPF',
            email: null,
            phone: null,
            address: null,
          },
          couponCode: codes[step.coupon] ?? null,
          metadata: step.paid && method !== 'CREDIT_CARD' ? { sandboxScenario: 'paid' } : {},
          startOn: step.startIn === 0 ? null : (new Date(atMs).toISOString().slice(0, 10) as never),
        }),
      )
      return
    }
    case 'advance':
      await tell({ type: 'AdvanceClock', ...ours, step: { by: `P${step.days}DT${step.hours}H` } })
      return
    case 'reset':
      await tell({ type: 'ResetClock', ...ours })
      return
    case 'pay':
    case 'payLate': {
      const charge = openCharge(service, step.nth)
      if (charge === undefined) return
      const { id: transactionId } = charge
      if (charge.method === 'PIX')
        await tell({ type: 'ReceivePix', ...ours, transactionId, amountCents: null, payer: null })
      else
        await tell({
          type: 'PayBoleto',
          ...ours,
          transactionId,
          amountCents: null,
          paidAtMs: null,
          clearing: step.do === 'pay' ? 'IMMEDIATE' : 'NEXT_BUSINESS_DAY',
        })
      return
    }
    case 'cancelCharge': {
      const charge = openCharge(service, step.nth)
      if (charge === undefined) return
      await tell({ type: 'CancelCharge', ...ours, transactionId: charge.id, family: null, reason: null })
      return
    }
    case 'policy':
      await tell(aPolicySet(null, policies[step.policy]!))
      return
    case 'crash': {
      // What is under way is lost, but for what came to the disk.
      const [planId] = planIds
      await service.tell(aSubscription(planId!, { couponCode: codes[1]! }), () => undefined)
      const retried = listed<Invoice>(service, 'invoice').find(isPayable)
      if (retried !== undefined) await service.tell(aRetry(retried.id), () => undefined)
      await service.crash(step.kept)
      await rest(service)
      return
    }
    case 'clear':
      await tell({ type: 'ClearSandbox', ...ours })
      for (const command of catalog) await tell(command)
      return
    case 'retry': {
      const invoices = listed<Invoice>(service, 'invoice').filter(isPayable)
      const invoice = invoices[step.nth % Math.max(1, invoices.length)]
      if (invoice === undefined) return
      const means = [
        {},
        { method: 'PIX' },
        { method: 'BOLETO' },
        ...[tokens[0]!, tokens[4]!, tokens[6]!].map(ofCard),
      ][step.means]!
      await tell(aRetry(invoice.id as InvoiceId, means as object))
      return
    }
    default: {
      const about = subscription(step.nth, step.do === 'resume' ? asleep : awake)
      if (about !== undefined) await tell(changeOf(step, about.id, planIds))
    }
  }
}

const asleep = ['PAUSED', 'SUSPENDED'] as const
const awake = ['ACTIVE', 'TRIALING', 'PAST_DUE'] as const

const ofCard = (token: string) => ({ method: 'CREDIT_CARD', card: aCardOf(token) })

type Change = Extract<LifeStep, { readonly do: 'pause' | 'resume' | 'cancel' | 'cancelAtEnd' | 'change' }>

const changeOf = (step: Change, id: SubscriptionId, planIds: readonly PlanId[]): Command => {
  switch (step.do) {
    case 'pause':
      return aPause(id)
    case 'resume':
      return aResumption(id)
    case 'cancel':
      return anEnd(id)
    case 'cancelAtEnd':
      return anEnd(id, { atPeriodEnd: true })
    case 'change':
      return aPlanChange(id, planIds[step.plan]!, {
        effective: (['AUTO', 'NOW', 'PERIOD_END'] as const)[step.effective]!,
        isPreview: step.preview,
      })
  }
}

const told = async (service: Service, command: Command): Promise<Reply | null> => {
  let reply: Reply | null = null
  await service.tell(command, (answer) => {
    reply = answer
  })
  await rest(service)
  return reply
}

/** Ticks as a service does all the time: what a provider answers can make more work due. */
const rest = async (service: Service): Promise<void> => {
  const isDue = (): boolean => service.memory().dueTimer(account, clockOf(service)) !== undefined
  for (let ticks = 0; ticks === 0 || (isDue() && ticks < ticksMax); ticks++) {
    await service.settle()
    service.shard().tick()
    await service.settle()
  }
}

const ticksMax = 20

const listed = <State>(
  service: Service,
  kind: 'subscription' | 'invoice' | 'transaction',
): readonly State[] =>
  service
    .memory()
    .list(account, kind, { offset: 0, limit: 10_000 })
    .states.toReversed() as unknown as readonly State[]

const openCharge = (service: Service, nth: number): Transaction | undefined => {
  const open = listed<Transaction>(service, 'transaction').filter(({ status }) => status === 'PENDING')
  return open[nth % Math.max(1, open.length)]
}

const clockOf = (service: Service): number =>
  clockNow(service.memory().find('account', account)!.state, service.now())

const demand = (service: Service): void => {
  const subscriptions = listed<Subscription>(service, 'subscription')
  const problems = [
    ...lifeProblems(
      service,
      subscriptions,
      listed<Invoice>(service, 'invoice').toSorted((a, b) => a.number - b.number),
      listed(service, 'transaction'),
    ),
    ...figureProblems(service, subscriptions),
    ...service.replayProblems(),
  ]
  const due = service.memory().dueTimer(account, clockOf(service))
  if (due !== undefined) problems.push(`${due.command.type} is due and does not happen`)
  if (problems.length > 0) throw new Error(problems.slice(0, 5).join('; '))
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
