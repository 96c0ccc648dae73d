import t, { type Test } from 'tap'
import { type Call, caller, oneWorker, posted, startReceiver } from './service.ts'
import { secondFactor } from './sign-in-directly.ts'
import { type StoryWorld, shareService } from './stories.ts'

const asked = { asset: 'USDT', network: 'POLYGON' }
const roles = { SANDBOX: 'FINANCE', PRODUCTION: 'FINANCE' } as const
const address = '0x52908400098527886E0F7030069857D2E4169EE7'

const scopes = 'charges.create,charges.read,transactions.read,transactions.export,refunds.create'
const { story: storyIn } = shareService(t, { env: oneWorker })

/** A story of a company with a key, and of a person who deals with its money. */
const story = (title: string, tell: (t: Test, of: ReturnType<typeof opened>) => Promise<unknown>): void =>
  storyIn(title, { scopes, people: [{ roles }] }, (t, world) => tell(t, opened(world)))

const opened = ({ service, company, key, call, members }: StoryWorld) => ({
  service,
  own: { company, key },
  call,
  ana: members[0]!.call,
})

const signed =
  (call: Call): Call =>
  (verb, path, body) =>
    call(verb, path, body, secondFactor)

story(
  'a charge is paid with too little, too much, too late, and by another asset (case 35)',
  async (t, { service, own, call, ana }) => {
    const receiver = await startReceiver(t)
    await service.operate('webhooks create', {
      company: own.company.id,
      environment: 'sandbox',
      url: receiver.url,
      events: 'crypto.received,crypto.expired',
    })
    const created = await call('POST', '/v1/crypto/charges', { amount: '10000', ...asked })
    t.match(created, {
      status: 201,
      body: {
        object: 'transaction',
        method: 'CRYPTO',
        product: 'CRYPTO',
        status: 'PENDING',
        currency: 'USDT',
        amount: '18518519',
        crypto: {
          asset: 'USDT',
          network: 'POLYGON',
          address: /^0x[0-9a-fA-F]{40}$/,
          cryptoAmount: '18.518519',
          quotedAmount: '10000',
          rate: '5.4',
          rateExpiresAt: created.body.expiresAt,
          uri: /^sandbox:polygon.USDT.0x/,
          qrCode: /^data:image.png;base64,/,
          receivedAmount: '0',
          confirmations: 0,
          requiredConfirmations: 128,
          txHashes: [],
          paymentState: 'NONE',
        },
      },
    })
    const other = await posted(call, '/v1/crypto/charges', { amount: 10_000, ...asked })
    t.not(other.crypto.address, created.body.crypto.address, 'each charge has an address of its own')

    const charge = async (): Promise<string> =>
      (await posted(call, '/v1/crypto/charges', { cryptoAmount: '100', ...asked })).id
    const pay = (id: string, body: object) => posted(call, `/v1/sandbox/crypto/charges/${id}/pay`, body)
    const [nearly, little, much, late, wrong] = [
      await charge(),
      await charge(),
      await charge(),
      await charge(),
      await charge(),
    ]
    t.match(await pay(nearly, { cryptoAmount: '99.6' }), {
      status: 'APPROVED',
      paidAmount: '99600000',
      feeAmount: '996000',
      crypto: { paymentState: 'PAID', txHashes: [/^0x/] },
    })
    t.match(await pay(little, { cryptoAmount: '98' }), {
      status: 'PENDING',
      crypto: { paymentState: 'PARTIAL' },
    })
    t.match(await pay(much, { cryptoAmount: '110' }), {
      status: 'APPROVED',
      paidAmount: '100000000',
      crypto: { paymentState: 'OVERPAID', receivedAmount: '110000000' },
    })
    t.match(await pay(wrong, { cryptoAmount: '3', asset: 'USDC' }), {
      status: 'PENDING',
      crypto: { paymentState: 'NONE' },
    })
    await posted(call, '/v1/sandbox/clock/advance', { by: 'PT16M' })
    t.match(await pay(late, { cryptoAmount: '100' }), { status: 'EXPIRED', failureReason: 'CHARGE_EXPIRED' })
    t.match((await call('GET', `/v1/crypto/charges/${little}`)).body, {
      status: 'EXPIRED',
      failureReason: 'UNDERPAID',
    })

    const { body } = await ana('GET', '/v1/crypto/deposits')
    const found = (body.data as any[]).map(({ transactionId, reason, cryptoAmount, asset, status }) => [
      transactionId,
      reason,
      cryptoAmount,
      asset,
      status,
    ])
    t.strictSame(
      found.sort(),
      [
        [little, 'UNDERPAID', '98.000000', 'USDT', 'UNRESOLVED'],
        [much, 'OVERPAID', '10.000000', 'USDT', 'UNRESOLVED'],
        [late, 'PAID_LATE', '100.000000', 'USDT', 'UNRESOLVED'],
        [wrong, 'WRONG_ASSET', '3.000000', 'USDC', 'UNRESOLVED'],
      ].sort(),
    )
    t.match(await ana('GET', '/v1/notifications'), { body: { data: [{ kind: 'CRYPTO_DEPOSIT' }] } })

    // Of each currency for itself.
    const list = await call('GET', '/v1/transactions?method=CRYPTO')
    t.match(list.body.totals, [{ currency: 'USDT', count: 7, paidAmount: '199600000', feeAmount: '1996000' }])
    t.match(await call('GET', '/v1/transactions/facets'), {
      body: {
        settlers: [{ value: 'sandbox-chain', count: 7 }],
        products: [{ value: 'CRYPTO', count: 7 }],
        currencies: [{ value: 'USDT', count: 7 }],
      },
    })
    const csv = (await call('GET', '/v1/transactions/export?status=APPROVED&sort=amount:desc')).body as string
    t.match(csv.split('\r\n')[1], /,APPROVED,CRYPTO,API,CRYPTO,CRYPTO,USDT,100000000,/)

    t.match(await call('POST', `/v1/transactions/${much}/refund`, {}), {
      status: 422,
      body: { code: 'REFUND_NOT_SUPPORTED' },
    })
    const heard = (await receiver.count(2)).map(({ event }) => event)
    for (const { type, data } of heard) {
      t.match(type, /^crypto\.(received|expired)$/)
      t.match(data, {
        object: 'crypto_payment',
        asset: 'USDT',
        network: 'POLYGON',
        cryptoAmount: /^\d+\.\d{6}$/,
      })
    }
  },
)

story('a person decides about deposits, with a second factor', async (t, { call, ana }) => {
  const deposit = async (cryptoAmount: string): Promise<string> => {
    const { id } = await posted(call, '/v1/crypto/charges', { cryptoAmount: '1', ...asked })
    await posted(call, `/v1/crypto/charges/${id}/cancel`, {})
    await posted(call, `/v1/sandbox/crypto/charges/${id}/pay`, { cryptoAmount })
    const { body } = await ana('GET', '/v1/crypto/deposits?status=UNRESOLVED')
    return body.data.find((one: any) => one.transactionId === id).id
  }
  const accepted = `/v1/crypto/deposits/${await deposit('2')}/resolve`
  t.match(await call('POST', accepted, { action: 'ACCEPT' }), {
    status: 403,
    body: { code: 'DASHBOARD_ONLY' },
  })
  t.match(await ana('POST', accepted, { action: 'ACCEPT' }), {
    status: 403,
    body: { code: 'SECOND_FACTOR_REQUIRED' },
  })
  t.match(await signed(ana)('POST', accepted, { action: 'ACCEPT' }), {
    status: 200,
    body: { status: 'ACCEPTED', resolvedBy: /^per_/ },
  })
  t.match(await signed(ana)('POST', accepted, { action: 'ACCEPT' }), {
    status: 409,
    body: { code: 'INVALID_STATE', currentStatus: 'ACCEPTED' },
  })
  const returned = `/v1/crypto/deposits/${await deposit('3')}/resolve`
  const back = (address?: string) =>
    signed(ana)('POST', returned, { action: 'RETURN', ...(address && { address }) })
  t.match(await back(), { status: 400, body: { errors: [{ field: 'address', code: 'REQUIRED' }] } })
  t.match(await back(address.replace('EE7', 'ee7')), { status: 422, body: { code: 'ADDRESS_INVALID' } })
  t.match(await back(`0x${'1'.repeat(36)}dEaD`.toLowerCase()), {
    status: 200,
    body: { status: 'RETURN_FAILED', failureReason: 'ADDRESS_REFUSED' },
  })
  t.match(await back(address), {
    status: 200,
    body: { status: 'RETURNED', returnAddress: address, returnTxHash: /./, feeAmount: '50000' },
  })
  const tiny = `/v1/crypto/deposits/${await deposit('0.05')}/resolve`
  t.match(await signed(ana)('POST', tiny, { action: 'RETURN', address }), {
    status: 422,
    body: { code: 'INSUFFICIENT_BALANCE' },
  })
})

story('conversions by quote', async (t, { own, service, call, ana }) => {
  const receiver = await startReceiver(t)
  await service.operate('webhooks create', {
    company: own.company.id,
    environment: 'sandbox',
    url: receiver.url,
    events: 'conversion.completed,conversion.failed',
  })
  const pix = await posted(call, '/v1/pix/charges', { amount: 200_000 })
  await posted(call, `/v1/sandbox/pix/charges/${pix.id}/pay`, {})
  const quotes = '/v1/conversions/quotes'
  const wanted = { fromCurrency: 'BRL', toCurrency: 'USDT', fromAmount: '100000' }
  const quote = await ana('POST', quotes, wanted)
  t.match(quote, {
    status: 201,
    body: {
      id: /^qte_/,
      rate: '5.454',
      midRate: '5.4',
      spreadBps: 100,
      feeAmount: '250',
      taxAmount: '0',
      fromAmount: '100000',
      toAmount: '182893289',
    },
  })
  const once = { 'Idempotency-Key': 'convert-1' }
  const body = { quoteId: quote.body.id }
  t.match(await ana('POST', '/v1/conversions', body), {
    status: 403,
    body: { code: 'SECOND_FACTOR_REQUIRED' },
  })
  const made = await ana('POST', '/v1/conversions', body, { ...secondFactor, ...once })
  t.match(made, {
    status: 201,
    body: {
      id: /^cnv_/,
      status: 'COMPLETED',
      fromAmount: '100000',
      toAmount: '182893289',
      createdBy: /^per_/,
    },
  })
  const again = await ana('POST', '/v1/conversions', body, once)
  t.strictSame([again.status, again.body], [201, made.body], 'the same key converts once, and costs no code')
  t.match(await signed(ana)('POST', '/v1/conversions', body), {
    status: 422,
    body: { code: 'QUOTE_EXPIRED' },
  })

  const back = await ana('POST', quotes, { fromCurrency: 'USDT', toCurrency: 'BRL', toAmount: 53_326 })
  t.match(back, { body: { toAmount: '53326', feeAmount: '134' } })
  const failing = { quoteId: back.body.id, metadata: { sandboxScenario: 'conversion_fails' } }
  t.match(await signed(ana)('POST', '/v1/conversions', failing), {
    status: 201,
    body: { status: 'FAILED', failureReason: 'MARKET_MOVED', completedAt: null },
  })
  const late = await ana('POST', quotes, wanted)
  await posted(call, '/v1/sandbox/clock/advance', { by: 'PT30S' })
  t.match(await signed(ana)('POST', '/v1/conversions', { quoteId: late.body.id }), {
    status: 422,
    body: { code: 'QUOTE_EXPIRED' },
  })
  const dear = await ana('POST', quotes, { ...wanted, fromAmount: '100000000' })
  t.match(await signed(ana)('POST', '/v1/conversions', { quoteId: dear.body.id }), {
    status: 422,
    body: { code: 'INSUFFICIENT_BALANCE' },
  })
  for (const [change, field] of [
    [{ toCurrency: 'BRL' }, 'toCurrency'],
    [{ fromCurrency: 'USDC' }, 'toCurrency'],
    [{ toAmount: 5 }, 'toAmount'],
    [{ fromAmount: undefined }, 'fromAmount'],
    [{ fromAmount: 0 }, 'fromAmount'],
    [{ fromCurrency: 'USDT', toCurrency: 'BRL', fromAmount: 5 }, 'fromAmount'],
  ] as const)
    t.match(await ana('POST', quotes, { ...wanted, ...change }), {
      status: 400,
      body: { errors: [{ field }] },
    })
  service.expectLimit('TOO_MANY_ATTEMPTS')
  let asking = await ana('POST', quotes, wanted)
  while (asking.status === 201) asking = await ana('POST', quotes, wanted)
  t.match(asking, { status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } })
  t.match(asking.headers.get('retry-after'), /^\d+$/)

  t.match(await ana('GET', '/v1/conversions?status=COMPLETED'), { body: { data: [made.body] } })
  const events = (await receiver.count(2)).map(({ event }) => [event.type, event.data.rate])
  t.strictSame(events.sort(), [
    ['conversion.completed', '5.454'],
    ['conversion.failed', '5.346'],
  ])
})

story('wallets are checked, and wait a day (case 37)', async (t, { call, ana }) => {
  const path = '/v1/crypto/wallets'
  const wallet = {
    name: ' Cofre ',
    asset: 'USDT',
    network: 'TRON',
    address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    ownership: 'SELF_CUSTODY',
    holderName: 'Loja Teste',
    holderDocument: '11.222.333/0001-81',
  }
  for (const bad of [
    { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u' },
    { network: 'ETHEREUM' },
    { network: 'POLYGON', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD' },
    { asset: 'USDC', network: 'SOLANA', address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZ' },
    // Nobody can spend what these get.
    { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
    { network: 'ETHEREUM', address: `0x${'0'.repeat(36)}dEaD` },
  ])
    t.match(await signed(ana)('POST', path, { ...wallet, ...bad }), {
      status: 422,
      body: { code: 'ADDRESS_INVALID', field: 'address' },
    })
  t.match(await signed(ana)('POST', path, { ...wallet, asset: 'USDC' }), {
    status: 400,
    body: { errors: [{ field: 'network' }] },
  })
  t.match(await signed(ana)('POST', path, { ...wallet, ownership: 'PROVIDER' }), {
    status: 400,
    body: { errors: [{ field: 'providerName' }] },
  })
  t.match(await ana('POST', path, wallet), { status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } })
  const made = await signed(ana)('POST', path, wallet)
  t.match(made, {
    status: 201,
    body: { name: 'Cofre', status: 'COOLING_OFF', holderDocument: '**.222.333/****-**', providerName: null },
  })
  const { id } = made.body
  t.match(await signed(ana)('POST', path, wallet), {
    status: 409,
    body: { code: 'DUPLICATE', existingId: id },
  })
  await posted(call, '/v1/sandbox/clock/advance', { by: 'PT23H59M' })
  t.match(await ana('GET', `${path}/${id}`), { body: { status: 'COOLING_OFF' } })
  await posted(call, '/v1/sandbox/clock/advance', { by: 'PT1M' })
  t.match(await ana('GET', `${path}/${id}`), { body: { status: 'ACTIVE' } })
  t.match(await ana('DELETE', `${path}/${id}`), { status: 200, body: { status: 'INACTIVE' } })
  t.match(await ana('GET', `${path}?active=true`), { body: { data: [] } })
  t.match(await signed(ana)('POST', path, wallet), { status: 201 }, 'an address can be registered anew')
})

story(
  'in Production the product is off, and without a connection there is no charge',
  async (t, { service, own }) => {
    const key = await service.operate('keys create', { company: own.company.id, environment: 'production' })
    const call = caller(service.origin, key.secret)
    const body = { amount: 100, ...asked }
    t.match(await call('POST', '/v1/crypto/charges', body), {
      status: 403,
      body: { code: 'PRODUCT_NOT_ACTIVE' },
    })
    await service.operate('companies update', {
      id: own.company.id,
      environment: 'production',
      products: 'CRYPTO',
    })
    t.match(await call('POST', '/v1/crypto/charges', body), {
      status: 503,
      body: { code: 'PROVIDER_NOT_CONNECTED', rail: 'CRYPTO' },
    })
  },
)
