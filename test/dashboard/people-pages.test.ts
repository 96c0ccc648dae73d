import t from 'tap'
import { pngOf } from '../../gateway/documents/qr-code/picture.ts'
import { newOwner } from '../e2e/person.ts'
import { newMerchant, oneWorker, type Scope, startService } from '../e2e/service.ts'
import { letIn, openPath, openTab, siteOf, startBrowser, violationsOf, wcag } from './browser.ts'

/** Text that would run if a page made markup of it. */
const markup = '<img src=x onerror="document.title=1">'

t.test('what only people have, in a browser', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { company } = await newMerchant(service)
  const owner = await newOwner(service, company.id)
  const { call } = owner.browser.at(company.id)
  const site = siteOf(service)
  const addressOf = (page: string) => `${site}/painel/${company.id}/sandbox/${page}`
  const browser = await startBrowser(t)
  const open = async (t: Scope, options: Parameters<typeof openTab>[2] = {}) => {
    const tab = await openTab(t, browser, options)
    await letIn(tab.context, site, owner)
    return tab
  }
  const charge = (await call('POST', '/v1/pix/charges', { amount: 100 })).body
  const ticket = (
    await call('POST', '/v1/support/tickets', {
      subject: `Onde está o PIX? ${markup}`,
      category: 'PAYMENT',
      priority: 'URGENT',
      objectIds: [charge.id],
      text: `O cliente pagou.\n${markup} ${'x'.repeat(200)}`,
    })
  ).body
  await service.operate('tickets reply', { id: ticket.id, name: 'Bia', text: `Chegou. ${markup}` })

  t.test('a ticket is opened by keys, answered, and closed', async (t) => {
    const { page } = await open(t)
    await openPath(page, addressOf('suporte'))
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'Novo chamado' })
    await dialog.getByLabel('Assunto').fill('Tarifa do boleto')
    await dialog.getByLabel('Categoria').selectOption('BILLING')
    await dialog.getByLabel('Itens relacionados').fill('txn_1')
    await dialog.getByLabel('Mensagem').fill('Qual é a tarifa?')
    await dialog.getByRole('button', { name: 'Enviar' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Itens relacionados').fill(charge.id)
    await dialog.getByRole('button', { name: 'Enviar' }).click()
    await page.getByRole('heading', { name: /Tarifa do boleto/ }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    await page.getByLabel('Mensagem').fill('Obrigada')
    await page.getByRole('button', { name: 'Enviar' }).click()
    await page.locator('.messages').getByText('Obrigada').waitFor()
    t.equal(await page.getByLabel('Mensagem').inputValue(), '', 'the field is empty again')
    await service.operate('tickets reply', { id, name: 'Bia', text: 'Até logo.' })
    await page.locator('.messages').getByText('Até logo.').waitFor()
    await page.getByRole('button', { name: 'Encerrar chamado' }).click()
    await page.getByText('Encerrado').first().waitFor()
    t.match((await call('GET', `/v1/support/tickets/${id}`)).body, {
      status: 'CLOSED',
      category: 'BILLING',
      objectIds: [charge.id],
      messages: { length: 3 },
    })
  })

  t.test('filters are kept under a name, and found again', async (t) => {
    const { page } = await open(t)
    await openPath(page, addressOf('transacoes'))
    t.equal(
      await page.getByRole('button', { name: 'Salvar esta visualização' }).count(),
      0,
      'without filters',
    )
    await page.goto(addressOf('transacoes?status=PENDING'))
    await page.getByRole('button', { name: 'Salvar esta visualização' }).click()
    const dialog = page.getByRole('dialog', { name: 'Salvar esta visualização' })
    await dialog.getByLabel('Nome').fill(`Em aberto ${markup}`)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const views = page.getByRole('navigation', { name: 'Visualizações salvas' })
    const view = views.getByRole('link', { name: 'Em aberto' })
    await view.waitFor()
    t.equal(await view.getAttribute('aria-current'), 'page')
    t.strictSame(await violationsOf(page, wcag), [], 'with a view')
    await views.getByRole('link', { name: 'Tudo' }).click()
    await page.waitForURL((url) => url.search === '')
    await page.reload()
    await view.click()
    await page.waitForURL(/status=PENDING/)
    await openPath(page, addressOf('pix?status=PENDING'))
    await page.getByRole('button', { name: 'Salvar esta visualização' }).waitFor()
    t.equal(await view.count(), 0, 'it is of another page')
    await page.goto(addressOf('transacoes?status=PENDING'))
    await views.getByRole('button', { name: /^Excluir a visualização Em aberto/ }).click()
    await view.waitFor({ state: 'detached' })
    t.strictSame((await call('GET', '/v1/views')).body.data, [])
  })

  t.test('the bell counts what is unread as it happens, and leads to it', async (t) => {
    const { page } = await open(t)
    await call('POST', '/v1/notifications/read', {})
    await openPath(page, addressOf('pix'))
    await page.getByRole('link', { name: 'Avisos', exact: true }).waitFor()
    await service.operate('tickets reply', { id: ticket.id, name: 'Bia', text: 'Mais uma coisa.' })
    const bell = page.getByRole('link', { name: '1 aviso não lido' })
    await bell.click()
    await page.getByRole('heading', { name: 'Avisos' }).waitFor()
    await page.getByText('Não lido: Chamado respondido').waitFor()
    await page.locator('main').getByRole('link', { name: 'Abrir' }).first().click()
    await page.getByRole('heading', { name: /Onde está o PIX/ }).waitFor()
    await page.getByRole('link', { name: 'Avisos', exact: true }).waitFor()
    const unread = (await call('GET', '/v1/notifications?unread=true')).body
    t.equal(unread.pagination.total, 0, 'what was opened is read')
    await page.goto(addressOf('eu'))
    await page.getByRole('checkbox', { name: 'MED aberto' }).check()
    await page.getByText('Alterações salvas').waitFor()
    t.equal((await call('GET', '/v1/notifications/preferences')).body.mail.MED_OPENED, true)
  })

  t.test('a link to a company’s page shows its logo to whoever has to sign in', async (t) => {
    const image = pngOf('https://azul.com.br', 8).toString('base64')
    await call('PUT', '/v1/company/logo', { image })
    const { page, troubles } = await openTab(t, browser)
    const logo = page.locator('.door-head img')
    await page.goto(addressOf('pix'))
    await logo.waitFor()
    t.match(await logo.getAttribute('src'), `data:image/png;base64,${image}`)
    t.strictSame(await violationsOf(page, wcag), [], 'with a logo')
    const answered = page.waitForResponse(/branding/)
    await page.goto(`${site}/painel/cmp_00000000000000000000000000/sandbox/pix`)
    t.strictSame(await (await answered).json(), { object: 'branding', logo: null })
    await page.getByLabel('Senha').waitFor()
    t.equal(await logo.count(), 0)
    t.strictSame(troubles, [])
  })
})
