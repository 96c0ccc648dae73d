import { createHash } from 'node:crypto'
import { type Browser, chromium, type Locator, type Page, type Response } from 'playwright-core'
import t, { type Test } from 'tap'
import { chromiumPath } from '../chromium.ts'
import { firstPlaces, searches } from '../docs/searches.ts'
import { everyScope } from './examples/play.ts'
import { newMerchant, oneWorker, startService } from './service.ts'

/** The reference page in a real browser. Times out with the test alone: the machine may be slow. */
const patience = { timeout: 0 }

t.test('the reference page sends a request, shows samples, and asks nobody else', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { key } = await newMerchant(service, { scopes: everyScope })
  const browser = await startBrowser(t)

  t.test('a reader types a key, sees samples and sends a request', async (t) => {
    const { page, troubles } = await openPage(browser, service.origin)
    await page.getByPlaceholder('Token').first().fill(key.secret)
    await page.getByRole('link', { name: 'PIX', exact: true }).first().click()
    const operation = page.locator('[id="api-1/tag/pix/POST/v1/pix/charges"]')
    const sample = operation.locator('pre').first()
    await operation.getByText('curl ', { exact: false }).first().waitFor()
    t.match(await sample.innerText(), /curl [^\n]*\/v1\/pix\/charges/)
    t.match(await sample.innerText(), /Idempotency-Key: create-pix-charge-1/)
    t.notMatch(await sample.innerText(), /Prefer/, 'it asks for the answer that is shown beside it')
    await operation.getByRole('button', { name: 'Shell Curl' }).click()
    await page.getByRole('option', { name: 'Fetch' }).click()
    await operation.getByRole('button', { name: 'Node.js Fetch' }).waitFor()
    t.match(await sample.innerText(), /fetch\('http[^']+\/v1\/pix\/charges'/)
    await operation.getByRole('button', { name: 'Node.js Fetch' }).click()
    await page.getByRole('option', { name: 'Requests' }).click()
    await operation.getByRole('button', { name: 'Python Requests' }).waitFor()
    t.match(await sample.innerText(), /requests\.post\("http[^"]+\/v1\/pix\/charges"/)

    const answer = await sendRequest(page, operation, `${service.origin}/v1/pix/charges`)
    t.equal(answer.status(), 201)
    const { id } = await answer.json()
    await page.getByText('201 Created').first().waitFor()
    await page.getByText(id, { exact: false }).first().waitFor()
    t.pass('the answer is shown')
    t.notMatch(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'), key.secret)
    await page.reload()
    t.equal(await page.getByPlaceholder('Token').first().inputValue(), '', 'the key is not kept')
    t.strictSame(troubles, [])
  })

  t.test('it is in Portuguese, with the same places', async (t) => {
    const { page, troubles } = await openPage(browser, service.origin, { language: 'pt' })
    t.equal(await page.locator('html').getAttribute('lang'), 'pt-BR')
    await page.goto(`${service.origin}/docs/pt/reference#tag/pix/POST/v1/pix/charges`)
    await page.getByRole('heading', { name: 'Criar uma cobrança PIX' }).waitFor()
    const operation = page.locator('[id="api-1/tag/pix/POST/v1/pix/charges"]')
    await operation.getByText('O que o pagador paga. Em centavos', { exact: false }).first().waitFor()
    await operation.getByRole('button', { name: 'Testar requisição' }).first().waitFor()
    const links = await page
      .locator('.site .files a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
    t.strictSame(links, ['/openapi.json?lang=pt', '/openapi.json?audience=keys&lang=pt', '/postman.json'])
    for (const link of links) t.equal((await page.request.get(service.origin + link)).status(), 200, link!)
    await page.goto(`${service.origin}/docs/pt/reference#tag/webhooks/webhook/POST/payment.approved`)
    await page.getByRole('heading', { name: 'payment.approved' }).waitFor()
    const sent = page.locator('[id="api-1/tag/webhooks/webhook/POST/payment.approved"]')
    await sent.getByText('Um pagamento foi confirmado.', { exact: false }).first().waitFor()
    t.notOk(
      await sent.getByRole('button', { name: 'Testar requisição' }).isVisible(),
      'it is sent to readers',
    )
    await page.goto(`${service.origin}/docs/pt/reference#tag/pix/POST/v1/pix/charges`)
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Create a PIX charge' }).waitFor()
    t.equal(new URL(page.url()).pathname, '/docs/en/reference')
    t.strictSame(troubles, [])
  })

  t.test('pages and operations are found in one list, by the words of either language', async (t) => {
    for (const language of ['en', 'pt'] as const) {
      const { page, troubles } = await openPage(browser, service.origin, { language })
      await page.goto(`${service.origin}/docs/${language}`)
      const box = page.locator('[data-search-box]')
      const hits = page.locator('[data-search-results] a')
      await box.fill('pix')
      await hits.first().waitFor()
      for (const [query, wanted] of Object.entries(searches)) {
        await box.fill(query)
        const paths = await hits.evaluateAll((found) => found.map((link) => link.getAttribute('href')!))
        const places = firstPlaces(paths)
        for (const place of wanted) t.ok(places.includes(place), `${language} ${query}: ${place}`)
      }
      await box.fill('mensalidade')
      await page.locator('[data-search-results]').getByText('POST /v1/subscriptions', { exact: true }).click()
      const summary = language === 'en' ? 'Create a subscription' : 'Criar uma assinatura'
      await page.getByRole('heading', { name: summary }).waitFor()
      t.strictSame(troubles, [])
      await page.context().close()
    }
  })

  t.test('a search whose index did not come asks again at the next letter', async (t) => {
    const context = await browser.newContext()
    context.setDefaultTimeout(patience.timeout)
    const page = await context.newPage()
    await page.route('**/search.json', (route) => route.abort(), { times: 1 })
    await page.goto(`${service.origin}/docs/en`)
    const failed = page.waitForEvent('pageerror')
    await page.locator('[data-search-box]').fill('pix')
    await failed
    await page.locator('[data-search-box]').fill('pix charge')
    await page.locator('[data-search-results] a').first().waitFor()
    t.pass('it was there the second time')
    await context.close()
  })

  t.test('it is dark where the reader’s system is, or where the documentation was made so', async (t) => {
    const dark = await openPage(browser, service.origin, { colorScheme: 'dark' })
    t.equal(await paperOf(dark.page), 'rgb(17, 23, 21)')
    const chosen = await openPage(browser, service.origin, { theme: 'dark' })
    t.equal(await paperOf(chosen.page), 'rgb(17, 23, 21)')
    const light = await openPage(browser, service.origin, { colorScheme: 'dark', theme: 'light' })
    t.equal(await paperOf(light.page), 'rgb(255, 255, 255)')
    for (const { troubles } of [dark, chosen, light]) t.strictSame(troubles, [])
  })

  t.test('a page of the documentation fits a telephone, without a mouse', async (t) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 900 }, hasTouch: true })
    context.setDefaultTimeout(patience.timeout)
    const page = await context.newPage()
    await page.goto(`${service.origin}/docs/en/settings`)
    const [name, initial] = await page.locator('tbody tr').first().locator('td').all()
    const [above, below] = [await name!.boundingBox(), await initial!.boundingBox()]
    t.ok(below!.y >= above!.y + above!.height, 'a cell is below the one before it')
    t.equal(await initial!.getAttribute('data-label'), 'Default')
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await page.goto(`${service.origin}/docs/en/quickstart`)
    await page.getByRole('button', { name: 'Copy' }).first().waitFor()
    t.equal(await page.evaluate('getComputedStyle(document.querySelector(".copy")).opacity'), '1')
    await context.close()
  })

  t.test('nothing is wider than a telephone', async (t) => {
    for (const language of ['en', 'pt'] as const) {
      const { page, troubles } = await openPage(browser, service.origin, { width: 390, language })
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
      // A header that is too narrow cuts its links off, and the page is no wider for it.
      const right = await page.getByRole('link', { name: 'Postman' }).boundingBox()
      t.ok(right!.x + right!.width <= 390)
      t.strictSame(troubles, [])
    }
  })
})

/** Opens the form of an operation and sends it. A click is repeated where the page, still drawing, has lost it. */
const sendRequest = async (page: Page, operation: Locator, url: string): Promise<Response> => {
  const send = page.getByRole('button', { name: /^Send (?!Request)/ })
  for (;;) {
    if (!(await send.isVisible())) await operation.getByRole('button', { name: 'Test Request' }).click()
    const answered = page.waitForResponse(url, { timeout: 10_000 }).catch(() => null)
    await send.click({ timeout: 10_000 }).catch(() => undefined)
    const answer = await answered
    if (answer !== null) return answer
  }
}

t.test('what the page consists of is what was chosen', async (t) => {
  const { origin } = await startService(t, { env: oneWorker })
  const page = await fetch(`${origin}/docs/reference`)
  const policy = page.headers.get('content-security-policy')!
  t.match(policy, /default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'/)
  t.notMatch(policy, /unsafe-eval|https?:|\*/)
  const [, path] = /src="([^"]+scalar[^"]+)"/.exec(await page.text())!
  const packed = await fetch(origin + path, { headers: { 'Accept-Encoding': 'gzip' } })
  t.equal(packed.headers.get('content-encoding'), 'gzip')
  t.equal(sha256(Buffer.from(await packed.arrayBuffer())), scalarHash)
  const plain = await fetch(origin + path, { headers: { 'Accept-Encoding': 'identity' } })
  t.equal(plain.headers.get('content-encoding'), null)
  t.equal(sha256(Buffer.from(await plain.arrayBuffer())), scalarHash, 'Scalar 1.72.1 as it was published')
})

/** `dist/browser/standalone.js` of `@scalar/api-reference` 1.72.1. */
const scalarHash = 'bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c'
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const startBrowser = async (t: Test): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    // Tests run as root in containers, where Chromium's sandbox does not start.
    args: ['--no-sandbox'],
    ...patience,
  })
  t.teardown(() => browser.close())
  return browser
}

/** The page, when it shows the document, and everything that it did and should not have done. */
const openPage = async (
  browser: Browser,
  origin: string,
  reader: { colorScheme?: 'light' | 'dark'; theme?: string; width?: number; language?: 'en' | 'pt' } = {},
): Promise<{ page: Page; troubles: string[] }> => {
  const { colorScheme = 'light', theme, width = 1280, language = 'en' } = reader
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  context.setDefaultTimeout(patience.timeout)
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:' && asked !== origin) troubles.push(request.url())
  })
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(error.message))
  if (theme !== undefined) await page.addInitScript(`localStorage.setItem('theme', '${theme}')`)
  await page.goto(`${origin}/docs/${language}/reference`)
  await page
    .getByRole('heading', { name: language === 'en' ? 'Payments API' : 'API de pagamentos' })
    .waitFor()
  return { page, troubles }
}

const paperOf = (page: Page): Promise<string> =>
  page.evaluate('getComputedStyle(document.body).backgroundColor')
