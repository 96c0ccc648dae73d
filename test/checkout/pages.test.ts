import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import t from 'tap'
import { openTab, startBrowser, tabTo, violationsOf, wcag } from '../dashboard/browser.ts'
import { newMerchant, posted, type Scope, startService } from '../e2e/service.ts'
import { payByCard, typeCard } from './payer.ts'

/** The pixels of a picture, which a browser decodes. */
const pixelsOf = async (page: Page, png: Buffer) => {
  const blank = await page.context().newPage()
  try {
    const [width, height, data] = (await blank.evaluate(`new Promise((resolve) => {
      const image = new Image()
      image.onload = () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
        const context = canvas.getContext('2d')
        context.drawImage(image, 0, 0)
        resolve([image.width, image.height, [...context.getImageData(0, 0, image.width, image.height).data]])
      }
      image.src = 'data:image/png;base64,${png.toString('base64')}'
    })`)) as [number, number, number[]]
    return { width, height, data: Uint8ClampedArray.from(data) }
  } finally {
    await blank.close()
  }
}

/** A card of American Express whose bank is out of reach. */
const awayNumber = '370000000000044'

t.test('the pages where payers pay, in a browser', async (t) => {
  const service = await startService(t)
  const { call, company } = await newMerchant(service)
  const browser = await startBrowser(t)
  const session = (body: object = {}) =>
    posted(call, '/v1/checkout-sessions', { amount: 24_900, description: 'Curso de barista', ...body })
  const read = async (id: string) => (await call('GET', `/v1/checkout-sessions/${id}`)).body
  const payPix = async (id: string) =>
    posted(call, `/v1/sandbox/pix/charges/${(await read(id)).transactionIds.at(-1)}/pay`, {})
  const open = (scope: Scope, options: BrowserContextOptions = {}) => openTab(scope, browser, options)

  /** The page of a session, opened by a payer who has taken one method. */
  const takePix = async (page: Page, url: string): Promise<void> => {
    await page.goto(url)
    await page.locator('button.primary').press('Enter')
    await page.locator('.qr').waitFor()
  }

  await t.test(
    'every state is well on every screen, in both languages and themes, with and without scripts',
    async (t) => {
      const shop = {
        items: Array.from({ length: 4 }, (_, n) => ({
          name: `Café especial de nome bem comprido número ${n}`,
          quantity: 2,
          unitAmount: 4990,
        })),
        amount: undefined,
        collect: { name: 'REQUIRED', document: 'REQUIRED', phone: 'OPTIONAL', address: 'REQUIRED' },
        customFields: [{ key: 'size', label: 'Tamanho', type: 'OPTION', options: ['P', 'M'] }],
        allowCoupons: true,
        cancelUrl: 'https://loja.example/',
      }
      const boleto = { methods: ['BOLETO'], collect: { email: 'HIDDEN' } }
      const states: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
        choose: async (page) =>
          page.goto(
            (await session({ installments: { max: 12, interestFreeUpTo: 3, monthlyRateBps: 199 } })).url,
          ),
        order: async (page) => page.goto((await session(shop)).url),
        faults: async (page) => {
          await page.goto((await session(boleto)).url)
          await page.locator('button.primary').press('Enter')
          await page.locator('#errors').waitFor()
        },
        pix: async (page) => takePix(page, (await session({ methods: ['PIX'] })).url),
        boleto: async (page) => {
          await page.goto((await session(boleto)).url)
          await page.fill('#name', 'Ana Souza')
          await page.fill('#document', '529.982.247-25')
          await page.locator('button.primary').press('Enter')
          await page.locator('.barcode').waitFor()
        },
        stablecoin: async (page) => takePix(page, (await session({ methods: ['CRYPTO'] })).url),
        paid: async (page) => {
          const { id, url } = await session({ methods: ['PIX'], successUrl: 'http://localhost:1/ok' })
          await takePix(page, url)
          await payPix(id)
          await page.goto(url)
          await page.locator('.tick').waitFor()
        },
        expired: async (page) => {
          const { id, url } = await session()
          await posted(call, `/v1/checkout-sessions/${id}/expire`, {})
          await page.goto(url)
        },
        link: async (page) =>
          page.goto(
            (
              await posted(call, '/v1/payment-links', {
                name: 'x',
                title: 'Doação',
                amountMode: 'OPEN',
                suggestedAmounts: [2000, 5000],
                allowCoupons: true,
              })
            ).url,
          ),
        unknown: async (page) => page.goto((await session()).url.replace(/\/c\/.*/, '/c/none')),
      }
      const screens = [
        { width: 320, colorScheme: 'light', locale: 'pt-BR', javaScriptEnabled: true },
        { width: 390, colorScheme: 'dark', locale: 'en-US', javaScriptEnabled: false },
        { width: 768, colorScheme: 'light', locale: 'en-US', javaScriptEnabled: true },
        { width: 1280, colorScheme: 'dark', locale: 'pt-BR', javaScriptEnabled: false },
      ] as const
      for (const { width, locale, ...options } of screens) {
        const { page, troubles } = await open(t, { ...options, locale, viewport: { width, height: 780 } })
        for (const [name, enter] of Object.entries(states)) {
          const state = `${name} at ${width}, ${options.colorScheme}`
          await enter(page)
          if (locale === 'en-US' && name !== 'unknown' && name !== 'faults')
            await page.goto(`${page.url()}?lang=en`)
          if (options.javaScriptEnabled) t.strictSame(await violationsOf(page, wcag), [], state)
          const [scroll, least] = (await page.evaluate(
            `[document.documentElement.scrollWidth - innerWidth, Math.min(...[...document.querySelectorAll('button, .button')].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().height))]`,
          )) as [number, number]
          t.ok(scroll <= 0, `${state} scrolls ${scroll} px sideways`)
          t.ok(least >= 44, `${state} has a button of ${least} px`)
        }
        t.strictSame(troubles, [])
      }
    },
  )

  await t.test('what a camera sees is the code that can be copied, in both themes', async (t) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open(t, { colorScheme, viewport: { width: 390, height: 780 } })
      await takePix(page, (await session({ methods: ['PIX'] })).url)
      const copied = await page.locator('[data-copy]').first().getAttribute('data-copy')
      t.equal(decodeQR(await pixelsOf(page, await page.locator('.qr').screenshot())), copied, colorScheme)
    }
  })

  await t.test('the worst colours that a company can choose can be read', async (t) => {
    for (const [accent, colorScheme] of [
      ['#ffff00', 'light'],
      ['#000000', 'dark'],
      ['#777777', 'dark'],
    ] as const) {
      await service.operate('companies checkout', { id: company.id, accent })
      const { page } = await open(t, { colorScheme, viewport: { width: 390, height: 780 } })
      await page.goto((await session({ allowCoupons: true })).url)
      t.strictSame(await violationsOf(page, ['wcag2aa']), [], `${accent} in ${colorScheme}`)
    }
    await service.operate('companies checkout', { id: company.id, accent: '' })
  })

  await t.test('a page weighs little, and asks no other host', async (t) => {
    const { page } = await open(t)
    const asked: { readonly url: string; readonly bytes: number }[] = []
    page.on('response', async (response) => {
      asked.push({ url: response.url(), bytes: (await response.body().catch(() => Buffer.alloc(0))).length })
    })
    const { url } = await session({ methods: ['PIX', 'BOLETO'] })
    await takePix(page, url)
    await page.waitForLoadState()
    const { host } = new URL(url)
    t.strictSame([...new Set(asked.map((one) => new URL(one.url).host))], [host])
    const svg = Number(await page.evaluate(`document.querySelector('.qr img').src.length`))
    t.ok(svg <= 8192, `the QR code has ${svg} bytes`)
    const first = asked.filter(({ url }) => !url.endsWith('/pay') && !url.endsWith('/events'))
    const bytes = first.reduce((sum, one) => sum + one.bytes, 0) - svg
    t.ok(bytes < 50_000, `two pages, style and script have ${bytes} bytes`)
  })

  await t.test('a PIX that is paid while the page is open shows by itself', async (t) => {
    const { page, troubles } = await open(t)
    const { id, url } = await session()
    await takePix(page, url)
    await payPix(id)
    await page.locator('.tick').waitFor()
    t.match(await page.locator('h1').textContent(), 'Pagamento aprovado')
    t.equal(await page.title(), 'Pagamento aprovado · Loja Teste')
    t.strictSame(troubles, [])
  })

  await t.test('the same where the stream does not come through', async (t) => {
    const { page } = await open(t)
    await page.route('**/events', (route) => route.fulfill({ status: 204 }))
    const { id, url } = await session()
    await takePix(page, url)
    await payPix(id)
    await page.locator('.tick').waitFor()
  })

  await t.test('the same without scripts, loaded anew', async (t) => {
    const { page } = await open(t, { javaScriptEnabled: false })
    const { id, url } = await session()
    await takePix(page, url)
    t.match(await page.content(), /<noscript><meta http-equiv="refresh" content="10"><\/noscript>/)
    await payPix(id)
    await page.getByText('Já paguei').press('Enter')
    await page.locator('.tick').waitFor()
  })

  await t.test('the code is copied, or selected where the browser does not allow it', async (t) => {
    const { page } = await open(t)
    await takePix(page, (await session()).url)
    const code = await page.locator('#code').inputValue()
    await page.evaluate(
      `Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text } }, configurable: true })`,
    )
    await page.locator('[data-copy]').first().press('Enter')
    await page.getByText('Código copiado').waitFor()
    t.equal(await page.evaluate('window.copied'), code)
    await page.evaluate(
      `Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => { throw new Error('denied') } }, configurable: true })`,
    )
    await page.locator('[data-copy]').first().press('Enter')
    await page.getByText('Selecione o texto abaixo e copie.').waitFor()
    t.equal(
      await page.evaluate(
        `{ const box = document.activeElement; box.value.slice(box.selectionStart, box.selectionEnd) }`,
      ),
      code,
    )
  })

  await t.test('a code that expires in view is replaced by a new one', async (t) => {
    const own = await newMerchant(service)
    const { page } = await open(t)
    const { id, url } = await posted(own.call, '/v1/checkout-sessions', { amount: 900 })
    await takePix(page, url)
    const before = await page.locator('#code').inputValue()
    await posted(own.call, '/v1/sandbox/clock/advance', { by: 'PT31M' })
    await page.getByText('O código PIX venceu').waitFor()
    await page.locator('button.primary').press('Enter')
    await page.locator('.qr').waitFor()
    t.not(await page.locator('#code').inputValue(), before)
    t.match((await own.call('GET', `/v1/checkout-sessions/${id}`)).body, {
      attempts: 2,
      status: 'PROCESSING',
    })
  })

  await t.test(
    'little time left is offered to be prolonged, and nothing that was typed is lost',
    async (t) => {
      const { page, troubles } = await open(t)
      await page.clock.install()
      const { id, url } = await session({ expiresInSeconds: 300, collect: { name: 'REQUIRED' } })
      const before = await read(id)
      await page.goto(url)
      const ask = page.getByRole('button', { name: 'Preciso de mais tempo' })
      t.notOk(await ask.isVisible(), 'four minutes are enough')
      await page.fill('#name', 'Ana Souza')
      await page.locator('label:has([value=CREDIT_CARD])').click()
      await typeCard(page.frameLocator('#card-frame'), '4000 0000 0000 0010')
      await page.clock.fastForward('04:10')
      const says = page.locator('.more-time [role=status]')
      await says.getByText('O tempo para pagar está acabando.').waitFor()
      t.strictSame(await violationsOf(page, wcag), [], 'the offer')
      await ask.press('Enter')
      await says.getByText('Pronto: você tem 7 minutos para pagar.').waitFor()
      t.ok(await says.evaluate((one) => one.matches(':focus')), 'it has the focus')
      t.notOk(await ask.isVisible(), 'only once')
      await page.locator('time', { hasText: '7 minutos' }).waitFor()
      const after = await read(id)
      t.equal(Date.parse(after.expiresAt) - Date.parse(before.expiresAt), 150_000)
      t.equal(after.version, before.version + 1)
      await page.locator('button.primary').press('Enter')
      await page.locator('.tick').waitFor()
      t.match(await read(id), { status: 'COMPLETED', customer: { name: 'Ana Souza' } })
      t.strictSame(troubles, [])
    },
  )

  await t.test('the same without scripts, and while a code is out', async (t) => {
    const own = await newMerchant(service)
    const made = () =>
      posted(own.call, '/v1/checkout-sessions', {
        amount: 900,
        methods: ['PIX', 'BOLETO'],
        expiresInSeconds: 300,
        collect: { name: 'REQUIRED' },
      })
    const { page } = await open(t, { javaScriptEnabled: false })
    const { url } = await made()
    await page.goto(url)
    await page.fill('#name', 'Ana Souza')
    const ask = page.getByRole('button', { name: 'Preciso de mais tempo' })
    await ask.press('Enter')
    await page.getByRole('status').getByText('Pronto: você tem 7 minutos').waitFor()
    t.equal(await page.inputValue('#name'), 'Ana Souza')
    t.equal(await ask.count(), 0)
    await page.locator('button.primary').press('Enter')
    await page.locator('.qr').waitFor()

    const other = await made()
    await page.goto(other.url)
    await page.fill('#name', 'Ana Souza')
    await page.locator('button.primary').press('Enter')
    await page.locator('.qr').waitFor()
    await posted(own.call, '/v1/sandbox/clock/advance', { by: 'PT4M30S' })
    await page.goto(`${other.url}?lang=en`)
    await page.getByText('The code above keeps its own end.').waitFor()
    await page.getByRole('button', { name: 'I need more time' }).press('Enter')
    await page.getByRole('status').getByText('Done: you have 2 minutes to pay.').waitFor()
    await posted(own.call, '/v1/sandbox/clock/advance', { by: 'PT1M' })
    await page.goto(other.url)
    await page.getByText('O código PIX venceu').waitFor()
    await posted(own.call, '/v1/sandbox/clock/advance', { by: 'PT2M' })
    t.match((await own.call('GET', `/v1/checkout-sessions/${other.id}`)).body, { status: 'EXPIRED' })
  })

  await t.test('another method, and back: one charge is live at any time', async (t) => {
    const { page } = await open(t)
    const { id, url } = await session()
    await takePix(page, url)
    await page.getByText('Escolher outra forma').press('Enter')
    await page.locator('.methods').waitFor()
    await payByCard(page, '4000 0000 0000 0028')
    await page.getByText('O cartão não tem limite').waitFor()
    await page.locator('label:has([value=PIX])').click()
    await page.locator('button.primary').press('Enter')
    await page.locator('.qr').waitFor()
    const { transactionIds } = await read(id)
    const statuses = await Promise.all(
      transactionIds.map(async (one: string) => (await call('GET', `/v1/transactions/${one}`)).body.status),
    )
    t.strictSame(statuses, ['CANCELLED', 'DECLINED', 'PENDING'])
  })

  await t.test('every test card ends as it is printed', async (t) => {
    const { page, troubles } = await open(t)
    for (const [number, text] of [
      ['4000000000000010', 'Pagamento aprovado'],
      ['4000000000000002', 'O banco não autorizou'],
      ['4000000000000093', 'O banco não autorizou'],
      ['4000000000000085', 'O cartão está bloqueado'],
      ['4000000000000077', 'Os dados do cartão'],
      ['4000000000000028', 'O cartão não tem limite'],
      ['4000000000000069', 'Processando o pagamento'],
      ['370000000000051', 'Pagamento aprovado'],
    ] as const) {
      await page.goto((await session({ methods: ['CREDIT_CARD'] })).url)
      await typeCard(page.frameLocator('#card-frame'), number)
      await page.locator('button.primary').press('Enter')
      await page.getByText(text).first().waitFor()
    }
    await page.goto((await session({ methods: ['CREDIT_CARD'] })).url)
    const frame = page.frameLocator('#card-frame')
    await typeCard(frame, '4111 1111 1111 1111')
    await page.locator('button.primary').press('Enter')
    await frame.locator('#number-error').getByText('Só os números de teste').waitFor()
    t.strictSame(troubles, [])
  })

  await t.test(
    'the bank of a card asks its holder: confirmed, cancelled, without an answer, out of reach',
    async (t) => {
      const { page, troubles } = await open(t)
      const ask = async (number: string, body: object = {}) => {
        const made = await session({ methods: ['CREDIT_CARD'], ...body })
        await page.goto(made.url)
        const frame = page.frameLocator('#card-frame')
        await typeCard(frame, number)
        await page.locator('button.primary').press('Enter')
        return { ...made, frame }
      }
      const cardOf = async (id: string) =>
        (await call('GET', `/v1/transactions/${(await read(id)).transactionId}`)).body.card.threeDSecure

      const confirmed = await ask('4000000000000044')
      await confirmed.frame.locator('#asked').waitFor()
      t.ok(
        await page
          .frameLocator('#card-frame')
          .locator('#asked')
          .evaluate((one) => one.matches(':focus')),
        'it has the focus',
      )
      await confirmed.frame.locator('#confirm').press('Enter')
      await page.locator('.tick').waitFor()
      t.strictSame(await cardOf(confirmed.id), { status: 'AUTHENTICATED', eci: '05' })

      const cancelled = await ask('4000000000000044')
      await cancelled.frame.locator('#asked').waitFor()
      await cancelled.frame.locator('#cancel').press('Enter')
      await page.getByText('O banco não confirmou').first().waitFor()
      t.match(await read(cancelled.id), { status: 'OPEN', attempts: 0 })

      await page.clock.install()
      const silent = await ask('4000000000000044')
      await silent.frame.locator('#asked').waitFor()
      await page.clock.fastForward('06:00')
      await page.getByText('O banco não confirmou').first().waitFor()
      t.match(await read(silent.id), { status: 'OPEN', attempts: 0 })

      const away = await ask(awayNumber)
      await page.locator('.tick').waitFor()
      t.strictSame(await cardOf(away.id), { status: 'UNAVAILABLE', eci: null })
      await ask(awayNumber, { threeDSecure: 'REQUIRED' })
      await page.getByText('O banco não confirmou').first().waitFor()
      const off = await ask('4000000000000044', { threeDSecure: 'OFF' })
      await page.locator('.tick').waitFor()
      t.equal(await cardOf(off.id), null)
      t.strictSame(troubles, [])
    },
  )

  await t.test('instalments with interest: what the payer chose is what is charged', async (t) => {
    const { page } = await open(t)
    const { id, url } = await session({
      methods: ['CREDIT_CARD'],
      installments: { max: 12, interestFreeUpTo: 3, monthlyRateBps: 199 },
    })
    await page.goto(url)
    const option = await page.locator('#installments option').last().textContent()
    t.equal(option, '12x de R$\u00a023,54 (total R$\u00a0282,48)')
    await page.locator('#installments').selectOption('12')
    t.equal(await page.locator('.total [data-sum]').textContent(), 'R$\u00a0282,48', 'in view')
    await typeCard(page.frameLocator('#card-frame'), '4000000000000010')
    await page.locator('button.primary').press('Enter')
    await page.locator('.tick').waitFor()
    t.match(await read(id), { totalAmount: '28248', interestAmount: '3348' })
    t.match(await page.locator('dl').textContent(), /R\$\u00a0282,48/)
  })

  await t.test('a debit card is paid at once, once its bank has asked its holder', async (t) => {
    const { page } = await open(t)
    const methods = ['CREDIT_CARD', 'DEBIT_CARD']
    const { id, url } = await session({
      amount: 60_000,
      methods,
      installments: { max: 3 },
      threeDSecure: 'OFF',
    })
    await page.goto(url)
    await page.locator('label:has([value=DEBIT_CARD])').click()
    t.notOk(await page.locator('#installments').isVisible(), 'it is paid at once')
    await typeCard(page.frameLocator('#card-frame'), '4000 0000 0000 0044')
    await page.locator('button.primary').press('Enter')
    await page.frameLocator('#card-frame').locator('#cancel').click()
    await page.locator('#errors').waitFor()
    t.ok(await page.locator('#by-DEBIT_CARD').isChecked(), 'the choice stays')
    await typeCard(page.frameLocator('#card-frame'), '4000 0000 0000 0044')
    await page.locator('button.primary').press('Enter')
    await page.frameLocator('#card-frame').locator('#confirm').click()
    await page.locator('.tick').waitFor()
    t.match(await page.locator('main').innerText(), 'Cartão de débito •••• 0044')
    const { transactionId } = await read(id)
    t.match((await call('GET', `/v1/transactions/${transactionId}`)).body, {
      status: 'APPROVED',
      method: 'DEBIT_CARD',
      feeAmount: '1194',
      installments: 1,
      card: { threeDSecure: { status: 'AUTHENTICATED' } },
    })
  })

  await t.test('two tabs, and the back button after a payment: one payment', async (t) => {
    const { page, context } = await open(t)
    const { id, url } = await session()
    const other = await context.newPage()
    await other.goto(url)
    await takePix(page, url)
    await other.locator('button.primary').press('Enter')
    await other.locator('.qr').waitFor()
    t.equal((await read(id)).attempts, 1)
    await payPix(id)
    await page.locator('.tick').waitFor()
    await other.locator('.tick').waitFor()
    await page.goBack()
    await page.locator('.tick').waitFor()
  })

  await t.test('by keyboard alone', async (t) => {
    const { page } = await open(t)
    const { id, url } = await session({ methods: ['PIX', 'CREDIT_CARD'] })
    await page.goto(url)
    await tabTo(page.locator('#by-PIX'))
    await page.keyboard.press('Enter')
    await page.locator('.qr').waitFor()
    await tabTo(page.locator('[data-copy]').first())
    t.equal((await read(id)).status, 'PROCESSING')
  })

  await t.test('a telephone whose clock is a day ahead counts down all the same', async (t) => {
    const { page } = await open(t)
    await page.clock.setSystemTime(Date.now() + 86_400_000)
    await takePix(page, (await session()).url)
    t.match(await page.locator('[role=timer]').textContent(), /29 minutos|30 minutos/)
  })

  await t.test('without a line for a while, the page finds the payment once it is back', async (t) => {
    const { page, context } = await open(t)
    await page.route('**/events', (route) => route.fulfill({ status: 204 }))
    const { id, url } = await session()
    await takePix(page, url)
    await context.setOffline(true)
    await payPix(id)
    await page.waitForEvent('requestfailed')
    await context.setOffline(false)
    await page.locator('.tick').waitFor()
  })

  await t.test('a boleto has its line, its PDF and its PIX code; it cannot be left at once', async (t) => {
    const { page } = await open(t)
    const { id, url } = await session({
      methods: ['BOLETO', 'PIX'],
      customer: { name: 'Ana Souza', document: '52998224725' },
    })
    await page.goto(url)
    await page.locator('button.primary').press('Enter')
    await page.locator('.barcode').waitFor()
    const { body } = await call('GET', `/v1/transactions/${(await read(id)).transactionIds[0]}`)
    t.equal((await page.locator('#code').inputValue()).replace(/\D/g, ''), body.boleto.digitableLine)
    const pdf = await page.request.get(`${url.replace(/pay\.localhost/, '127.0.0.1')}/boleto.pdf`, {
      headers: { Host: new URL(url).host },
    })
    t.equal(pdf.headers()['content-type'], 'application/pdf')
    await page.getByText('Escolher outra forma').press('Enter')
    await page.getByText('só pode ser trocado depois de').waitFor()
    t.equal((await read(id)).status, 'PROCESSING')
  })

  await t.test('a merchant’s page that is named may show it in a frame, another may not', async (t) => {
    const { page } = await open(t)
    const shop = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html))
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    t.teardown(() => shop.close())
    const { port } = shop.address() as AddressInfo
    const embed = { origins: [`http://shop.localhost:${port}`] }
    const { id, url } = await session({ embed, cancelUrl: 'https://loja.example.com/carrinho' })
    const html = `<!doctype html><script src="${new URL(url).origin}/embed.v1.js"></script>
<script>addEventListener('load', () => PaymentPage.open('${url}', { onReady: () => { document.title = 'ready' }, onCompleted: (id) => { document.title = id }, onClosed: () => { document.title = 'closed' } }))</script>`
    await page.goto(`http://shop.localhost:${port}/`)
    const frame = page.frameLocator('dialog iframe')
    await page.waitForFunction(`document.title === 'ready'`)
    const fits = async (): Promise<void> => {
      const height = await frame.locator('body').evaluate((body) => body.offsetHeight)
      // As high as the page, with its cross, unless the window is lower.
      const wanted = `Math.min(${height + 44}, innerHeight)`
      await page.waitForFunction(`Math.abs(document.querySelector('dialog').offsetHeight - ${wanted}) <= 1`)
    }
    await fits()
    for (const leave of [
      async () => {
        await frame.locator('button.primary').focus()
        await page.keyboard.press('Escape')
      },
      () => frame.locator('[data-leaves]').click(),
    ]) {
      await leave()
      await page.waitForFunction(`document.title === 'closed'`)
      await page.goto(`http://shop.localhost:${port}/`)
      await page.waitForFunction(`document.title === 'ready'`)
    }
    await frame.locator('button.primary').press('Enter')
    await frame.locator('.qr').waitFor()
    await fits()
    await payPix(id)
    await page.waitForFunction(`document.title === '${id}'`)
    await page.getByTitle('Fechar').click()
    await page.waitForFunction(`document.title === 'closed'`)
    t.equal(await page.locator('dialog').count(), 0)
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.goto(`http://evil.localhost:${port}/`)
    await refused
  })
})
