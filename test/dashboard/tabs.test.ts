import t from 'tap'
import { enrol, newOwner, openBrowser } from '../e2e/person.ts'
import { newMerchant, oneWorker, posted, startService } from '../e2e/service.ts'
import { followTo, letIn, openPath, openTab, siteOf, startBrowser } from './browser.ts'

/** What happens elsewhere while a page is open: other tabs, other people, the service itself. */
t.test('a page that stays open', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { company, call } = await newMerchant(service)
  const owner = await newOwner(service, company.id)
  const { link } = await service.operate('people invite', {
    company: company.id,
    email: 'caio@example.com',
    role: 'viewer',
  })
  const caio = await enrol(service, link, 'caio@example.com', 'Caio Lima')
  const site = siteOf(service)
  const addressOf = (page: string) => `${site}/painel/${company.id}/sandbox/${page}`
  const browser = await startBrowser(t)
  const open = async () => {
    const tab = await openTab(t, browser, { locale: 'pt-BR', viewport: { width: 1280, height: 900 } })
    await letIn(tab.context, site, owner)
    return tab
  }

  t.test('goes on where another tab has signed in since, and starts anew for another person', async (t) => {
    const { page, context, troubles } = await open()
    await openPath(page, addressOf('clientes?novo=1'))
    const dialog = page.getByRole('dialog', { name: 'Novo cliente' })
    await dialog.getByLabel('Nome').fill('Bia Reis')
    const again = openBrowser(service.origin)
    await again.call('POST', '/v1/session', { email: owner.email, password: owner.password })
    await posted(again.call, '/v1/session/second-factor', { totp: owner.code() })
    await letIn(context, site, { ...owner, browser: again })
    await dialog.getByRole('button', { name: 'Criar' }).click()
    await page.getByRole('heading', { name: 'Bia Reis' }).waitFor()

    await openPath(page, addressOf('clientes?novo=1'))
    await dialog.getByLabel('Nome').fill('De quem?')
    await letIn(context, site, caio)
    await dialog.getByRole('button', { name: 'Criar' }).click()
    await page.getByRole('heading', { name: /, Caio$/ }).waitFor()
    const { data } = (await call('GET', '/v1/customers')).body
    t.strictSame(
      data.map(({ name }: { name: string }) => name),
      ['Bia Reis'],
      'nothing is done in the name of another',
    )
    t.strictSame(troubles, [])
  })

  t.test('hears what happens, also after it was refused for a while', async (t) => {
    const { page, troubles } = await open()
    await page.clock.install()
    let refused = 0
    await page.route('**/v1/live?*', (route) => {
      if (refused === 2) return route.continue()
      refused += 1
      return route.fulfill({ status: 503 })
    })
    await openPath(page, addressOf('inicio'))
    await page.getByRole('heading', { name: 'Primeiros passos' }).waitFor()
    const charge = (await call('POST', '/v1/pix/charges', { amount: 4321 })).body
    await call('POST', `/v1/sandbox/pix/charges/${charge.id}/pay`, {})
    const received = page.locator('.today').getByText('43,21').first()
    const pass = setInterval(() => void page.clock.runFor(1000).catch(() => undefined), 20)
    t.teardown(() => clearInterval(pass))
    await received.waitFor()
    clearInterval(pass)
    t.equal(refused, 2)
    t.match(
      await page.locator('.home-top').innerText(),
      /Saldo[\s\S]*R\$\s*42,78/,
      'and the balance, less the fee',
    )
    await page.goto(addressOf('transacoes'))
    await page.locator('a[data-row]').first().waitFor()
    await call('POST', '/v1/pix/charges', { amount: 100 })
    await page.getByRole('button', { name: '1 item novo' }).click()
    await page.locator('a[data-row]').nth(1).waitFor()
    t.strictSame(troubles, [])
  })

  t.test('reads again what it may have missed', async (t) => {
    const { page } = await open()
    // Told once, when the list is there to hear it.
    let tellNow = (): void => undefined
    const isThere = new Promise<void>((resolve) => {
      tellNow = resolve
    })
    await page.route('**/v1/live?*', async (route) => {
      await isThere
      const body = 'retry: 600000\nevent: reset\ndata: {}\n\n'
      await route.fulfill({ contentType: 'text/event-stream', body })
    })
    await openPath(page, addressOf('transacoes'))
    await page.locator('a[data-row]').first().waitFor()
    tellNow()
    await page.getByRole('button', { name: 'Pode haver itens novos: atualizar' }).click()
    await page
      .getByRole('button', { name: 'Pode haver itens novos: atualizar' })
      .waitFor({ state: 'detached' })
    t.pass('it does')
  })

  t.test('reads again what failed, when the line is back and when the service is', async (t) => {
    const { page, context } = await open()
    // The code of all pages is there: what fails is what they read.
    await openPath(page, addressOf('transacoes'))
    await context.setOffline(true)
    await followTo(page, addressOf('clientes'))
    await page.getByText('Não foi possível conectar ao serviço').waitFor()
    await context.setOffline(false)
    await page.getByText('Bia Reis').waitFor()

    await page.clock.install()
    let isUp = false
    await page.route(/\/v1\/(customers|live)/, (route) =>
      isUp ? route.continue() : route.fulfill({ status: 502, body: 'Bad Gateway' }),
    )
    await page.reload()
    await page.locator('main [role=alert]').waitFor()
    isUp = true
    await page.clock.runFor(5000)
    await page.getByText('Bia Reis').waitFor()
    t.equal(await page.locator('main [role=alert]').count(), 0)
  })

  t.test('is loaded when the line is back, where it was lost before its code was there', async (t) => {
    const { page, context } = await open()
    await context.route(/\/pages\.[\w-]+\.js$/, (route) => route.abort())
    await openPath(page, addressOf('inicio'))
    await context.setOffline(true)
    await page.evaluate(`document.querySelector('a[href$="/clientes"]').click()`)
    await page.getByText('Não foi possível carregar esta página').waitFor()
    await context.unroute(/\/pages\.[\w-]+\.js$/)
    await context.setOffline(false)
    await page.getByText('Bia Reis').waitFor()
    t.match(page.url(), /\/clientes$/)
  })

  t.test('shows what is wrong with an address, whatever it says', async (t) => {
    const { page, troubles } = await open()
    for (const [path, text] of [
      ['%zz', 'Página não encontrada'],
      ['transacoes/%E0%A4%A', 'Transação não encontrada neste ambiente'],
      ['transacoes?from=2026-13-45', 'query.from deve ser uma data'],
      ['transacoes?pagina=-3', 'query.page deve ser um número inteiro'],
      ['clientes/cus_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'Confira o código, a empresa e o ambiente'],
    ] as const) {
      await page.goto(addressOf(path))
      await page.getByText(text).first().waitFor()
    }
    t.strictSame(troubles, [])
  })
})
