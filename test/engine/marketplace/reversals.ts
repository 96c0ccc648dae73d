import fc from 'fast-check'
import type { Command } from '../../../engine/kernel/registry.ts'
import { divide, exceeds } from '../../../engine/ledger/divide.ts'
import type { SplitItem } from '../../../engine/ledger/split.ts'
import type { RecipientId } from '../../../engine/shared/ids.ts'
import { allocate, toCents } from '../../../engine/shared/money.ts'
import { usualFee } from '../profile.ts'
import { aChargeback, aMed, aMedDecision } from '../story.ts'
import {
  aCardPayment,
  aCharge,
  account,
  anUnrequestedPix,
  aPayment,
  aRefund,
  newWorld,
  ours,
} from '../world.ts'
import { aRecipient, aRule, fixed, percent } from './fixtures.ts'

/** Divided payments that go back altogether, in as many parts as chance wants. */
export type Party = {
  /** Thousandths of the amount, or (`isFixed`) centavos. */
  readonly part: number
  readonly isFixed: boolean
  readonly chargeFees: boolean
  /** Its bank refuses everything. */
  readonly isRefused: boolean
}

export type Reversed = {
  readonly method: 'PIX' | 'CREDIT_CARD'
  readonly cents: number
  readonly installments: number
  readonly parties: readonly Party[]
  readonly company: 'unnamed' | 'pays fees' | 'takes the rest'
  readonly steps: readonly Step[]
}

/** So many days after the step before it. */
export type Step = { readonly days: number; readonly what: 'contested' | 'taken' | 'refunded' | number }

/** All of it at once, when its last part would go back. */
export const atOnce = (payment: Reversed): Reversed => ({
  ...payment,
  steps: [{ days: sum(payment.steps.map(({ days }) => days)), what: 'refunded' }],
})

const anyParty: fc.Arbitrary<Party> = fc.record({
  part: fc.integer({ min: 1, max: 1000 }),
  isFixed: fc.boolean(),
  chargeFees: fc.boolean(),
  isRefused: fc.nat({ max: 9 }).map((n) => n === 0),
})

const anyPart = fc.record({
  weight: fc.integer({ min: 1, max: 1000 }),
  days: fc.constantFrom(0, 0, 1),
})

/** Refunds, and at last what is left: as a refund, or taken by a chargeback or a MED. One more of these may come to nothing. */
export const anyReversed: fc.Arbitrary<Reversed> = fc
  .record({
    method: fc.constantFrom('PIX', 'CREDIT_CARD', 'CREDIT_CARD'),
    cents: fc.oneof(
      fc.integer({ min: 13, max: 300 }),
      fc.integer({ min: 300, max: 30_000 }),
      fc.constant(999_999_999_999),
    ),
    installments: fc.integer({ min: 1, max: 12 }),
    parties: fc.array(anyParty, { minLength: 2, maxLength: 4 }),
    company: fc.constantFrom('unnamed', 'pays fees', 'takes the rest'),
    /** Days before the first part: some instalments are settled by then. A MED has 80 days. */
    restDays: fc.constantFrom(0, 0, 2, 29, 60),
    parts: fc.array(anyPart, { minLength: 2, maxLength: 12 }),
    contested: fc.option(fc.nat({ max: 11 })),
    isTaken: fc.boolean(),
  })
  .map(({ restDays, parts, contested, isTaken, ...payment }): Reversed => {
    const weights = parts.map(({ weight }) => toCents(weight))
    const amounts = allocate(toCents(payment.cents), weights)
    const refunds = amounts.flatMap((what, n): Step[] => (what > 0 ? [{ days: parts[n]!.days, what }] : []))
    const last = { days: 0, what: isTaken ? 'taken' : 'refunded' } as const
    const steps: Step[] = [...refunds.slice(0, -1), last]
    // A payment has one chargeback.
    if (contested !== null && !(isTaken && payment.method === 'CREDIT_CARD'))
      steps.splice(contested % steps.length, 0, { days: 0, what: 'contested' })
    return { ...payment, steps: steps.map((step, n) => (n === 0 ? { ...step, days: restDays } : step)) }
  })
  .filter(({ cents, parties, company }) => !exceeds(itemsOf(parties, company, nth), toCents(cents)))

const nth = (n: number): RecipientId => `rcp_${n}` as RecipientId

const itemsOf = (
  parties: readonly Party[],
  company: Reversed['company'],
  recipientOf: (n: number) => RecipientId,
): readonly SplitItem[] => {
  const items = parties.map(({ part, isFixed, chargeFees }, n) => {
    const change = { chargeFees, priority: n + 2 }
    const bps = Math.max(1, Math.floor((part * 10) / parties.length) - 1)
    return isFixed ? fixed(recipientOf(n), part, change) : percent(recipientOf(n), bps, change)
  })
  if (company === 'unnamed') return items
  const change = { chargeFees: company === 'pays fees', chargeRemainder: company === 'takes the rest' }
  return [percent(null, 1, { priority: 1, ...change }), ...items]
}

/** What is left to the company, and to each recipient what was paid and is owed, when everything is over. */
export type Positions = readonly [company: number, ...recipients: number[]]

/** Nothing, but for the fee of a PIX: it is kept, and who paid it bears it. */
export const positionsBy = ({ method, cents, parties, company }: Reversed): Positions => {
  if (method === 'CREDIT_CARD') return [0, ...parties.map(() => 0)]
  const { shares } = divide(itemsOf(parties, company, nth), toCents(cents), usualFee(cents, 'PIX'))
  const feeOf = (party: RecipientId | null): number =>
    shares.find(({ partyId }) => partyId === party)!.feeCents
  return [-feeOf(null) || 0, ...parties.map((_, n) => -feeOf(nth(n)) || 0)]
}

/** What the books say after all of it has happened. */
export const positionsAfter = async (payment: Reversed): Promise<Positions> => {
  const { method, cents, installments, parties, company, steps } = payment
  const world = newWorld()
  await world.open()
  const recipients = parties.map(({ isRefused }) => aRecipient(isRefused ? '000' : '341'))
  for (const recipient of recipients) await world.execute(recipient)
  const rule = aRule(...itemsOf(parties, company, (n) => recipients[n]!.recipientId))
  await world.accepted(rule)
  // A bank blocks no more than there is: what recipients were paid is not there.
  const beside = method === 'PIX' ? cents : 0
  if (method === 'PIX')
    await world.accepted({ ...anUnrequestedPix(), amountCents: toCents(cents) } as Command)
  const terms = { amountCents: toCents(cents), splitRuleId: rule.ruleId }
  const { id } = await world.accepted(
    method === 'PIX' ? aCharge(terms) : aCardPayment({ installments }, terms),
  )
  if (method === 'PIX') await world.accepted(aPayment(id))
  for (const { days, what } of steps) {
    if (days > 0) await world.advance(`P${days}D`)
    if (what === 'refunded') await world.accepted(aRefund(id))
    else if (typeof what === 'number') await world.accepted(aRefund(id, what))
    else if (method === 'PIX') {
      const { reversals } = await world.accepted(aMed(id))
      await world.accepted(
        aMedDecision(reversals.meds.at(-1)!.id, what === 'taken' ? 'ACCEPTED' : 'CANCELLED'),
      )
    } else {
      const { reversals } = await world.accepted(aChargeback(id))
      const reversalId = reversals.chargebacks[0]!.id
      await world.accepted({
        ...ours,
        type: 'DisputeChargeback',
        reversalId,
        text: 'it was delivered on time',
      })
      const result = what === 'taken' ? 'LOST' : 'WON'
      await world.accepted({ ...ours, type: 'ResolveChargeback', reversalId, result })
    }
  }
  await world.advance('P400D')
  const { available, blocked, receivable } = world.account().balances
  const transfers = world.memory.list(account, 'splitTransfer', { offset: 0, limit: 10_000 }).states
  const positionOf = (recipientId: RecipientId): number => {
    const paid = transfers.filter((one) => one.recipientId === recipientId && one.completedAtMs !== null)
    const { balanceCents } = world.memory.find('recipient', recipientId)!.state
    return balanceCents + sum(paid.map(({ dueCents }) => dueCents))
  }
  return [
    Number(available + blocked + receivable) - beside,
    ...recipients.map(({ recipientId }) => positionOf(recipientId)),
  ]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
