import t from 'tap'
import { convertedFrom, convertedTo } from '../../../engine/crypto/converting.ts'
import { toRateMicros } from '../../../engine/shared/asset.ts'
import type { DepositId, QuoteId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { paidPix } from '../story.ts'
import { opened, ours, refusalOf, type World } from '../world.ts'
import { aChargeOf, aConversion, aQuoteRequest, aTransfer, booksIn } from './crypto.ts'

const noTax = toCents(0)
const buying = {
  fromCurrency: 'BRL',
  toCurrency: 'USDT',
  rateMicros: toRateMicros(5_454_000),
  taxCents: noTax,
} as const
const selling = {
  fromCurrency: 'USDT',
  toCurrency: 'BRL',
  rateMicros: toRateMicros(5_346_000),
  taxCents: noTax,
} as const

t.test('the worked examples of the specification, to the unit', async (t) => {
  t.strictSame(convertedFrom(toCents(100_000), buying), {
    fromCents: 100_000,
    toCents: 182_893_289,
    feeCents: 250,
    taxCents: 0,
  })
  t.strictSame(convertedFrom(toCents(100_000_000), selling), {
    fromCents: 100_000_000,
    toCents: 53_326,
    feeCents: 134,
    taxCents: 0,
  })
  t.match(convertedTo(toCents(10_000_000), buying), {
    fromCents: 5_468,
    feeCents: 14,
    toCents: 10_000_000 + 0,
  })
})

t.test('by the amount that is bought it is the smallest that gives it', async (t) => {
  for (const pricing of [buying, selling])
    for (let wanted = 1; wanted < 4_000_000; wanted = Math.ceil(wanted * 1.37)) {
      const found = convertedTo(toCents(wanted), pricing)!
      t.ok(found.toCents >= wanted, `${wanted}`)
      const less = convertedFrom(toCents(found.fromCents - 1), pricing)
      t.ok(less === null || less.toCents < wanted, `${wanted}`)
      if (pricing === selling) t.equal(found.toCents, wanted, 'every centavo can be had')
    }
})

t.test('taxes are taken beside the fee', async (t) => {
  t.match(convertedFrom(toCents(100_000), { ...buying, taxCents: toCents(110) }), {
    taxCents: 110,
    toCents: Math.floor(((100_000 - 250 - 110) * 1e10) / 5_454_000),
  })
  t.match(convertedTo(toCents(500), { ...selling, taxCents: toCents(7) }), { toCents: 500, taxCents: 7 })
})

t.test('nothing comes of too little or too much', async (t) => {
  t.equal(convertedFrom(toCents(1), { ...buying, taxCents: toCents(1) }), null)
  t.equal(convertedFrom(toCents(1_870), selling), null, 'less than a centavo')
  t.equal(convertedFrom(toCents(1_000_000_000_000), buying), null)
  t.equal(convertedTo(toCents(999_999_999_999_999), buying), null)
})

const quoted = async (world: World, ...of: Parameters<typeof aQuoteRequest>): Promise<QuoteId> => {
  const command = aQuoteRequest(...of)
  await world.execute(command)
  return command.quoteId
}
const quoteOf = (world: World, id: QuoteId) => world.memory.find('conversionQuote', id)!.state

t.test(
  'reais become a stablecoin at the price of the quote, and the ledger sums to zero in each',
  async (t) => {
    const world = await opened()
    await paidPix(world)
    const id = await quoted(world, 'BRL', 'USDT', 5_000)
    t.match(quoteOf(world, id).given, {
      rateMicros: 5_454_000,
      midRateMicros: 5_400_000,
      spreadBps: 100,
      feeCents: 13,
      toCents: 9_143_747,
      expiresAtMs: world.now() + 30_000,
    })
    const command = aConversion(id)
    const reply = await world.execute(command)
    t.match(reply, { accepted: true, state: { status: 'COMPLETED', fromCents: 5_000, toCents: 9_143_747 } })
    t.strictSame(world.events(), ['conversion.completed'])
    t.strictSame(booksIn(world, 'BRL'), {
      payer: -10_000,
      available: 9_901 - 5_000,
      fees: 99 + 13,
      exchange: 4_987,
    })
    t.strictSame(booksIn(world, 'USDT'), { available: 9_143_747, exchange: -9_143_747 })
    t.match(await refusalOf(world, aConversion(id)), { reason: 'QUOTE_EXPIRED' }, 'once')

    const back = await quoted(world, 'USDT', 'BRL', 9_000_000)
    const sold = await world.execute(aConversion(back))
    t.match(sold, { state: { status: 'COMPLETED', fromCents: 9_000_000, toCents: 4_799, feeCents: 12 } })
    t.strictSame(booksIn(world, 'USDT'), { available: 143_747, exchange: -143_747 })
    t.strictSame(booksIn(world, 'BRL'), {
      payer: -10_000,
      available: 4_901 + 4_799,
      fees: 112 + 12,
      exchange: 4_987 - 4_811,
    })
  },
)

t.test('a quote holds for 30 seconds, for what is there', async (t) => {
  const world = await opened()
  const poor = await quoted(world, 'BRL', 'USDC', 5_000)
  t.match(await refusalOf(world, aConversion(poor)), { reason: 'INSUFFICIENT_BALANCE' })
  await paidPix(world)
  const late = await quoted(world, 'BRL', 'USDC', 5_000)
  world.pass(30_000)
  t.match(await refusalOf(world, aConversion(late)), { reason: 'QUOTE_EXPIRED' })
  t.match(await refusalOf(world, aConversion('qte_0' as QuoteId)), { reason: 'REFERENCE_NOT_FOUND' })
  const tiny = await quoted(world, 'USDT', 'BRL', 10)
  t.match(quoteOf(world, tiny), { given: null, failure: 'OUT_OF_RANGE' })
  t.match(await refusalOf(world, aConversion(tiny)), { reason: 'QUOTE_EXPIRED' })
})

t.test('the Sandbox has the price that it is given', async (t) => {
  const world = await opened()
  await world.execute({ type: 'ForceRate', ...ours, asset: 'USDT', rateMicros: toRateMicros(6_000_000) })
  t.match(await world.accepted(aChargeOf(1_000_000)), { means: { crypto: { quotedCents: 600 } } })
  const id = await quoted(world, 'BRL', 'USDT', 5_000)
  t.match(quoteOf(world, id).given, { rateMicros: 6_060_000 })
  await world.execute({ type: 'ClearSandbox', ...ours })
  t.match(await world.accepted(aChargeOf(1_000_000)), { means: { crypto: { quotedCents: 540 } } })
})

t.test('ten quotes a minute and person', async (t) => {
  const world = await opened()
  for (let n = 0; n < 10; n++) t.match(await refusalOf(world, aQuoteRequest('BRL', 'USDT', 100)), 'accepted')
  t.match(await refusalOf(world, aQuoteRequest('BRL', 'USDT', 100)), {
    reason: 'TOO_MANY_QUOTES',
    retryAfterSeconds: 60,
  })
  world.pass(60_000)
  t.match(await refusalOf(world, aQuoteRequest('BRL', 'USDT', 100)), 'accepted')
})

t.test('what fails gives the money back, and what takes its time keeps it blocked', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aChargeOf(10_000_000))
  await world.accepted(aTransfer(id))
  const fails = await world.execute(
    aConversion(await quoted(world, 'USDT', 'BRL', 5_000_000), { sandboxScenario: 'conversion_fails' }),
  )
  t.match(fails, { state: { status: 'FAILED', failureReason: 'MARKET_MOVED' } })
  t.strictSame(world.events(), ['conversion.failed'])
  t.match(booksIn(world, 'USDT'), { available: 9_900_000 })

  const slow = aConversion(await quoted(world, 'USDT', 'BRL', 5_000_000), {
    sandboxScenario: 'conversion_slow',
  })
  t.match(await world.execute(slow), { state: { status: 'PROCESSING' } })
  t.match(booksIn(world, 'USDT'), { available: 4_900_000, blocked: 5_000_000 })
  await world.advance('PT1H')
  t.match(booksIn(world, 'USDT'), { blocked: 5_000_000 }, 'it is asked for again, and still not decided')
  const resolve = { type: 'ResolveConversion', ...ours, conversionId: slow.conversionId } as const
  t.match(await world.execute({ ...resolve, result: 'COMPLETED', failureReason: null }), {
    state: { status: 'COMPLETED' },
  })
  t.match(await refusalOf(world, { ...resolve, result: 'FAILED', failureReason: null }), {
    reason: 'INVALID_STATE',
  })
  t.match(booksIn(world, 'BRL'), { available: 2_666 })
})

t.test('a key stands for one conversion, also while the provider says nothing', async (t) => {
  let isSilent = true
  const chain: Parameters<typeof opened>[4] = async (request) => {
    if (request.operation === 'CONVERT')
      return isSilent ? { type: 'SILENT' } : { type: 'DONE', evidence: null }
    const { midRateMicros } = request as Extract<typeof request, { operation: 'QUOTE' }>
    return { type: 'QUOTED', midRateMicros, rateMicros: midRateMicros, spreadBps: 0, taxCents: noTax }
  }
  const world = await opened(undefined, undefined, [], undefined, chain)
  await paidPix(world)
  const idempotency = { key: 'k', fingerprint: 'f' }
  const command = { ...aConversion(await quoted(world, 'BRL', 'USDT', 1_000)), idempotency }
  const first = await world.execute(command)
  t.match(first, { accepted: true, replayed: false, state: { status: 'PROCESSING' } })
  const again = await world.execute({ ...aConversion('qte_0' as QuoteId), idempotency })
  t.match(again, {
    accepted: true,
    replayed: true,
    state: { id: command.conversionId, status: 'PROCESSING' },
  })
  isSilent = false
  await world.advance('PT10S')
  t.match(world.memory.find('conversion', command.conversionId)!.state, { status: 'COMPLETED' })
})

t.test('an answer that comes after a reset of the Sandbox is refused', async (t) => {
  const world = await opened()
  await paidPix(world)
  const quote = await quoted(world, 'BRL', 'USDT', 1_000)
  const { conversionId } = aConversion(quote)
  await world.execute({ type: 'ClearSandbox', ...ours })
  const answer = { type: 'RecordChainAnswer', ...ours, callId: 'c', answer: { type: 'SILENT' } } as const
  for (const about of [{ quoteId: quote }, { conversionId }, { depositId: 'cdp_0' as DepositId }])
    t.match(await refusalOf(world, { ...answer, ...about }), { reason: 'NOT_FOUND' })
})
