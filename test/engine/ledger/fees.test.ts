import t from 'tap'
import type { Profile } from '../../../engine/ledger/account.ts'
import { defaultFees, type Fees, feeOn } from '../../../engine/ledger/fees.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { usualFee } from '../profile.ts'
import { aBoleto, aCardPayment, aCharge, account, aPayment, key, opened, ours, type World } from '../world.ts'

const tellProfile = (world: World, change: Partial<Profile>) =>
  world.execute({
    type: 'OpenAccount',
    ...ours,
    profile: { ...world.account().profile, ...change },
  })

const own: Fees = {
  pixBps: 50,
  boletoCents: toCents(150),
  cards: { ...defaultFees.cards, VISA: { credit: [200, 250, 300], debit: 100 } },
  effectiveFrom: '2026-11-22' as Fees['effectiveFrom'],
}

t.test('a charge costs what was agreed when it was created, whenever it is paid', async (t) => {
  const world = await opened()
  const before = await world.accepted(aCharge({ amountCents: toCents(10_000) }))
  const authorized = await world.accepted(aCardPayment({ captures: false, installments: 3 }))
  const boleto = await world.accepted(aBoleto())
  await tellProfile(world, { fees: own, revision: 2 })
  const after = await world.accepted(aCharge({ amountCents: toCents(10_000) }))
  const feeOf = async (id: typeof before.id) => (await world.accepted(aPayment(id))).feeCents
  t.equal(await feeOf(before.id), 99)
  t.equal(await feeOf(after.id), 50)
  const capture = { type: 'CaptureCharge', ...ours, amountCents: null } as const
  const captured = await world.accepted({ ...capture, transactionId: authorized.id })
  t.equal(captured.feeCents, 399)
  t.equal((await world.accepted(aCardPayment({ installments: 3 }))).feeCents, 250)
  t.equal((await world.accepted(aCardPayment({ installments: 12 }))).feeCents, 300)
  const pay = {
    type: 'PayBoleto',
    ...ours,
    amountCents: null,
    paidAtMs: null,
    clearing: 'IMMEDIATE',
  } as const
  t.equal((await world.accepted({ ...pay, transactionId: boleto.id })).feeCents, 299)
  const later = await world.accepted(aBoleto())
  t.equal((await world.accepted({ ...pay, transactionId: later.id })).feeCents, 150)
})

t.test('what arrives without a charge, and deposits, cost nothing', async (t) => {
  const world = await opened()
  await tellProfile(world, { fees: { ...own, pixBps: 500 }, revision: 2 })
  const deposit = await world.accepted(aCharge({ origin: 'DEPOSIT' }))
  t.equal((await world.accepted(aPayment(deposit.id))).feeCents, 0)
})

t.test(
  'a fee is rounded half up; of a PIX at least a centavo, unless there is none; never more than was paid',
  async (t) => {
    t.equal(usualFee(1, 'PIX'), 1)
    t.equal(usualFee(50, 'PIX'), 1, '0.495')
    t.equal(usualFee(1990, 'PIX'), 20, '19.701')
    t.equal(feeOn(toCents(1990), 'PIX', { percentBps: 0, fixedCents: toCents(0) }), 0)
    t.equal(usualFee(1, 'CREDIT_CARD'), 0)
    t.equal(usualFee(100, 'BOLETO'), 100)
    t.equal(usualFee(300, 'BOLETO'), 299)
    t.equal(usualFee(10_000, 'CRYPTO'), 100)
  },
)

t.test('an account takes a newer profile, and no older one', async (t) => {
  const world = await opened()
  await tellProfile(world, { name: 'Loja Nova', city: 'Olinda', revision: 3 })
  const { appended } = world.journal
  const sequence = appended()
  await tellProfile(world, { name: 'Loja Velha', revision: 2 })
  await tellProfile(world, { name: 'Loja Velha', revision: 3 })
  t.equal(appended(), sequence, 'what it knows already is no fact')
  t.match(world.account().profile, { name: 'Loja Nova', city: 'Olinda' })
  const charge = await world.accepted(aCharge())
  t.match(pixOf(charge)!.copyPaste, /5909Loja Nova6006Olinda/)
  await world.execute({ type: 'ClearSandbox', accountId: account, by: key })
  t.equal(world.account().profile.name, 'Loja Nova', 'a Sandbox that is cleared is the same company')
})
