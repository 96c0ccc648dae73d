import t from 'tap'
import { cryptoOf } from '../../../engine/payments/methods/crypto/crypto.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import {
  aCancellation,
  account,
  aRefund,
  connectedTo,
  newWorld,
  opened,
  opening,
  ours,
  refusalOf,
} from '../world.ts'
import { aChargeOf, aCryptoCharge, aTransfer, booksIn, deposits } from './crypto.ts'

const due = 18_518_519

t.test('a price in reais becomes an amount by the rate of the moment, rounded up', async (t) => {
  const world = await opened()
  const charge = await world.accepted(aCryptoCharge())
  t.match(charge, {
    status: 'PENDING',
    method: 'CRYPTO',
    currency: 'USDT',
    amountCents: due,
    expiresAtMs: world.now() + 900_000,
  })
  t.match(cryptoOf(charge), { quotedCents: 10_000, rateMicros: 5_400_000, address: /^0x[0-9a-fA-F]{40}$/ })
  t.strictSame(world.events(2), ['payment.created'])
  t.strictSame(world.events(1), ['payment.pending'])
  const other = await world.accepted(aChargeOf(18_450_000, { network: 'TRON' }))
  t.match(other, { amountCents: 18_450_000 })
  t.match(cryptoOf(other), { quotedCents: 9_963, address: /^T/, requiredConfirmations: 20 })
})

t.test('a confirmed payment is in the balance less one percent', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCryptoCharge())
  const seen = await world.accepted(aTransfer(id, null, { confirmations: 0, txHash: 'a' }))
  t.match(seen, { status: 'PROCESSING', paidCents: 0 })
  t.strictSame(world.events(), [])
  t.strictSame(booksIn(world, 'USDT'), {})
  t.match(await world.accepted(aTransfer(id, due, { confirmations: 127, txHash: 'a' })), {
    status: 'PROCESSING',
  })
  const paid = await world.accepted(aTransfer(id, due, { confirmations: 128, txHash: 'a' }))
  t.match(paid, { status: 'APPROVED', paidCents: due, feeCents: 185_185 })
  t.strictSame(world.events(), [
    'crypto.received',
    'payment.approved',
    'settlement.processing',
    'settlement.completed',
  ])
  t.strictSame(booksIn(world, 'USDT'), { payer: -due, available: due - 185_185, fees: 185_185 })
  t.strictSame(booksIn(world, 'BRL'), {})
  t.strictSame(deposits(world), [])
  const version = paid.version
  t.match(
    await world.accepted(aTransfer(id, due, { confirmations: 300, txHash: 'a' })),
    { version },
    'heard twice',
  )
  t.match(await refusalOf(world, aRefund(id)), { reason: 'REFUND_NOT_SUPPORTED' })
})

for (const [title, units, status, deposit] of [
  ['exactly the least that is accepted', 9_950_000, 'APPROVED', null],
  ['a millionth less', 9_949_999, 'EXPIRED', ['UNDERPAID', 9_949_999]],
  ['99.6 %', 9_960_000, 'APPROVED', null],
  ['98 %', 9_800_000, 'EXPIRED', ['UNDERPAID', 9_800_000]],
  ['110 %', 11_000_000, 'APPROVED', ['OVERPAID', 1_000_000]],
] as const)
  t.test(`paid with ${title}: ${status}`, async (t) => {
    const world = await opened()
    const { id } = await world.accepted(aChargeOf(10_000_000))
    await world.accepted(aTransfer(id, units))
    await world.advance('PT16M')
    const charge = world.transaction(id)
    const paid = status === 'APPROVED' ? Math.min(units, 10_000_000) : 0
    t.match(charge, { status, paidCents: paid, failureReason: status === 'EXPIRED' ? 'UNDERPAID' : null })
    t.match(
      deposits(world).map(({ reason, units }) => [reason, units]),
      deposit === null ? [] : [deposit],
    )
    const fee = charge.feeCents
    t.match(booksIn(world, 'USDT'), {
      payer: -units,
      ...(paid > 0 && { available: paid - fee, fees: fee }),
      ...(deposit !== null && { blocked: deposit[1] }),
    })
  })

t.test('several transfers add up until the charge expires', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aChargeOf(10_000_000))
  t.match(await world.accepted(aTransfer(id, 6_000_000)), { status: 'PENDING' })
  t.match(await world.accepted(aTransfer(id, 3_000_000, { confirmations: 1 })), { status: 'PENDING' })
  t.match(await world.accepted(aTransfer(id, null, { confirmations: 1 })), { status: 'PROCESSING' })
  const paid = await world.accepted({ type: 'ConfirmTransfers', ...ours, transactionId: id })
  t.match(paid, { status: 'APPROVED', paidCents: 10_000_000 })
  t.strictSame(
    cryptoOf(paid)!.transfers.map(({ units, paidUnits }) => [units, paidUnits]),
    [
      [6_000_000, 6_000_000],
      [3_000_000, 3_000_000],
      [1_000_000, 1_000_000],
    ],
  )
  await world.accepted(aTransfer(id, 5))
  t.match(deposits(world), [{ reason: 'OVERPAID', units: 5 }], 'more in time is too much')
})

t.test('what was seen in time counts, however late it is confirmed', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aChargeOf(10_000_000))
  await world.accepted(aTransfer(id, 10_000_000, { confirmations: 0 }))
  await world.advance('P1D')
  t.match(world.transaction(id), { status: 'PROCESSING' })
  await world.accepted({ type: 'ConfirmTransfers', ...ours, transactionId: id })
  t.match(world.transaction(id), { status: 'APPROVED' })
})

t.test('what the network drops had never been', async (t) => {
  const world = await opened()
  const drop = (transactionId: Transaction['id']) =>
    ({ type: 'DropTransfers', ...ours, transactionId, txHash: null }) as const
  const { id } = await world.accepted(aChargeOf(10_000_000))
  await world.accepted(aTransfer(id, null, { confirmations: 5 }))
  t.match(await world.accepted(drop(id)), { status: 'PENDING' })
  await world.accepted(aTransfer(id, null, { confirmations: 5 }))
  await world.advance('PT20M')
  t.match(await world.accepted(drop(id)), { status: 'EXPIRED', failureReason: 'CHARGE_EXPIRED' })
  t.strictSame(world.events(), ['crypto.expired', 'payment.failed'])
  t.strictSame(deposits(world), [])
  t.strictSame(booksIn(world, 'USDT'), {})
})

t.test('a transfer that the network had dropped and carries after all is there again', async (t) => {
  const world = await opened()
  const drop = (transactionId: Transaction['id']) =>
    ({ type: 'DropTransfers', ...ours, transactionId, txHash: 'tx-1' }) as const
  const { id } = await world.accepted(aChargeOf(10_000_000))
  await world.accepted(aTransfer(id, 10_000_000, { txHash: 'tx-1', confirmations: 5 }))
  await world.accepted(drop(id))
  const paid = await world.accepted(aTransfer(id, 10_000_000, { txHash: 'tx-1' }))
  t.match(paid, { status: 'APPROVED', means: { crypto: { transfers: { length: 1 } } } })
  t.strictSame(booksIn(world, 'USDT'), { payer: -10_000_000, available: 9_900_000, fees: 100_000 })

  const late = await world.accepted(aChargeOf(10_000_000))
  await world.accepted(aTransfer(late.id, 10_000_000, { txHash: 'tx-1', confirmations: 5 }))
  await world.advance('PT20M')
  t.match(await world.accepted(drop(late.id)), { status: 'EXPIRED' })
  await world.accepted(aTransfer(late.id, 10_000_000, { txHash: 'tx-1' }))
  t.match(deposits(world), [{ reason: 'PAID_LATE', units: 10_000_000, transactionId: late.id }])
})

t.test('money that is late, or comes after a cancellation, or is another asset, is a deposit', async (t) => {
  const world = await opened()
  const late = await world.accepted(aChargeOf(10_000_000))
  await world.advance('PT15M')
  t.strictSame(world.events(2), ['crypto.expired', 'payment.failed'])
  t.match(await world.accepted(aTransfer(late.id)), { status: 'EXPIRED', failureReason: 'CHARGE_EXPIRED' })
  const cancelled = await world.accepted(aChargeOf(7_000_000))
  await world.accepted(aTransfer(cancelled.id, 2_000_000))
  await world.execute(aCancellation(cancelled.id))
  await world.accepted(aTransfer(cancelled.id, 1_000_000))
  const wrong = await world.accepted(aChargeOf(5_000_000))
  t.match(await world.accepted(aTransfer(wrong.id, 5_000_000, { asset: 'USDC' })), { status: 'PENDING' })
  t.match(
    deposits(world).map(({ reason, asset, units, status }) => [reason, asset, units, status]),
    [
      ['PAID_AFTER_CANCELLATION', 'USDT', 1_000_000, 'UNRESOLVED'],
      ['PAID_AFTER_CANCELLATION', 'USDT', 2_000_000, 'UNRESOLVED'],
      ['WRONG_ASSET', 'USDC', 5_000_000, 'UNRESOLVED'],
      ['PAID_LATE', 'USDT', 10_000_000, 'UNRESOLVED'],
    ],
  )
  t.strictSame(booksIn(world, 'USDT'), { payer: -13_000_000, blocked: 13_000_000 })
  t.strictSame(booksIn(world, 'USDC'), { payer: -5_000_000, blocked: 5_000_000 })
  t.match(world.memory.list(account, 'notice', { offset: 0, limit: 9 }).states[0], { kind: 'CRYPTO_DEPOSIT' })
})

t.test('an address is watched for 90 days', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aChargeOf(10_000_000))
  await world.advance('P89D')
  await world.accepted(aTransfer(id))
  const { id: paid } = await world.accepted(aChargeOf(3_000_000))
  const slow = await world.accepted(aChargeOf(5_000_000))
  await world.accepted(aTransfer(slow.id, 5_000_000, { txHash: 'tx-1', confirmations: 5 }))
  await world.accepted(aTransfer(paid, 3_000_000, { confirmations: 5 }))
  await world.advance('P1D')
  t.match(await refusalOf(world, aTransfer(id)), { reason: 'INVALID_STATE' })
  await world.advance('P90D')
  t.match(await refusalOf(world, aTransfer(slow.id)), { reason: 'INVALID_STATE' })
  const known = await world.accepted(aTransfer(slow.id, 5_000_000, { txHash: 'tx-1' }))
  t.match(known, { status: 'APPROVED' }, 'what was seen in that time is confirmed whenever it is')
  const confirmed = await world.accepted({ type: 'ConfirmTransfers', ...ours, transactionId: paid })
  t.match(confirmed, { status: 'APPROVED' })
})

t.test('a deposit is taken into the balance, or sent back less what the network takes', async (t) => {
  const world = await opened()
  const made = async (units: number, fromAddress: string | null = null) => {
    const { id } = await world.accepted(aChargeOf(10_000_000))
    await world.execute(aCancellation(id))
    await world.accepted(aTransfer(id, units, { fromAddress }))
    return world.memory.lookup('cryptoDeposit', account, id)[0]!.state.id
  }
  const resolve = (
    depositId: ReturnType<typeof deposits>[number]['id'],
    action: 'ACCEPT' | 'RETURN',
    address: string | null = null,
  ) => ({ type: 'ResolveDeposit', ...ours, depositId, action, address }) as const
  const find = (id: string) => world.memory.find('cryptoDeposit', id)!.state
  const good = '0x52908400098527886E0F7030069857D2E4169EE7'

  const accepted = await made(3_000_000)
  await world.execute(resolve(accepted, 'ACCEPT'))
  t.match(find(accepted), { status: 'ACCEPTED', resolvedBy: 'key_1' })
  t.strictSame(booksIn(world, 'USDT'), { payer: -3_000_000, available: 3_000_000 })
  t.match(await refusalOf(world, resolve(accepted, 'RETURN', good)), { reason: 'INVALID_STATE' })

  const returned = await made(2_000_000, good)
  await world.execute(resolve(returned, 'RETURN'))
  t.match(find(returned), {
    status: 'RETURNED',
    sent: { address: good, feeUnits: 50_000 },
    returnTxHash: /./,
  })
  t.match(booksIn(world, 'USDT'), {
    payer: -5_000_000,
    available: 3_000_000,
    paidOut: 1_950_000,
    fees: 50_000,
  })

  const refused = await made(1_000_000)
  t.match(await refusalOf(world, resolve(refused, 'RETURN')), { reason: 'ADDRESS_REQUIRED' })
  t.match(await refusalOf(world, resolve(refused, 'RETURN', good.replace('E7', 'e7'))), {
    reason: 'ADDRESS_INVALID',
  })
  t.match(await refusalOf(world, resolve(refused, 'RETURN', `0x${'0'.repeat(36)}dEaD`)), {
    reason: 'ADDRESS_INVALID',
  })
  await world.execute(resolve(refused, 'RETURN', `0x${'1'.repeat(36)}dead`))
  t.match(find(refused), { status: 'RETURN_FAILED', failureReason: 'ADDRESS_REFUSED' })
  t.match(booksIn(world, 'USDT'), { blocked: 1_000_000 })
  await world.execute(resolve(refused, 'RETURN', good))
  t.match(find(refused), { status: 'RETURNED' })

  const small = await made(50_000)
  t.match(await refusalOf(world, resolve(small, 'RETURN', good)), { reason: 'BELOW_NETWORK_FEE' })
})

t.test('without an address there is no charge, and silence gives none', async (t) => {
  const refused = await opened()
  const charge = await refused.accepted(
    aCryptoCharge({}, { metadata: { sandboxScenario: 'provider_error' } }),
  )
  t.match(charge, { status: 'FAILED', failureReason: 'PROVIDER_ERROR', calls: [] })
  t.strictSame([refused.events(2), refused.events(1)], [['payment.created'], ['payment.failed']])
  const silent = await opened(async () => ({ type: 'SILENT' }))
  t.match(await silent.accepted(aCryptoCharge()), { status: 'FAILED', failureReason: 'PROVIDER_ERROR' })
})

t.test('in Production nothing is asked of a chain that is not connected', async (t) => {
  const world = newWorld(undefined, undefined, [], connectedTo('PIX'))
  const accountId = accountIdOf(opening.profile.companyId, 'PRODUCTION')
  await world.execute({ ...opening, accountId, profile: { ...opening.profile, environment: 'PRODUCTION' } })
  t.match(await refusalOf(world, aCryptoCharge({}, { accountId })), {
    reason: 'PROVIDER_ABSENT',
    rail: 'CRYPTO',
  })
})
