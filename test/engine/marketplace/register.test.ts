import t from 'tap'
import type { Answers } from '../../../engine/kernel/registry.ts'
import type { SimulateSplit } from '../../../engine/marketplace/queries.ts'
import { newId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { simulation } from '../../../gateway/resources/marketplace/split-simulation.ts'
import { aPlan } from '../billing/catalog.ts'
import { aCardPayment, aCharge, account, aPayment, refusalOf, seeded } from '../world.ts'
import { aRecipient, aRule, fixed, type Market, marketplace, percent } from './fixtures.ts'

const found = (market: Market) =>
  market.shard.query({ type: 'FindRecipient', accountId: account, recipientId: market.seller })
const foundRule = (market: Market) =>
  market.shard.query({ type: 'FindSplitRule', accountId: account, ruleId: market.rule })

t.test('a charge is refused whose rule is unknown or inactive, or asks for more than there is', async (t) => {
  const market = await marketplace()
  const unknown = newId('spr', 0, seeded(3))
  t.strictSame(await refusalOf(market, aCharge({ splitRuleId: unknown })), {
    reason: 'REFERENCE_NOT_FOUND',
    field: 'splitRuleId',
  })
  const dear = aRule(percent(market.seller, 5000), fixed(null, 1000))
  await market.execute(dear)
  t.match(await refusalOf(market, aCharge({ splitRuleId: dear.ruleId, amountCents: toCents(1998) })), {
    reason: 'SPLIT_EXCEEDS_AMOUNT',
  })
  t.equal(
    await refusalOf(market, aCharge({ splitRuleId: dear.ruleId, amountCents: toCents(1999) })),
    'accepted',
  )
  const { ours, rule: ruleId, seller: recipientId } = market
  await market.execute({ ...ours, type: 'ChangeRecipient', recipientId, changes: { isActive: false } })
  t.match(await refusalOf(market, aCharge({ splitRuleId: ruleId })), {
    reason: 'RECIPIENT_INACTIVE',
    recipientId,
  })
  await market.execute({ ...ours, type: 'ChangeSplitRule', ruleId, changes: { isActive: false } })
  t.match(await refusalOf(market, aCardPayment({}, { splitRuleId: ruleId })), {
    reason: 'SPLIT_RULE_INACTIVE',
  })
})

t.test('a rule needs recipients that are there and active', async (t) => {
  const market = await marketplace()
  const { ours, rule: ruleId, seller } = market
  const nobody = newId('rcp', 0, seeded(3))
  const wrong = [percent(seller, 100), percent(nobody, 100)]
  t.match(await refusalOf(market, aRule(...wrong)), {
    reason: 'REFERENCE_NOT_FOUND',
    field: 'items[1].recipientId',
  })
  t.match(await refusalOf(market, { ...ours, type: 'ChangeSplitRule', ruleId, changes: { items: wrong } }), {
    reason: 'REFERENCE_NOT_FOUND',
  })
  await market.execute({
    ...ours,
    type: 'ChangeRecipient',
    recipientId: seller,
    changes: { isActive: false },
  })
  t.match(await refusalOf(market, aRule(percent(seller, 1), percent(null, 1))), {
    reason: 'RECIPIENT_INACTIVE',
  })
})

t.test('what is in use is only deactivated; what is not is gone', async (t) => {
  const market = await marketplace()
  const { ours, rule: ruleId, seller: recipientId } = market
  const removesRecipient = { ...ours, type: 'RemoveRecipient', recipientId } as const
  const removesRule = { ...ours, type: 'RemoveSplitRule', ruleId } as const
  t.equal(await refusalOf(market, removesRecipient), 'accepted')
  t.match(await found(market), { isActive: false, isRemoved: false }, 'a rule names it')
  await market.execute({ ...ours, type: 'ChangeRecipient', recipientId, changes: { isActive: true } })
  t.equal(await refusalOf(market, removesRule), 'accepted')
  t.equal(await foundRule(market), null, 'no charge ever took it')
  t.match(await refusalOf(market, removesRule), { reason: 'NOT_FOUND', resource: 'split_rule' })
  t.equal(await refusalOf(market, removesRecipient), 'accepted')
  t.equal(await found(market), null)
  t.match(await refusalOf(market, removesRecipient), { reason: 'NOT_FOUND', resource: 'recipient' })
  const paging = { page: 1, pageSize: 10, asOf: null, from: null, to: null, active: null }
  const filters = { ids: [], document: null, search: null }
  const listed = await market.shard.query({
    type: 'ListRecipients',
    accountId: account,
    ...paging,
    ...filters,
  })
  t.equal(listed.total, 0)
})

t.test('a rule that a charge took, and a recipient who got money, stay', async (t) => {
  const market = await marketplace()
  const { ours, rule: ruleId, seller: recipientId } = market
  const { id } = await market.accepted(aCharge({ splitRuleId: ruleId }))
  t.match(await foundRule(market), { usedCount: 1 })
  const removesRule = { ...ours, type: 'RemoveSplitRule', ruleId } as const
  await market.execute(removesRule)
  t.match(await foundRule(market), { isActive: false, isRemoved: false })
  const before = market.journal.appended()
  t.equal(await refusalOf(market, removesRule), 'accepted')
  t.equal(market.journal.appended(), before, 'again: nothing changes')
  await market.execute(aPayment(id))
  const items = [percent(null, 100), fixed(null, 1)]
  await market.execute({ ...ours, type: 'ChangeSplitRule', ruleId, changes: { items } })
  t.match(await found(market), { rulesCount: 0 })
  await market.execute({ ...ours, type: 'RemoveRecipient', recipientId })
  t.match(await found(market), { isActive: false, isRemoved: false })
})

t.test('a plan takes a rule as a charge does', async (t) => {
  const market = await marketplace()
  const { ours, rule: ruleId } = market
  const plan = aPlan({ splitRuleId: ruleId })
  t.equal(await refusalOf(market, plan), 'accepted')
  t.match(await foundRule(market), { usedCount: 1 })
  await market.execute({ ...ours, type: 'RemoveSplitRule', ruleId })
  t.match(await foundRule(market), { isActive: false, isRemoved: false })
  t.match(await refusalOf(market, aPlan({ splitRuleId: ruleId })), { reason: 'SPLIT_RULE_INACTIVE' })
})

t.test('a busy rule and recipient are what they were, however few of their facts are read', async (t) => {
  const market = await marketplace()
  for (let n = 0; n < 150; n++) {
    const { id } = await market.accepted(aCharge({ splitRuleId: market.rule }))
    await market.execute(aPayment(id))
  }
  t.match(await foundRule(market), { usedCount: 150 })
  const { openMemory } = await import('../../../persistence/shard/memory.ts')
  const { emptyStore } = await import('../../../persistence/snapshot/store.ts')
  const { applyEntry } = await import('../../../engine/engine.ts')
  const reads: number[] = []
  const cold = openMemory(
    emptyStore(),
    {
      ...market.journal,
      appended: () => 0,
      at: (sequence) => {
        reads.push(sequence)
        return market.journal.at(sequence)
      },
    },
    { hotStates: 1 },
  )
  for (const { sequence, record } of market.journal.replay(0)) applyEntry(cold, sequence, record)
  for (const [kind, id] of [
    ['splitRule', market.rule],
    ['recipient', market.seller],
  ] as const) {
    cold.find('splitTransfer', market.transfers()[0]!.id)
    reads.length = 0
    t.strictSame(cold.find(kind, id), market.memory.find(kind, id))
    t.ok(reads.length < 140, `${kind}: ${reads.length} reads`)
  }
})

t.test('a simulation divides as a charge does', async (t) => {
  const market = await marketplace()
  const simulate = async (change: Partial<SimulateSplit>) => {
    const asked: SimulateSplit = {
      type: 'SimulateSplit',
      accountId: account,
      amountCents: toCents(10_000),
      divideBy: { ruleId: market.rule },
      method: 'CREDIT_CARD',
      installments: 3,
      brand: 'VISA',
      feeCents: null,
      ...change,
    }
    return (await market.shard.query(asked)) as Answers['SimulateSplit']
  }
  const simulated = await simulate({})
  t.notOk('reason' in simulated)
  const view = simulation.view(simulated as Exclude<typeof simulated, { reason: string }>)
  const { id } = await market.accepted(aCardPayment({ installments: 3 }, { splitRuleId: market.rule }))
  const rows = market.transaction(id).receivables
  t.strictSame(
    view.items.flatMap(({ recipientId, installments }) =>
      installments.map((row) => [
        recipientId,
        row.installment,
        row.grossAmount,
        row.feeAmount,
        row.expectedOn,
      ]),
    ),
    [market.seller, null].flatMap((party) =>
      rows
        .filter(({ recipientId }) => recipientId === party)
        .map((row) => [party, row.installment, String(row.grossCents), String(row.feeCents), row.expectedOn]),
    ),
  )
  t.match(await simulate({ divideBy: { ruleId: newId('spr', 0, seeded(5)) } }), {
    reason: 'REFERENCE_NOT_FOUND',
    field: 'ruleId',
  })
  t.match(await simulate({ divideBy: { items: [fixed(market.seller, 10_001), percent(null, 1)] } }), {
    reason: 'SPLIT_EXCEEDS_AMOUNT',
  })
  t.match(await simulate({ divideBy: { items: [percent(aRecipient().recipientId, 1), percent(null, 1)] } }), {
    reason: 'REFERENCE_NOT_FOUND',
  })
})
