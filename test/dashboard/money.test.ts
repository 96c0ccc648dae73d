import type { Page } from 'playwright-core'
import t from 'tap'
import { type Enrolled, enrol, newOwner } from '../e2e/person.ts'
import { newMerchant, oneWorker, posted, type Scope, startService } from '../e2e/service.ts'
import { readOfx } from '../read-ofx.ts'
import {
  letIn,
  openPath,
  openTab,
  pressOn,
  siteOf,
  startBrowser,
  typeInto,
  violationsOf,
  walk,
  wcag,
} from './browser.ts'

t.test('what people do with money', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { company, call } = await newMerchant(service)
  const site = siteOf(service)
  const browser = await startBrowser(t)
  const charge = await posted(call, '/v1/pix/charges', { amount: 5_000_000 })
  await posted(call, `/v1/sandbox/pix/charges/${charge.id}/pay`, {})

  /** Somebody who has not given a code yet: an application makes three in a minute. */
  const newPerson = async (email: string, name: string): Promise<Enrolled> => {
    const { link } = await service.operate('people invite', { company: company.id, email, role: 'owner' })
    return enrol(service, link, email, name)
  }
  const ana = await newOwner(service, company.id, 'ana@example.com')
  const bia = await newPerson('bia@example.com', 'Bia Lima')
  const caio = await newPerson('caio@example.com', 'Caio Reis')
  const open = async (t: Scope, person: Enrolled, path: string, options: { timezoneId?: string } = {}) => {
    const tab = await openTab(t, browser, { viewport: { width: 1280, height: 900 }, ...options })
    await letIn(tab.context, site, person)
    await openPath(tab.page, `${site}/painel/${company.id}/sandbox/${path}`)
    return tab
  }
  /** Signs what the dialog repeats, and answers what that was. */
  const sign = async (page: Page, person: Enrolled): Promise<string> => {
    const dialog = page.getByRole('dialog', { name: 'Assine esta operação' })
    await dialog.getByLabel('Código do aplicativo autenticador').fill(person.code())
    const text = await dialog.innerText()
    await dialog.getByRole('button', { name: 'Confirmar' }).click()
    await dialog.waitFor({ state: 'detached' })
    return text
  }

  t.test('who only looks has the same clock, and is offered nothing that the API would refuse', async (t) => {
    const { link } = await service.operate('people invite', {
      company: company.id,
      email: 'vera@example.com',
      role: 'viewer',
    })
    const vera = await enrol(service, link, 'vera@example.com', 'Vera Sá')
    await posted(call, '/v1/sandbox/clock/advance', { by: 'P1D' })
    const { page, troubles } = await open(t, vera, 'inicio')
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(`${page.url()} asks ${response.url()}`)
    })
    const shown = await page.locator('.sandbox-time time').getAttribute('datetime')
    t.ok(Date.parse(shown!) > Date.now() + 80_000_000, 'a day later, as for everybody')
    t.equal(await page.locator('.sandbox-bar button').count(), 0, 'the clock is not theirs to move')
    const hrefsOf = (links: string): Promise<string[]> =>
      page.locator(links).evaluateAll((all) => all.map((link) => link.getAttribute('href')!))
    const folded = page.locator('#menu button[aria-expanded="false"]')
    while ((await folded.count()) > 0) await folded.first().click()
    const hrefs = new Set(await hrefsOf('#menu li a'))
    t.ok(hrefs.size > 10 && hrefs.size <= 17, `${hrefs.size} entries`)
    t.ok((await page.locator('#menu button').count()) <= 3, 'groups')
    // Tabs of an entry are found on its first page.
    for (const href of hrefs) {
      await openPath(page, site + href)
      t.equal(await page.locator('tbody input[type=checkbox]').count(), 0, `${href} offers no selection`)
      for (const tab of await hrefsOf('.family a')) hrefs.add(tab)
    }
    t.ok(hrefs.size > 20, `${hrefs.size} pages`)
    t.strictSame(refused, [])
    t.strictSame(troubles, [])
    t.ok([...hrefs].some((href) => href.endsWith('/cripto')))
  })

  t.test('a product that is off in Production has no page in the menu there', async (t) => {
    const { page } = await open(t, ana, 'inicio')
    await openPath(page, `${site}/painel/${company.id}/producao/inicio`)
    await page.locator('#menu a[href$="/cripto"]').waitFor({ state: 'detached' })
    const shown = await page.locator('#menu').innerText()
    t.match(shown, 'Cartões')
    t.notMatch(shown, /Conversões|Carteiras|Saques/)
    await page.getByText('Nenhum banco ou adquirente está conectado em Produção').waitFor()
    await page.getByRole('link', { name: 'Crie uma chave de API de Produção' }).waitFor()
    t.strictSame(await violationsOf(page, wcag), [], 'the checklist')
    await page.getByRole('button', { name: 'Não mostrar mais' }).click()
    await page.reload()
    await page.getByText('Nenhum banco ou adquirente está conectado em Produção').waitFor()
    t.equal(await page.getByRole('heading', { name: 'Para começar em Produção' }).count(), 0)
  })

  t.test('the menu folds, stays as it was left, and always shows where one is', async (t) => {
    const { page } = await open(t, ana, 'inicio')
    await page.setViewportSize({ width: 1280, height: 420 })
    const group = page.getByRole('button', { name: 'Desenvolvedores' })
    const entry = (name: string) => page.locator('#menu').getByRole('link', { name, exact: true })
    t.equal(await group.getAttribute('aria-expanded'), 'false')
    t.equal(await entry('Chaves de API').count(), 0)
    await group.click()
    await entry('Chaves de API').waitFor()
    await page.reload()
    await entry('Chaves de API').waitFor()
    await group.click()
    await entry('Chaves de API').waitFor({ state: 'detached' })
    // The entry of a tab, in a group that is folded, at the end of a menu that is higher than the window.
    await openPath(page, `${site}/painel/${company.id}/sandbox/entregas`)
    const present = page.locator('#menu [aria-current="page"]')
    t.equal(await present.innerText(), 'Webhooks')
    const [box, menu] = [await present.boundingBox(), await page.locator('#menu').boundingBox()]
    t.ok(box!.y >= menu!.y && box!.y + box!.height <= menu!.y + menu!.height, 'it is in sight')
    t.equal(
      await page.getByRole('navigation', { name: 'Webhooks' }).locator('[aria-current]').innerText(),
      'Entregas',
    )
    await page.setViewportSize({ width: 390, height: 700 })
    t.equal(await page.locator('#menu').isVisible(), false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await entry('Saldo').click()
    await page.waitForURL(/\/saldo$/)
    t.equal(await page.locator('#menu').isVisible(), false, 'a telephone’s drawer closes behind a choice')
  })

  t.test('a time for the clock is one of the company, wherever the browser is', async (t) => {
    const { page } = await open(t, ana, 'relogio', { timezoneId: 'Asia/Tokyo' })
    const { now } = (await call('GET', '/v1/sandbox/clock')).body
    const next = new Date(Date.parse(now) + 26 * 3_600_000).toISOString().slice(0, 10)
    await page.locator('[name="to"]').first().fill(`${next}T23:15`)
    const [request] = await Promise.all([
      page.waitForRequest(/clock\/advance/),
      page.getByRole('button', { name: 'Avançar', exact: true }).first().click(),
    ])
    // Brasília is three hours behind Greenwich.
    t.equal(request.postDataJSON().to, new Date(Date.parse(`${next}T23:15Z`) + 3 * 3_600_000).toISOString())
  })

  t.test('with a mouse: from the balance to a payee by PIX key, signed, with its receipt', async (t) => {
    const { page, troubles } = await open(t, ana, 'saldo')
    await page.getByRole('heading', { name: 'Disponível para enviar' }).waitFor()
    await page.getByRole('link', { name: 'Transferir' }).click()
    await page.getByLabel('Chave PIX').fill('fornecedor@example.com')
    await page.getByRole('button', { name: 'Buscar favorecido' }).click()
    const payee = await page.locator('.payee-card > strong').innerText()
    await page.getByLabel('Valor').fill('150')
    await page.getByRole('button', { name: 'Conferir' }).click()
    await page.getByRole('heading', { name: 'Confira e assine' }).waitFor()
    await page.getByRole('button', { name: 'Assinar e enviar' }).click()
    const signed = await sign(page, ana)
    for (const part of [payee, 'fornecedor@example.com', '150,00', 'Tarifa'])
      t.ok(signed.includes(part), `${part} is repeated where it is signed`)
    await page.waitForURL(/transferencias\/trf_/)
    await page.getByRole('heading', { level: 1 }).getByText('Concluída').waitFor()
    const receipt = await page.getByRole('link', { name: 'Comprovante' }).getAttribute('href')
    const answer = await page.request.get(site + receipt)
    t.equal(answer.headers()['content-type'], 'application/pdf')
    t.match((await answer.body()).toString('latin1'), /^%PDF/)

    await page.goto(`${site}/painel/${company.id}/sandbox/extrato`)
    const row = page.getByRole('row').filter({ hasText: 'Transferência' })
    await row.getByText('−R$ 150,00').first().waitFor()
    const line = await row.first().innerText()
    t.match(line, `${payee}\nTransferência · PIX`, 'who and how, before any code')
    const id = answer.url().split('/')[5]!
    t.match(await row.first().getByRole('link').getAttribute('href'), new RegExp(`transferencias/${id}$`))
    await page.getByRole('button', { name: 'Baixar' }).click()
    const files = page.locator('.downloads')
    t.match(await files.innerText(), /De .+ a .+\nPara outro período/s, 'of which days they are')
    const ofx = await files.getByRole('link', { name: /OFX/ }).getAttribute('href')
    const file = await page.request.get(site + ofx)
    const imported = readOfx(await file.body())
    t.equal(imported.lines.find(({ TRNAMT }) => TRNAMT === '-150.00')?.NAME, payee)

    await openPath(page, `${site}/painel/${company.id}/sandbox/auditoria`)
    const said = page.locator('.said')
    const name = (await ana.browser.call('GET', '/v1/me')).body.name
    t.match(await said.nth(0).innerText(), new RegExp(`^${name} baixou o extrato de .+ a .+`))
    t.match(await said.nth(0).getByRole('link').last().getAttribute('href'), /extrato\?from=\S+&to=/)
    const ofTransfer = `a transferência de R$\u00a0150,00 para ${payee}`
    await said.getByText(`${name} solicitou ${ofTransfer}`).waitFor()
    const downloaded = said.filter({ hasText: `${name} baixou o comprovante d${ofTransfer}` })
    t.match(await downloaded.getByRole('link').last().getAttribute('href'), new RegExp(`/${id}$`))
    await page.getByRole('button', { name: 'Quem' }).click()
    await page.getByRole('radio', { name, exact: true }).click()
    await page.waitForURL(/actor=per_/)
    t.ok((await said.count()) >= 3, 'what one person did, found by name')
    t.strictSame(troubles, [], 'no report of the policy, and no error')
  })

  t.test('by keyboard: a beneficiary, and what another person has to approve', async (t) => {
    const { page, troubles } = await open(t, ana, 'favorecidos?novo=conta')
    const dialog = page.getByRole('dialog', { name: 'Novo favorecido' })
    for (const [label, text] of [
      ['Nome', 'Comercial Aurora Ltda'],
      ['CPF ou CNPJ', '11222333000181'],
      ['Banco', '341'],
      ['Agência', '1234'],
      ['Conta', '123456-7'],
    ] as const)
      await typeInto(dialog.getByLabel(label, { exact: true }), text)
    await pressOn(dialog.getByRole('button', { name: 'Assinar e cadastrar' }))
    await sign(page, ana)
    await page.waitForURL(/favorecidos\/ben_/)
    await page.getByText('Em carência').first().waitFor()
    await posted(call, '/v1/sandbox/clock/advance', { by: 'P2D' })

    const other = await open(t, bia, 'favorecidos')
    await other.page.locator('a[data-row]').waitFor()
    await other.page.keyboard.press('j')
    await other.page.keyboard.press('Enter')
    await pressOn(other.page.getByRole('link', { name: 'Transferir' }))
    // Not by a function: the page's policy lets none be made from a text, where it is not true at once.
    await other.page.locator('[name="amount"]:focus').waitFor()
    await other.page.keyboard.type('6000')
    await pressOn(other.page.getByRole('button', { name: 'Conferir' }))
    await other.page.getByText('Outra pessoa precisa aprovar').waitFor()
    await pressOn(other.page.getByRole('button', { name: 'Assinar e enviar' }))
    await sign(other.page, bia)
    await other.page.getByText('Você solicitou; outra pessoa precisa aprovar.').waitFor()
    t.equal(await other.page.getByRole('button', { name: 'Aprovar' }).count(), 0, 'not by whoever asked')

    const third = await open(t, caio, 'inicio')
    await pressOn(third.page.getByRole('link', { name: /1 transferência aguarda/ }))
    await third.page.locator('a[data-row]').waitFor()
    await third.page.keyboard.press('j')
    await third.page.keyboard.press('Enter')
    await pressOn(third.page.getByRole('button', { name: 'Aprovar' }))
    const signed = await sign(third.page, caio)
    t.ok(signed.includes('6.000,00') && signed.includes('Comercial Aurora Ltda'))
    await third.page.getByText('Bia Lima').first().waitFor()
    await third.page.getByRole('heading', { level: 1 }).getByText('Concluída').waitFor()
    await other.page.getByRole('heading', { level: 1 }).getByText('Concluída').waitFor()
    for (const tab of [troubles, other.troubles, third.troubles])
      t.strictSame(tab, [], 'no report of the policy, and no error')
  })

  t.test('stablecoins: a charge is paid, and what it brought is converted at the price shown', async (t) => {
    const dora = await newPerson('dora@example.com', 'Dora Prado')
    const { page, troubles } = await open(t, dora, 'cripto')
    await page.getByRole('button', { name: 'Nova cobrança' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Nova cobrança' })
    await dialog.getByLabel('Valor').fill('540')
    await dialog.getByLabel('Moeda e rede').selectOption({ label: 'USDC · Base' })
    await dialog.getByRole('button', { name: 'Nova cobrança' }).click()
    await page.waitForURL(/transacoes\/txn_/)
    await page.getByRole('img', { name: /QR/ }).waitFor()
    await page.getByText('USDC · Base').first().waitFor()
    await page.getByRole('button', { name: 'Pagamento visto na rede' }).click()
    await page.getByRole('button', { name: 'A rede confirma' }).click()
    await page.getByRole('heading', { level: 1 }).getByText('Aprovada').waitFor()

    await page.goto(`${site}/painel/${company.id}/sandbox/conversoes?novo=1`)
    const convert = page.getByRole('dialog', { name: 'Converter' })
    await convert.getByLabel('De → para').selectOption({ label: 'USDC → BRL' })
    await convert.getByLabel(/^Valor/).fill('10,5')
    await convert.getByRole('button', { name: 'Ver cotação' }).click()
    // Its clock runs down from 30, though the Sandbox's is days ahead of this machine's.
    await convert.getByText(/Esta cotação vale por (30|[12]?\d) s/).waitFor()
    await convert.getByRole('button', { name: 'Assinar e converter' }).click()
    t.match(await sign(page, dora), /10,50/)
    await convert.waitFor({ state: 'detached' })
    await page.locator('tbody tr').getByText('Concluíd').waitFor()
    t.strictSame(troubles, [], 'no report of the policy, and no error')
  })

  const brought = await posted(call, '/v1/crypto/charges', {
    cryptoAmount: '5000',
    asset: 'USDT',
    network: 'POLYGON',
  })
  await posted(call, `/v1/sandbox/crypto/charges/${brought.id}/pay`, {})
  const address = '0x52908400098527886E0F7030069857D2E4169EE7'

  t.test('with a mouse: a wallet, and a day later a withdrawal to it, with its receipt', async (t) => {
    const eva = await newPerson('eva@example.com', 'Eva Dias')
    const { page, troubles } = await open(t, eva, 'carteiras?novo=1')
    const dialog = page.getByRole('dialog', { name: 'Nova carteira' })
    await dialog.getByLabel('Nome', { exact: true }).fill('Tesouraria')
    await dialog.getByLabel('Moeda e rede').selectOption({ label: 'USDT · Polygon' })
    await dialog.getByLabel('Endereço').fill(address)
    await dialog.getByLabel('Titular').fill('Loja Azul Ltda')
    await dialog.getByLabel('CPF ou CNPJ').fill('11222333000181')
    await dialog.getByRole('button', { name: 'Assinar e cadastrar' }).click()
    await sign(page, eva)
    await page.getByText('Em carência').first().waitFor()

    await page.getByRole('link', { name: 'Saques', exact: true }).click()
    await page.getByRole('link', { name: 'Sacar' }).first().click()
    const wallet = page.getByRole('button', { name: /Tesouraria/ })
    await wallet.waitFor()
    t.ok(await wallet.isDisabled(), 'it cools off')
    await posted(call, '/v1/sandbox/clock/advance', { by: 'PT12H' })
    let isAsked = false
    page.on('request', (request) => {
      isAsked ||= request.url().includes('/v1/crypto/wallets')
    })
    let tellTime = (): void => undefined
    const held = new Promise<void>((resolve) => {
      tellTime = resolve
    })
    await page.route('**/v1/sandbox/clock*', async (route) => {
      await held
      await route.continue()
    })
    await Promise.all([page.waitForResponse(/\/v1\/company/), page.reload()])
    t.notOk(isAsked, 'nothing is shown before the page knows what time it is')
    tellTime()
    await page.getByText(/em 11 horas/).waitFor()
    await page.unroute('**/v1/sandbox/clock*')
    await posted(call, '/v1/sandbox/clock/advance', { by: 'PT12H' })
    await page.reload()
    await wallet.click()
    await page.getByText(/^Disponível/).waitFor()
    await page.getByLabel('Valor (USDT)').fill('100,5')
    await page.getByRole('button', { name: 'Conferir' }).click()
    await page.getByRole('heading', { name: 'Confira e assine' }).waitFor()
    await page.getByRole('button', { name: 'Assinar e sacar' }).click()
    const signed = await sign(page, eva)
    for (const part of ['Tesouraria', 'USDT · Polygon', address, '100,50', '0,05', 'Loja Azul Ltda'])
      t.ok(signed.includes(part), `${part} is repeated where it is signed`)
    await page.waitForURL(/saques\/wdr_/)
    await page.getByRole('heading', { level: 1 }).getByText('Na rede').waitFor()
    await page.getByRole('button', { name: 'A rede confirma' }).click()
    await page.getByRole('heading', { level: 1 }).getByText('Concluído').waitFor()
    const receipt = await page.getByRole('link', { name: 'Comprovante' }).getAttribute('href')
    const answer = await page.request.get(site + receipt)
    t.match((await answer.body()).toString('latin1'), /^%PDF/)
    await page.getByRole('link', { name: 'Saques', exact: true }).first().click()
    await page.locator('tbody tr').getByText('Tesouraria').waitFor()
    t.strictSame(troubles, [], 'no report of the policy, and no error')
  })

  t.test('by keyboard: a withdrawal that another person finds in the inbox, and approves', async (t) => {
    const fabio = await newPerson('fabio@example.com', 'Fábio Melo')
    const { page, troubles } = await open(t, fabio, 'saques')
    await page.locator('a[data-row]').waitFor()
    await page.keyboard.press('n')
    await pressOn(page.getByRole('button', { name: /Tesouraria/ }))
    await page.locator('input[name=cryptoAmount]:focus').waitFor()
    await page.keyboard.type('1000')
    await page.keyboard.press('Enter')
    await page.getByText('Outra pessoa precisa aprovar').waitFor()
    await pressOn(page.getByRole('button', { name: 'Assinar e sacar' }))
    await sign(page, fabio)
    await page.getByText('Você solicitou; outra pessoa precisa aprovar.').waitFor()
    const { pathname } = new URL(page.url())

    const gil = await newPerson('gil@example.com', 'Gil Nunes')
    const other = await open(t, gil, 'inicio')
    const walked = await open(t, gil, 'inicio')
    const at = (path: string) => `${site}/painel/${company.id}/sandbox/${path}`
    await walk(t, walked, {
      'one that waits': site + pathname,
      'all of them': at('saques'),
      'the inbox': at('transferencias?status=PENDING_APPROVAL'),
      'the choice of a wallet': at('saques/novo'),
    })
    await pressOn(other.page.getByRole('link', { name: /1 transferência aguarda/ }))
    await other.page.getByRole('heading', { name: 'Saques de cripto aguardando aprovação' }).waitFor()
    await other.page.keyboard.press('j')
    await other.page.keyboard.press('Enter')
    await other.page.waitForURL(/saques\/wdr_/)
    await pressOn(other.page.getByRole('button', { name: 'Aprovar' }))
    const signed = await sign(other.page, gil)
    t.ok(signed.includes('1.000,00') && signed.includes(address))
    await other.page.getByText('Fábio Melo').first().waitFor()
    for (const tab of [page, other.page])
      await tab.getByRole('heading', { level: 1 }).getByText('Na rede').waitFor()
    await posted(call, '/v1/sandbox/clock/advance', { by: 'PT30S' })
    for (const tab of [page, other.page])
      await tab.getByRole('heading', { level: 1 }).getByText('Concluído').waitFor()
    await walk(t, walked, { 'one that is completed': site + pathname })
    t.strictSame(
      [...troubles, ...other.troubles, ...walked.troubles],
      [],
      'no report of the policy, and no error',
    )
  })
})
