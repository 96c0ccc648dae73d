import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { openTab, startBrowser, violationsOf, wcag } from '../dashboard/browser.ts'
import { newMerchant, posted, startService, until } from '../e2e/service.ts'
import { sendForm } from './payer.ts'

/** With a folder in it, what a payer sees is also left there as pictures. */
const pictures = process.env.SCREENSHOTS

/** Pix Automático where payers meet it: in the portal of a customer, and on a page that sells a plan (rails, section 4). */
t.test('a payer and their mandates, in a browser', async (t) => {
  const service = await startService(t)
  const { call } = await newMerchant(service)
  const browser = await startBrowser(t)
  const plan = (body: object = {}) =>
    posted(call, '/v1/plans', { name: 'Clube', amount: 4900, interval: 'MONTH', methods: ['PIX'], ...body })
  const subscribe = async (pixAutomatic: object, of: object = {}) => {
    const customer = await posted(call, '/v1/customers', { name: 'Ana Souza', document: '52998224725' })
    const { id: planId } = await plan(of)
    const made = await posted(call, '/v1/subscriptions', {
      ...{ planId, customerId: customer.id, method: 'PIX', pixAutomatic },
    })
    const { url } = await posted(call, '/v1/portal-sessions', {
      ...{ customerId: customer.id, returnUrl: 'http://localhost:1/conta' },
    })
    return { id: made.id as string, url: url as string }
  }
  const read = async (id: string) => (await call('GET', `/v1/subscriptions/${id}`)).body
  const decide = async (id: string, result: string, more: object = {}) =>
    posted(call, `/v1/sandbox/mandates/${(await read(id)).pixMandate.id}/resolve`, { result, ...more })
  const screens = [
    { viewport: { width: 320, height: 780 }, colorScheme: 'light', locale: 'pt-BR' },
    { viewport: { width: 1280, height: 800 }, colorScheme: 'dark', locale: 'en-US' },
  ] as const
  const tabs = await Promise.all(screens.map((screen) => openTab(t, browser, screen)))

  /** Looks at a page on every screen: that it says this, can be read, and fits. */
  const looks = async (name: string, url: string, says: Readonly<Record<string, RegExp>>): Promise<void> => {
    for (const [n, { page }] of tabs.entries()) {
      const { locale, viewport } = screens[n]!
      await page.goto(url)
      t.match(await page.locator('main').innerText(), says[locale], `${name} in ${locale}`)
      t.strictSame(await violationsOf(page, wcag), [], `${name} in ${locale}`)
      const wide = Number(await page.evaluate(`document.documentElement.scrollWidth - innerWidth`))
      t.ok(wide <= 0, `${name} at ${viewport.width} scrolls ${wide} px sideways`)
      if (pictures === undefined) continue
      mkdirSync(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, `${name}-${viewport.width}.png`), fullPage: true })
    }
  }
  const codeOn = (page: Page) => page.locator('[data-copy]').first().getAttribute('data-copy')

  await t.test('one code pays the first invoice and authorizes those that follow', async (t) => {
    const { id, url } = await subscribe({})
    await looks('offered', url, {
      'pt-BR': /Aguardando a sua autorização/,
      'en-US': /Waiting for your author/,
    })
    const { latestInvoice, pixMandate } = await read(id)
    await looks('composite', `${url}/invoice/${latestInvoice.id}`, {
      'pt-BR': /paga esta fatura e autoriza as próximas/,
      'en-US': /pays this invoice, and authorizes/,
    })
    t.equal(await codeOn(tabs[0]!.page), pixMandate.copyPaste)
    await looks('with-invoice', `${url}/mandate/${id}`, {
      'pt-BR': /no código da sua fatura em aberto/,
      'en-US': /part of the code of your open invoice/,
    })
    await posted(call, `/v1/sandbox/pix/charges/${latestInvoice.payment.transactionId}/pay`, {})
    await decide(id, 'ACCEPTED', { maximumAmount: 9900 })
    await looks('active', url, {
      'pt-BR': /Autorizado[\s\S]*R\$\s49,00[\s\S]*R\$\s99,00/,
      'en-US': /Authorized/,
    })
    t.notMatch(await tabs[0]!.page.locator('main').innerText(), /Autorizar/)
  })

  await t.test('an invoice that the payer’s bank pays says so, and shows no code', async (t) => {
    const { id, url } = await subscribe({})
    const { latestInvoice } = await read(id)
    await posted(call, `/v1/sandbox/pix/charges/${latestInvoice.payment.transactionId}/pay`, {})
    await decide(id, 'ACCEPTED')
    await posted(call, '/v1/sandbox/clock/advance', { by: 'P27D' })
    await until(async () => (await read(id)).latestInvoice.id !== latestInvoice.id)
    const next = (await read(id)).latestInvoice
    const { url: later } = await posted(call, '/v1/portal-sessions', {
      ...{ customerId: (await read(id)).customerId, returnUrl: 'http://localhost:1/conta' },
    })
    t.not(later, url)
    await looks('debited', `${later}/invoice/${next.id}`, {
      'pt-BR': /O seu banco vai pagar esta fatura/,
      'en-US': /Your bank will pay this invoice/,
    })
    t.equal(await tabs[0]!.page.locator('.qr').count(), 0)
    await looks('waits-for-bank', later, { 'pt-BR': /O seu banco vai pagar/, 'en-US': /Your bank will pay/ })
    t.equal(await tabs[0]!.page.locator('main .primary').count(), 0)
  })

  await t.test('a code that authorizes alone says that nothing is charged', async (t) => {
    const { id, url } = await subscribe({}, { trialDays: 7 })
    await looks('alone', `${url}/mandate/${id}`, {
      'pt-BR': /só autoriza: nada é cobrado agora/,
      'en-US': /only authorizes: nothing is charged now/,
    })
    t.equal(await codeOn(tabs[0]!.page), (await read(id)).pixMandate.copyPaste)
  })

  await t.test('a payer whose bank asks them is told to look there', async (t) => {
    const { id, url } = await subscribe({
      payerAccount: { ispb: '60701190', branch: '1234', account: '567890' },
    })
    await looks('notification', `${url}/mandate/${id}`, {
      'pt-BR': /O seu banco vai pedir a autorização/,
      'en-US': /Your bank will ask/,
    })
    t.equal(await tabs[0]!.page.locator('.qr').count(), 0)
  })

  await t.test(
    'a mandate that has ended is offered once more, by a code that authorizes alone',
    async (t) => {
      const { id, url } = await subscribe({})
      const { latestInvoice, pixMandate: first } = await read(id)
      await posted(call, `/v1/sandbox/pix/charges/${latestInvoice.payment.transactionId}/pay`, {})
      await decide(id, 'ACCEPTED')
      await decide(id, 'CANCELLED', { code: 'ACCL' })
      await looks('ended', `${url}/mandate/${id}`, {
        'pt-BR': /Encerrado por você, no seu banco/,
        'en-US': /You ended it at your bank/,
      })
      const { page } = tabs[0]!
      await page.locator('main button.primary').press('Enter')
      await page.locator('.qr').waitFor()
      const { pixMandate } = await read(id)
      t.not(pixMandate.id, first.id)
      t.match(pixMandate, { status: 'CREATED', journey: 'QR' })
      t.equal(await codeOn(page), pixMandate.copyPaste)
      // The other tab still has the form: the mandate that is offered stays the one.
      await tabs[1]!.page.locator('main button.primary').press('Enter')
      await tabs[1]!.page.locator('[role=alert], .notice').first().waitFor()
      t.equal((await read(id)).pixMandate.id, pixMandate.id)
      await decide(id, 'ACCEPTED')
      t.equal((await read(id)).pixMandate.status, 'ACTIVE')
    },
  )

  await t.test('a page that sells a plan pays and authorizes by one code', async (t) => {
    const { id: planId } = await plan()
    const sell = async (more: object = {}) => {
      const session = await posted(call, '/v1/checkout-sessions', {
        ...{ mode: 'SUBSCRIPTION', planId, locale: 'auto' },
        ...more,
      })
      const { id, url } = session as { id: string; url: string }
      const who = { name: 'Ana Souza', document: '529.982.247-25', email: 'ana@example.com' }
      t.equal((await sendForm(service, url, 'pay', { method: 'PIX', ...who })).status, 303)
      const found = async () => (await call('GET', `/v1/checkout-sessions/${id}`)).body
      return { url, found, transactionId: (await found()).transactionIds[0] as string }
    }
    const { url, found, transactionId } = await sell({ pixAutomatic: true })
    await looks('pays-and-authorizes', url, {
      'pt-BR': /paga agora e autoriza as próximas cobranças[\s\S]*R\$\s49,00, a partir de/,
      'en-US': /pays now, and authorizes the charges that follow[\s\S]*R\$\s49,00, from/,
    })
    const { pixMandateId } = await found()
    const { copyPaste } = (await call('GET', `/v1/pix/charges/${transactionId}`)).body.pix
    t.equal(await codeOn(tabs[0]!.page), copyPaste, 'what is copied is what the charge has')
    t.match(copyPaste, /^00/)
    // The page is open on two screens while the code is paid: both see it.
    await posted(call, `/v1/sandbox/pix/charges/${transactionId}/pay`, {})
    for (const { page } of tabs) await page.locator('.tick').waitFor()
    await looks('paid-not-authorized', url, {
      'pt-BR': /ainda não confirmou a autorização/,
      'en-US': /has not said yet/,
    })
    await posted(call, `/v1/sandbox/mandates/${pixMandateId}/resolve`, { result: 'ACCEPTED' })
    await looks('paid-and-authorized', url, {
      'pt-BR': /próximas cobranças serão pagas por Pix Automático/,
      'en-US': /charges that follow are paid by Pix Autom/,
    })
    const { subscriptionId } = await found()
    t.match((await read(subscriptionId)).pixMandate, { id: pixMandateId, status: 'ACTIVE' })

    const plain = await sell({ pixAutomatic: false })
    t.equal((await plain.found()).pixMandateId, null)
    await tabs[0]!.page.goto(plain.url)
    t.notMatch(await tabs[0]!.page.locator('main').innerText(), /autoriza/)

    // A second tab leaves the code for another one: the mandate of the first goes with it.
    const left = await sell()
    const first = (await left.found()).pixMandateId
    for (const { page } of tabs) await page.goto(left.url)
    await tabs[1]!.page.locator('button.link', { hasText: 'another way' }).press('Enter')
    await tabs[0]!.page.locator('[name=method]').first().waitFor({ state: 'attached' })
    t.equal((await call('POST', `/v1/sandbox/mandates/${first}/resolve`, { result: 'ACCEPTED' })).status, 409)
  })

  await t.test('a subscription without one has no page for it', async (t) => {
    const customer = await posted(call, '/v1/customers', { name: 'Bia Lima', document: '52998224725' })
    const { id } = await posted(call, '/v1/subscriptions', {
      ...{ planId: (await plan()).id, customerId: customer.id, method: 'PIX' },
    })
    const { url } = await posted(call, '/v1/portal-sessions', {
      ...{ customerId: customer.id, returnUrl: 'http://localhost:1/conta' },
    })
    const { page } = tabs[0]!
    t.equal((await page.goto(`${url}/mandate/${id}`))!.status(), 404)
    await page.goto(url)
    t.notMatch(await page.locator('main').innerText(), /Pix Automático/)
  })
  t.strictSame(
    tabs.flatMap(({ troubles }) => troubles),
    [],
  )
})
