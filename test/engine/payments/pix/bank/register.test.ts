import t from 'tap'
import { dynamicBrCode } from '../../../../../engine/payments/methods/pix/br-code.ts'
import { pixOf } from '../../../../../engine/payments/methods/pix/pix.ts'
import type { ProviderAnswer } from '../../../../../engine/payments/provider.ts'
import type { CalendarDate } from '../../../../../engine/shared/calendar.ts'
import { toCents } from '../../../../../engine/shared/money.ts'
import { connectionIdOf, live, openLive } from '../../../connections/live.ts'
import { listener, typesOf } from '../../../story.ts'
import { aCharge, aPayer, aPayment, institution, newWorld } from '../../../world.ts'
import {
  aLiveCancellation,
  aLiveCharge,
  anArrival,
  aPixAtBank,
  isRefused,
  location,
  newShop,
  registered,
  silence,
  stateAtBank,
} from './at-bank.ts'

const minute = 60_000

t.test('a charge in Production is registered by its bank, and shows what the bank gave', async (t) => {
  const { world, bank } = await newShop()
  const hear = listener(world)
  const charge = await world.accepted(aLiveCharge({ description: 'Pedido 7', reference: 'R-7' }))
  t.match(charge, {
    status: 'PENDING',
    providerId: 'made-up-bank',
    connectionId: connectionIdOf(1),
    calls: [],
  })
  const { txid, copyPaste, bankKey } = pixOf(charge)!
  t.match(txid, /^[A-Za-z0-9]{32}$/)
  t.equal(
    copyPaste,
    dynamicBrCode({
      location,
      amountCents: toCents(10_000),
      merchant: { name: 'Loja Demo', city: 'Sao Paulo' },
    }),
  )
  t.not(copyPaste?.includes(institution.pixLocation), true, 'our own address is in no code of a bank')
  t.match(bank.asked, [
    {
      operation: 'REGISTER',
      connectionId: connectionIdOf(1),
      pix: { txid, pixKey: bankKey, expiresInSeconds: 3600, due: null },
      description: 'Pedido 7',
      merchantReference: 'R-7',
    },
  ])
  t.strictSame(typesOf(hear()), ['payment.created', 'payment.pending'])
})

t.test('the code of the bank itself is shown where it sends one', async (t) => {
  const code = dynamicBrCode({
    location,
    amountCents: toCents(10_000),
    merchant: { name: 'Banco', city: 'Recife' },
  })
  const { world, bank } = await newShop({
    REGISTER: (request) => ({ ...(registered(request) as object), copyPaste: code }) as ProviderAnswer,
  })
  t.equal(pixOf(await world.accepted(aLiveCharge()))?.copyPaste, code)

  const wrong: Readonly<Record<string, string>> = {
    'a broken checksum': `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`,
    'a text that is cut': code.slice(0, 40),
    'another amount': dynamicBrCode({
      location,
      amountCents: toCents(10_001),
      merchant: { name: 'Banco', city: 'Recife' },
    }),
    'no code': 'https://pix.bank.example/pay',
    nothing: '',
  }
  for (const [what, copyPaste] of Object.entries(wrong)) {
    bank.answers = {
      REGISTER: (request) => ({ ...(registered(request) as object), copyPaste }) as ProviderAnswer,
    }
    const charge = await world.accepted(aLiveCharge())
    t.match(charge, { status: 'CREATED', calls: [{ operation: 'REGISTER' }] }, what)
    t.equal(pixOf(charge)?.copyPaste, null, what)
  }
})

t.test('without a connection, and with one that is not active, nothing is stored', async (t) => {
  const world = newWorld()
  await openLive(world)
  const refused = aLiveCharge({ customer: aPayer })
  const before = world.journal.appended()
  t.match(await world.execute(refused), { rejection: { reason: 'PROVIDER_ABSENT', rail: 'PIX' } })
  t.equal(world.journal.appended(), before)

  const shop = await newShop()
  await shop.world.execute({
    type: 'ChangeRail',
    ...live,
    connectionId: connectionIdOf(1),
    state: 'SUSPENDED',
    revision: 2,
  })
  t.match(await shop.world.execute(aLiveCharge()), { rejection: { reason: 'PROVIDER_ABSENT' } })
  t.strictSame(shop.bank.asked, [])
})

t.test(
  'a silent bank leaves a charge without a code, which is pending as soon as the bank answers',
  async (t) => {
    const { world, bank, pass, transaction } = await newShop({})
    const hear = listener(world)
    const idempotency = { key: 'order-1', fingerprint: 'f' }
    const charge = await world.accepted(aLiveCharge({ idempotency }))
    t.match(charge, { status: 'CREATED', failureReason: null, expiresAtMs: null })
    t.equal(pixOf(charge)?.copyPaste, null)
    t.strictSame(typesOf(hear()), ['payment.created'])
    const replay = await world.execute(aLiveCharge({ idempotency }))
    t.match(
      replay,
      { replayed: true, state: { id: charge.id, status: 'CREATED' } },
      'the merchant tries once more',
    )
    t.match(await world.execute(aLiveCancellation(charge.id)), {
      rejection: { reason: 'OPERATION_IN_PROGRESS' },
    })

    bank.answers = { REGISTER: registered }
    await pass(6_000)
    t.match(transaction(charge), { status: 'PENDING', calls: [] })
    t.strictSame(typesOf(hear()), ['payment.pending'])
    const [first, second] = bank.asked
    t.strictSame(
      { ...first!, asked: 1, nowMs: 0 },
      { ...second!, nowMs: 0 },
      'the same is asked, so that the bank knows it',
    )
  },
)

t.test('what the bank does not register has failed, and says why', async (t) => {
  const { world } = await newShop({
    REGISTER: {
      type: 'REFUSED',
      refusal: {
        reason: 'REGISTRATION_REJECTED',
        code: 'CobOperacaoInvalida',
        message: 'devedor.cpf: inválido',
      },
    },
  })
  const hear = listener(world)
  t.match(await world.accepted(aLiveCharge()), {
    status: 'FAILED',
    failureReason: 'REGISTRATION_REJECTED',
    failureDetail: {
      providerCode: 'CobOperacaoInvalida',
      message: 'devedor.cpf: inválido',
      retryable: false,
    },
    calls: [],
  })
  t.strictSame(typesOf(hear()), ['payment.created', 'payment.failed'])
})

t.test(
  'a registration that is unknown for ten minutes is taken back, and fails only when the bank says that it is gone',
  async (t) => {
    const { world, bank, pass, transaction, operations } = await newShop({})
    const hear = listener(world)
    const charge = await world.accepted(aLiveCharge())
    for (let n = 0; n < 9; n++) await pass(minute)
    t.match(transaction(charge), { status: 'CREATED', calls: [{ operation: 'REGISTER' }] })
    await pass(minute)
    t.equal(operations().at(-1), 'CANCEL')
    t.match(
      transaction(charge),
      { status: 'CREATED', calls: [{ operation: 'CANCEL' }] },
      'a silent bank may have it',
    )
    bank.answers = { CANCEL: isRefused('não encontrado') }
    await pass(minute)
    t.match(transaction(charge), { status: 'FAILED', failureReason: 'PROVIDER_ERROR', calls: [] })
    t.strictSame(typesOf(hear()), ['payment.created', 'payment.failed'])
  },
)

t.test('a charge that nobody knew of and somebody paid is booked', async (t) => {
  const { world, bank, pass, transaction, balances } = await newShop({})
  const charge = await world.accepted(aLiveCharge())
  for (let n = 0; n < 10; n++) await pass(minute)
  bank.answers = { CANCEL: stateAtBank('PAID', aPixAtBank()) }
  await pass(minute)
  t.match(transaction(charge), { status: 'APPROVED', paidCents: 10_000, calls: [] })
  t.equal(balances().available, 9_901n)
})

t.test('money that comes before the answer to the registration pays the charge once', async (t) => {
  const { world, bank, pass, transaction, received } = await newShop({})
  const hear = listener(world)
  const charge = await world.accepted(aLiveCharge())
  const arrival = anArrival(charge)
  await world.execute(arrival)
  t.match(transaction(charge), { status: 'APPROVED', calls: [] })
  bank.answers = { REGISTER: registered, CANCEL: silence }
  for (let n = 0; n < 12; n++) await pass(minute)
  t.equal(transaction(charge).status, 'APPROVED')
  t.match(await world.execute(arrival), { rejection: { reason: 'ALREADY_RECEIVED' } })
  t.equal(received().length, 1)
  t.strictSame(typesOf(hear()).slice(0, 3), ['payment.created', 'pix.received', 'payment.approved'])
})

t.test('time counts from when the bank created it, within reason', async (t) => {
  const { world, bank } = await newShop()
  for (const [aheadMs, countsMs] of [
    [0, 0],
    [-3 * minute, 0],
    [90 * minute, 0],
  ] as const) {
    bank.answers = {
      REGISTER: (request) =>
        ({ ...(registered(request) as object), createdAtMs: request.nowMs + aheadMs }) as ProviderAnswer,
    }
    const { expiresAtMs } = await world.accepted(aLiveCharge())
    t.equal(expiresAtMs, world.now() + 3_600_000 + countsMs)
  }
  bank.answers = {}
  const late = await world.accepted(aLiveCharge())
  const from = world.now()
  world.pass(6_000)
  bank.answers = {
    REGISTER: (request) =>
      ({ ...(registered(request) as object), createdAtMs: from + 4_000 }) as ProviderAnswer,
  }
  world.shard.tick()
  await world.settle()
  t.equal(world.transaction(late.id).expiresAtMs, from + 4_000 + 3_600_000)
})

t.test('a due date needs a payer with a document, and lasts as long as the bank takes it', async (t) => {
  const { world, bank } = await newShop()
  const due = { date: '2026-11-28' as CalendarDate }
  const terms = { method: 'PIX', expiresInSeconds: null, due } as const
  const anonymous = { ...aPayer, document: null, documentType: null }
  for (const customer of [null, anonymous])
    t.match(await world.execute(aLiveCharge({ terms, customer })), {
      rejection: { reason: 'CUSTOMER_DOCUMENT_REQUIRED' },
    })
  t.strictSame(bank.asked, [])
  const weekend = await world.accepted(aLiveCharge({ terms, customer: aPayer }))
  t.match(bank.asked, [{ pix: { due: { date: '2026-11-28', payableForDays: 0 } } }])
  t.equal(
    new Date(weekend.expiresAtMs!).toISOString(),
    '2026-12-01T03:00:00.000Z',
    'a Saturday becomes Monday',
  )
  const grace = await world.accepted(
    aLiveCharge({ terms: { ...terms, expiresInSeconds: 3_600 }, customer: aPayer }),
  )
  t.match(bank.asked[1], { pix: { due: { payableForDays: 1 } } })
  t.equal(
    new Date(grace.expiresAtMs!).toISOString(),
    '2026-12-02T03:00:00.000Z',
    'an hour of grace is a day at a bank',
  )
})

t.test('the Sandbox issues its codes itself, and asks nobody', async (t) => {
  const { world, bank } = await newShop()
  await world.open()
  const charge = await world.accepted(aCharge())
  t.match(charge, { status: 'PENDING', connectionId: null, providerId: 'sandbox-psp', version: 2 })
  t.ok(pixOf(charge)?.copyPaste?.includes(institution.pixLocation))
  t.equal((await world.accepted(aPayment(charge.id))).status, 'APPROVED')
  t.strictSame(bank.asked, [])
  t.equal(
    (await world.execute({ ...aPayment((await world.accepted(aLiveCharge())).id), ...live })).accepted,
    false,
    'a live one is paid by its bank alone',
  )
})
