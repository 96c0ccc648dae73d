import type { PayoutRequest } from '../../../engine/marketplace/payout-request.ts'
import type { ProviderAnswer } from '../../../engine/payments/provider.ts'
import type { SplitRuleId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { happened } from '../billing/catalog.ts'
import { connectionIdOf } from '../connections/live.ts'
import { ana, bia } from '../money-out/transfer-story.ts'
import { aCardPayment, aCharge, account, aPayment, aRefund, askSandbox, ours, type World } from '../world.ts'
import { aRecipient, aRule, percent } from './fixtures.ts'

const slowBankCode = '999'

/** Of one bank the first question stays without an answer. */
export const slowBank = (): ((request: PayoutRequest) => Promise<ProviderAnswer>) => {
  const asked = new Set<string>()
  return async (request) => {
    const isFirst = !asked.has(request.reference)
    asked.add(request.reference)
    return isFirst && request.bank.bankCode === slowBankCode ? { type: 'SILENT' } : askSandbox(request)
  }
}

/** Recipients, rules and transfers in whose lives every fact of theirs occurs, where the bank is `slowBank`. */
export const everySplitFact = async (world: World): Promise<void> => {
  const [seller, slow, refused, unused] = [
    aRecipient(),
    aRecipient(slowBankCode),
    aRecipient('000'),
    aRecipient(),
  ]
  for (const recipient of [seller, slow, refused, unused]) await world.execute(recipient)
  await world.execute({
    type: 'ChangeRecipient',
    ...ours,
    recipientId: seller.recipientId,
    changes: { email: 'vendas@example.com', bank: { branch: '4321' } },
  })
  await world.execute({ type: 'RemoveRecipient', ...ours, recipientId: unused.recipientId })
  const rule = aRule(
    percent(seller.recipientId, 5000, { chargeFees: true }),
    percent(slow.recipientId, 2000),
    percent(refused.recipientId, 1000),
    percent(null, 2000, { chargeRemainder: true }),
  )
  const other = aRule(percent(seller.recipientId, 1000), percent(null, 9000))
  for (const command of [rule, other]) await world.execute(command)
  const { ruleId } = rule
  await world.execute({
    type: 'ChangeSplitRule',
    ...ours,
    ruleId,
    changes: { name: 'São João', metadata: { a: 1 } },
  })
  await world.execute({ type: 'RemoveSplitRule', ...ours, ruleId: other.ruleId })
  await paidAndTakenBack(world, ruleId)
  numberedCall(world)
  await world.advance('PT1H')
  onlyByConnections(world)
}

/** The Sandbox's bank has no numbers of its own for what it was asked. */
const numberedCall = (world: World): void => {
  const { states } = world.memory.list(account, 'splitTransfer', { offset: 0, limit: 99 })
  const { id, call } = states.find(({ call }) => call !== null)!
  const fact = { actor: 'splitTransfer', type: 'TransferNumbered', id, atMs: world.now() } as const
  happened(world, { ...fact, callId: call!.id, bankNumber: '7b1c4f0e-2a51-4c11-9d0b-6f1f4e1f2a77' })
}

/** The Sandbox has a bank of its own at all times, which neither returns money nor takes any. */
const onlyByConnections = (world: World): void => {
  const { id } = world.memory.list(account, 'splitTransfer', { offset: 0, limit: 1 }).states[0]!
  const fact = { actor: 'splitTransfer', id, atMs: world.now() } as const
  const route = { connectionId: connectionIdOf(1), providerId: 'a-bank', reason: 'PRIMARY' } as const
  happened(world, { ...fact, type: 'TransferWaiting', untilMs: world.now() })
  happened(world, { ...fact, type: 'RouteChosen', route })
  happened(world, { ...fact, type: 'TransferIdentified', railId: `E${'8'.repeat(31)}` })
  happened(world, { ...fact, type: 'TransferCharged', tariffCents: toCents(0) })
  happened(world, { ...fact, type: 'OutcomeLost' })
  const declaration = { outcome: 'NOT_SENT', endToEndId: null, reason: 'nada no extrato' } as const
  happened(world, { ...fact, type: 'OutcomeDeclared', by: ana, declaration })
  happened(world, { ...fact, type: 'OutcomeConfirmed', by: bia })
  const found = { callNumber: 1, amountCents: toCents(0), railId: null, completes: false }
  happened(world, { ...fact, type: 'UnsentFound', ...found })
  const part = { id: `D${'8'.repeat(31)}`, amountCents: toCents(0), atMs: world.now() }
  happened(world, { ...fact, type: 'TransferCameBack', part })
}

/** What a PIX had brought is taken back from who was paid; what a card will bring is not paid. */
const paidAndTakenBack = async (world: World, splitRuleId: SplitRuleId): Promise<void> => {
  const charge = await world.accepted(aCharge({ amountCents: toCents(10_000), splitRuleId }))
  await world.execute(aPayment(charge.id))
  await world.execute(aRefund(charge.id, 3000))
  const payment = await world.accepted(aCardPayment({ installments: 2 }, { splitRuleId }))
  await world.execute(aRefund(payment.id, 1000))
  await world.execute(aRefund(payment.id))
}
