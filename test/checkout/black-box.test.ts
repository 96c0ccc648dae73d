import t from 'tap'
import { newMerchant, posted, startService } from '../e2e/service.ts'
import { askPage, cardJson, nonceIn, sendForm } from './payer.ts'

t.test('pages where payers pay, asked as programs ask', async (t) => {
  const service = await startService(t)
  const { call } = await newMerchant(service)
  const session = (body: object = {}) => posted(call, '/v1/checkout-sessions', { amount: 24_900, ...body })
  const link = (body: object = {}) =>
    posted(call, '/v1/payment-links', { name: 'Curso', title: 'Curso de barista', amount: 24_900, ...body })
  const read = async (id: string) => (await call('GET', `/v1/checkout-sessions/${id}`)).body

  await t.test('a session’s input: each fault names its field', async (t) => {
    for (const [body, field] of [
      [{ amount: 100, items: [{ name: 'x', quantity: 1, unitAmount: 99 }] }, 'amount'],
      [{ amount: 100, successUrl: 'javascript:alert(1)' }, 'successUrl'],
      [{ amount: 100, successUrl: 'https://a@b.example/' }, 'successUrl'],
      [{ amount: 100, cancelUrl: 'ftp://a.example/' }, 'cancelUrl'],
      [{ amount: 100, expiresInSeconds: 299 }, 'expiresInSeconds'],
      [{ amount: 100, embed: { origins: ['https://a.example/path'] } }, 'embed.origins[0]'],
    ] as const) {
      const answer = await call('POST', '/v1/checkout-sessions', body)
      t.equal(answer.status, 400, field)
      t.equal(answer.body.errors[0].field, field)
    }
  })

  await t.test('a link that is looked at a thousand times makes nothing', async (t) => {
    const { id, url } = await link()
    for (let n = 0; n < 1000; n++) await askPage(service, 'GET', url)
    t.match((await call('GET', `/v1/checkout-sessions?linkId=${id}`)).body, { data: [] })
    t.match((await call('GET', '/v1/transactions')).body, { data: [] })
  })

  await t.test(
    'a token with one other character, an id and a stranger’s path are the same page',
    async (t) => {
      const { id, url } = await session()
      const { origin, pathname } = new URL(url)
      const other = pathname.at(-1) === 'a' ? 'b' : 'a'
      const answers = await Promise.all(
        [
          `${pathname.slice(0, -1)}${other}`,
          `/c/${id}`,
          '/c/',
          '/l/x',
          '/v1/checkout-sessions',
          '/painel',
          '/healthz',
        ].map((path) => askPage(service, 'GET', origin + path)),
      )
      t.strictSame(
        answers.map(({ status, body }) => [status, body === answers[0]!.body]),
        answers.map(() => [404, true]),
      )
    },
  )

  await t.test('a form comes from our own page alone, and makes nothing otherwise', async (t) => {
    const { id, url } = await session()
    const { origin } = new URL(url)
    const { body } = await askPage(service, 'GET', url)
    const nonce = nonceIn(body)
    for (const [what, given, headers] of [
      ['no origin', nonce, {}],
      ['a foreign origin', nonce, { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
      ['a foreign site that names our origin', nonce, { Origin: origin, 'Sec-Fetch-Site': 'cross-site' }],
      ['no nonce', '', { Origin: origin }],
      [
        'a nonce with another number',
        nonce.replace(/^\d+/, (n) => String(Number(n) + 1)),
        { Origin: origin },
      ],
      [
        'a nonce of another session',
        nonceIn((await askPage(service, 'GET', (await session()).url)).body),
        { Origin: origin },
      ],
    ] as const) {
      const sent = await askPage(service, 'POST', `${url}/pay`, {
        form: { nonce: given, method: 'PIX' },
        headers,
      })
      t.equal(sent.status, 403, what)
    }
    t.match(await read(id), { status: 'OPEN', attempts: 0 })
    const right = await askPage(service, 'POST', `${url}/pay`, {
      form: { nonce, method: 'PIX' },
      headers: { Origin: origin },
    })
    t.equal(right.status, 303, 'an old browser, which says only its origin, is believed')
    t.equal(right.headers.location, new URL(url).pathname)
  })

  await t.test('the same form twice, and the page of another tab, make one charge', async (t) => {
    const { id, url } = await session()
    const { origin } = new URL(url)
    const nonce = nonceIn((await askPage(service, 'GET', url)).body)
    const headers = { Origin: origin }
    const sent = await Promise.all(
      ['PIX', 'PIX', 'CREDIT_CARD'].map((method) =>
        askPage(service, 'POST', `${url}/pay`, { form: { nonce, method, card: cardJson() }, headers }),
      ),
    )
    t.strictSame(
      sent.map(({ status }) => status),
      [303, 303, 303],
    )
    // Whichever came first: a card is decided at once, a PIX code waits.
    t.match(await read(id), { status: /PROCESSING|COMPLETED/, attempts: 1 })
    const { url: linkUrl, id: linkId } = await link()
    const { body } = await askPage(service, 'GET', linkUrl)
    const form = { nonce: nonceIn(body), method: 'PIX' }
    const twice = await Promise.all(
      [1, 2].map(() =>
        askPage(service, 'POST', `${linkUrl}/pay`, { form, headers: { Origin: new URL(linkUrl).origin } }),
      ),
    )
    t.equal(twice[0]!.headers.location, twice[1]!.headers.location)
    t.equal((await call('GET', `/v1/checkout-sessions?linkId=${linkId}`)).body.data.length, 1)
  })

  await t.test('a payment at a link is of origin LINK in the list and the event', async (t) => {
    const { id, url } = await link()
    const sent = await sendForm(service, url, 'pay', { method: 'CREDIT_CARD', card: cardJson() })
    t.equal(sent.status, 303)
    const { body } = await call('GET', '/v1/transactions?origin=LINK')
    t.match(body.data[0], { origin: 'LINK', status: 'APPROVED', checkout: { linkId: id } })
    t.match((await call('GET', `/v1/payment-links/${id}`)).body, { paymentsCount: 1, paidAmount: '24900' })
  })

  await t.test('three payments of ten at once: then it is sold out', async (t) => {
    const { id, url } = await link({ maxPayments: 3 })
    const sent = await Promise.all(
      Array.from({ length: 10 }, () =>
        sendForm(service, url, 'pay', { method: 'CREDIT_CARD', card: cardJson() }).catch(() => null),
      ),
    )
    t.equal(sent.filter((one) => one?.status === 303).length, 3)
    t.match((await call('GET', `/v1/payment-links/${id}`)).body, { status: 'EXHAUSTED', paymentsCount: 3 })
    t.match((await askPage(service, 'GET', url)).body, /Este link já foi pago/)
  })

  await t.test('an amount of the payer’s own is refused in words', async (t) => {
    const { url } = await link({ amount: undefined, amountMode: 'OPEN', minAmount: 1000, maxAmount: 50_000 })
    for (const amount of ['9,99', '500,01', '1e3', '10.5', '', '10,5000', '-20,00']) {
      const { status, body } = await sendForm(service, url, 'pay', { method: 'PIX', amount })
      t.equal(status, 422, amount)
      t.match(body, /Escreva um valor de R\$\u00a010,00 a R\$\u00a0500,00/)
    }
    t.equal((await sendForm(service, url, 'pay', { method: 'PIX', amount: '25,00' })).status, 303)
  })

  await t.test(
    'expired by the merchant while a code is out: the money that comes anyway is returned',
    async (t) => {
      const { id, url } = await session()
      await sendForm(service, url, 'pay', { method: 'PIX' })
      const transactionId = (await read(id)).transactionIds[0]
      await posted(call, `/v1/checkout-sessions/${id}/expire`, {})
      t.match(await read(id), { status: 'EXPIRED' })
      await call('POST', `/v1/sandbox/pix/charges/${transactionId}/pay`, {})
      t.match((await call('GET', `/v1/transactions/${transactionId}`)).body, { status: 'CANCELLED' })
      t.match((await askPage(service, 'GET', url)).body, /Esta página venceu/)
    },
  )

  await t.test('the last redemption of a coupon: the other payer is told before paying', async (t) => {
    await posted(call, '/v1/coupons', {
      code: 'ULTIMO',
      discountType: 'PERCENT',
      percentBps: 1000,
      maxRedemptions: 1,
    })
    const two = await Promise.all([1, 2].map(() => session({ couponCode: 'ULTIMO', allowCoupons: true })))
    const sent = [] as number[]
    for (const { url } of two) sent.push((await sendForm(service, url, 'pay', { method: 'PIX' })).status)
    t.strictSame(sent, [303, 409])
    const { body } = await askPage(service, 'GET', two[1].url)
    t.match(body, /R\$\u00a0249,00/)
    t.match(await read(two[1].id), { status: 'OPEN', discountAmount: '0', attempts: 0 })
  })

  await t.test(
    'a debit card without the answer of its bank is refused; it is offered where it is named',
    async (t) => {
      const plain = await posted(call, '/v1/checkout-sessions', { amount: 500 })
      t.notOk(plain.methods.includes('DEBIT_CARD'))
      const methods = ['DEBIT_CARD']
      const { url, id } = await posted(call, '/v1/checkout-sessions', {
        amount: 500,
        methods,
        threeDSecure: 'OFF',
      })
      for (const status of [undefined, 'UNAVAILABLE', 'NOT_AUTHENTICATED']) {
        const card = JSON.stringify({
          ...JSON.parse(cardJson()),
          ...(status && { threeDSecure: { status } }),
        })
        t.equal((await sendForm(service, url, 'pay', { method: 'DEBIT_CARD', card })).status, 422)
      }
      t.match((await call('GET', `/v1/checkout-sessions/${id}`)).body, { status: 'OPEN', transactionIds: [] })
      t.equal((await call('POST', '/v1/card-payments', { amount: 500, method: 'DEBIT_CARD' })).status, 400)
    },
  )

  await t.test(
    'a company whose limit is two cards: the third reaches no acquirer, and PIX goes on',
    async (t) => {
      const cautious = await newMerchant(service)
      await service.operate('companies checkout', {
        id: cautious.company.id,
        cardLimits: { perAddress: '2' },
      })
      const { id, url } = await posted(cautious.call, '/v1/payment-links', {
        name: 'x',
        title: 'x',
        amount: 1990,
      })
      const card = cardJson('tok_test_declined_05', '0028')
      for (let n = 0; n < 3; n++) {
        const { status, headers } = await sendForm(service, url, 'pay', { method: 'CREDIT_CARD', card })
        t.equal(status, 303)
        const { body } = await askPage(service, 'GET', new URL(headers.location as string, url).href)
        t.match(body, /class="notice" role="status"/, 'declined or stopped by us, it is a page that says so')
        t.notMatch(body, /limite/i)
      }
      const { data } = (await cautious.call('GET', `/v1/checkout-sessions?linkId=${id}`)).body
      t.strictSame(
        data.map(({ attempts }: { attempts: number }) => attempts),
        [0, 1, 1],
      )
      t.equal((await sendForm(service, url, 'pay', { method: 'PIX' })).status, 303)
    },
  )

  await t.test('other hosts and forwarded headers change no address', async (t) => {
    const { url } = await session({ successUrl: 'https://loja.example/ok?pedido={SESSION_ID}' })
    const sent = await sendForm(
      service,
      url,
      'pay',
      { method: 'CREDIT_CARD', card: cardJson() },
      {
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'https',
        Forwarded: 'host=evil.example',
      },
    )
    t.equal(sent.headers.location, new URL(url).pathname)
    const { body } = await askPage(service, 'GET', `${url}?successUrl=https://evil.example`)
    t.notMatch(body, /evil\.example/)
    t.match(
      body,
      /https:\/\/loja\.example\/ok\?pedido=cks_[0-9A-Z]+&amp;session_id=cks_[0-9A-Z]+&amp;status=COMPLETED/,
    )
  })

  await t.test('texts of the merchant and the payer are texts', async (t) => {
    const evil = '<script>alert(1)</script>"\'&'
    const { url } = await session({
      description: evil,
      items: undefined,
      customFields: [{ key: 'a', label: evil.slice(0, 60) }],
    })
    const { body, headers } = await askPage(service, 'GET', url)
    t.notMatch(body, /<script>alert/)
    t.match(body, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
    t.match(headers['content-security-policy'], /script-src 'self'; /)
    const back = await sendForm(service, url, 'pay', { method: 'BOLETO', name: evil, document: evil })
    t.equal(back.status, 422)
    t.notMatch(back.body, /<script>alert/)
  })

  await t.test('a card’s number in the form is refused, whatever field it is in', async (t) => {
    const { id, url } = await session()
    for (const card of [
      JSON.stringify({ token: '4111111111111111', brand: 'VISA', last4: '1111' }),
      JSON.stringify({ token: 'tok_x', number: '4111111111111111', brand: 'VISA', last4: '1111' }),
      '4111111111111111',
      '{',
    ])
      t.equal((await sendForm(service, url, 'pay', { method: 'CREDIT_CARD', card })).status, 422)
    t.match(await read(id), { attempts: 0 })
  })

  await t.test('Sandbox pages say that they are; a company’s page tells its legal name', async (t) => {
    const { url } = await session()
    const { body } = await askPage(service, 'GET', url)
    t.match(body, /Ambiente de teste/)
    t.match(body, /Loja Teste · CNPJ 11\.222\.333\/0001-81/)
    const live = await newMerchant(service, { environment: 'production', name: 'Loja Viva' })
    const own = await posted(live.call, '/v1/checkout-sessions', { amount: 500, methods: ['PIX'] })
    const page = await askPage(service, 'GET', own.url)
    t.notMatch(page.body, /Ambiente de teste/)
    t.equal((await call('GET', `/v1/checkout-sessions/${own.id}`)).status, 404)
  })
})

t.test('who guesses addresses of pages is asked to wait, and payers are not', async (t) => {
  const service = await startService(t, { env: { RATE_LIMIT: '1000' } })
  service.expectLimit('RATE_LIMITED')
  const { call } = await newMerchant(service)
  const { url } = await posted(call, '/v1/checkout-sessions', { amount: 500 })
  const guess = `${url.slice(0, -1)}${url.endsWith('a') ? 'b' : 'a'}`
  // Thirty a minute: no machine is so slow that as many come back while these are asked.
  const answers = await Promise.all(Array.from({ length: 120 }, () => askPage(service, 'GET', guess)))
  const refused = answers.filter(({ status }) => status === 429)
  t.equal(answers.filter(({ status }) => status === 404).length + refused.length, 120)
  t.ok(refused.length > 0 && refused.length <= 90)
  for (const { headers } of refused) t.match(headers['retry-after'], /^[1-9]\d?$/)
  t.equal((await askPage(service, 'GET', url)).status, 200)
})
