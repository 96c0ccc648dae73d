import t from 'tap'
import type { Account } from '../../../engine/ledger/account.ts'
import { withdrawableOf } from '../../../engine/ledger/withdrawable.ts'
import { aCardPayment, aRefund } from '../world.ts'
import { type Market, marketplace } from './fixtures.ts'

/** The accounts right after each settlement, before anything is moved to recipients. */
const settled = (market: Market): readonly Account[] =>
  market.told.flatMap(({ steps }) =>
    steps.flatMap(({ event, after }) => (event.type === 'SettlementCompleted' ? [after as Account] : [])),
  )

t.test('shares that have settled cannot be sent away before they are moved', async (t) => {
  const market = await marketplace()
  await market.accepted(aCardPayment({ installments: 2 }, { splitRuleId: market.rule }))
  const shares = Object.values(market.account().sharesToCome!)
  t.strictSame(shares.toSorted(), [3800, 3801], 'of each settlement to come')
  await market.advance('P70D')
  for (const account of settled(market)) {
    const shares = account.sharesUnmoved!
    t.ok(shares > 0n)
    t.equal(withdrawableOf(account), account.balances.available - shares)
  }
  t.equal(settled(market).length, 2)
  t.match(market.account(), { sharesToCome: {}, sharesUnmoved: 0n })
  t.equal(withdrawableOf(market.account()), market.account().balances.available)
})

t.test('what reversals take is awaited no more', async (t) => {
  const market = await marketplace()
  const { id } = await market.accepted(aCardPayment({}, { splitRuleId: market.rule }))
  const [before] = Object.values(market.account().sharesToCome!)
  await market.execute(aRefund(id, 5_000))
  const [half] = Object.values(market.account().sharesToCome!)
  t.ok(half! < before!)
  await market.execute(aRefund(id))
  t.strictSame(market.account().sharesToCome, {})
})
