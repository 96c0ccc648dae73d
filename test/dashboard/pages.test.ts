import type { Request } from 'playwright-core'
import t from 'tap'
import { eventTypes } from '../../engine/kernel/event-types.ts'
import { followTo, hasRead, openPath, overflowsOf, violationsOf, wcag } from './browser.ts'
import { openFullCompany } from './full-company.ts'

t.test('the dashboard in a browser', async (t) => {
  const { call, owner, addressOf, created, openPage } = await openFullCompany(t)

  t.test('what forbids scripts is heard of when one is tried', async (t) => {
    const { page, troubles } = await openPage(t)
    await page.goto(addressOf('inicio'))
    await page.locator('h1').waitFor()
    const reported = page.waitForRequest(/csp-report/)
    await page.evaluate('try { document.body.innerHTML = "<b>x</b>" } catch {}')
    await reported
    t.match(troubles.join(), /csp-report/)
  })

  t.test('filters are in the address, and survive a reload', async (t) => {
    const { page } = await openPage(t)
    await page.goto(addressOf('transacoes'))
    await page.getByRole('button', { name: 'Situação' }).click()
    await page.getByRole('checkbox', { name: /^Pendente/ }).check()
    await page.waitForURL(/status=PENDING/)
    const rows = page.locator('tbody tr')
    await page.reload()
    await page.getByText('25,00', { exact: false }).first().waitFor()
    const { pagination } = (await call('GET', '/v1/transactions?status=PENDING')).body
    t.equal(await rows.count(), pagination.total)
    await page.getByRole('button', { name: 'Limpar filtros' }).click()
    await page.waitForURL((url) => url.search === '')
  })

  t.test('a list is walked by keys, and its row opened', async (t) => {
    const { page } = await openPage(t)
    await page.goto(addressOf('inicio'))
    await page.locator('h1').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.locator('main table a[data-row]').first().waitFor()
    await page.keyboard.press('/')
    t.equal(await page.evaluate('document.activeElement.matches("main [data-search]")'), true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const second = await page.locator('main table a[data-row]').nth(1).getAttribute('href')
    t.equal(await page.evaluate('document.activeElement.getAttribute("href")'), second)
    await page.keyboard.press('k')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === second)
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Ajuda e atalhos' })
    t.match(
      (await help.innerText()).replace(/\s+/g, ' '),
      /g m Saldo.* g f Transferências.* g e Empresa.* g k Chaves de API.* g u Suporte/,
    )
    await page.getByRole('checkbox', { name: /atalhos/ }).uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    t.equal(await page.getByRole('dialog').count(), 0, 'they can be switched off')
  })

  t.test('a PIX is charged, paid and refunded', async (t) => {
    const { page } = await openPage(t)
    const changes: Request[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') changes.push(request)
    })
    await page.goto(addressOf('pix'))
    await page.locator('h1').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'Nova cobrança' })
    await dialog.getByRole('button', { name: 'Criar' }).click()
    await dialog.getByText('Preencha este campo').waitFor()
    await dialog.getByLabel('Valor').fill('1.234,56')
    await dialog.getByLabel('Descrição').fill('Pedido 7')
    await dialog.getByRole('button', { name: 'Criar' }).click()
    await page.getByRole('img', { name: 'QR Code do PIX' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    await page.getByRole('button', { name: 'Pagamento' }).click()
    await page.getByRole('button', { name: 'Estornar' }).click()
    const refund = page.getByRole('dialog', { name: 'Estornar' })
    await refund.getByLabel('Valor').fill('2.000,00')
    await refund.getByRole('button', { name: /^Estornar/ }).click()
    await refund.getByText('O valor máximo é').waitFor()
    await refund.getByLabel('Valor').fill('200,00')
    await refund.getByRole('button', { name: 'Estornar parcialmente' }).click()
    await refund.waitFor({ state: 'detached' })
    await page.getByText('Estorno parcial').first().waitFor()
    const { amount, refundedAmount, description } = (await call('GET', `/v1/transactions/${id}`)).body
    t.strictSame(
      { amount, refundedAmount, description },
      { amount: '123456', refundedAmount: '20000', description: 'Pedido 7' },
    )
    t.ok(changes.length >= 3, 'created, paid, refunded')
    for (const change of changes) {
      const { 'service-csrf': csrf, 'idempotency-key': key } = change.headers()
      t.equal(csrf, owner.browser.csrf(), change.url())
      t.match(key, /^[0-9a-f-]{36}$/, change.url())
    }
  })

  t.test('columns are chosen, and paper says whose page it is, of when and of what', async (t) => {
    const { page } = await openPage(t)
    await openPath(page, addressOf('transacoes?status=APPROVED,PARTIALLY_REFUNDED'))
    const headings = async (): Promise<string[]> =>
      (await page.locator('th[data-column]').filter({ visible: true }).allInnerTexts()).map((text) =>
        text.trim(),
      )
    t.notOk((await headings()).includes('Tarifas'))
    await page.getByRole('button', { name: 'Colunas' }).click()
    await page.getByRole('checkbox', { name: 'Método' }).uncheck()
    await page.getByRole('checkbox', { name: 'Tarifas', exact: true }).check()
    await page.keyboard.press('Escape')
    const chosen = await headings()
    t.ok(chosen.includes('Tarifas') && !chosen.includes('Método') && chosen.includes('Valor'), `${chosen}`)
    await page.reload()
    await hasRead(page)
    t.strictSame(await headings(), chosen, 'here from now on')
    await page.setViewportSize({ width: 800, height: 900 })
    t.ok((await headings()).includes('Tarifas'), 'at any width but a telephone’s')
    await page.setViewportSize({ width: 1280, height: 900 })

    await page.emulateMedia({ media: 'print' })
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    const head = page.locator('.print-head')
    await head.getByText(/Impresso em \d\d\/\d\d\/\d{4}/).waitFor()
    t.match(await head.innerText(), /Sandbox/)
    t.ok(await page.locator('.filter.active').getByText('Aprovada').isVisible(), 'its filters')
    t.notOk(await page.getByRole('button', { name: 'Colunas' }).isVisible())
    await page.emulateMedia({ media: null })
    await page.getByRole('button', { name: 'Colunas' }).click()
    await page.getByRole('button', { name: 'Colunas de costume' }).click()
    t.ok((await headings()).includes('Método'))
  })

  t.test('figures say what they count, of how many, and of which days', async (t) => {
    const { page, troubles } = await openPage(t)
    const figure = (name: string) =>
      page.locator('.figure', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    const shown = (name: string) => figure(name).innerText()
    await openPath(page, addressOf('inicio'))
    const { totals } = (await call('GET', '/v1/overview')).body
    await figure('Pago por clientes').waitFor()
    t.notMatch(
      await page.locator('main').innerText(),
      /Recebido/,
      'cards are approved before their money comes',
    )
    t.match(
      await shown('Aprovação de cartões'),
      `${totals.approved} de ${totals.attempts} autorizações`,
      'a rate says of how many',
    )
    const recurring = (await call('GET', '/v1/recurring/overview')).body
    t.match(recurring, { activeSubscriptions: 0, pendingSubscriptions: 1, activeBefore: 0 })
    await page.getByRole('link', { name: '0 assinaturas ativas, 1 aguardando pagamento' }).waitFor()
    for (const name of ['Inadimplência –', 'Cancelamento –'])
      await page.getByRole('link', { name, exact: true }).waitFor()

    await followTo(page, addressOf('assinaturas'))
    t.match(await shown('Aguardando pagamento'), /1$/)
    t.match(await shown('Valor em atraso'), /R\$/, 'an amount, where the first page has a rate')
    await figure('Aguardando pagamento').getByRole('link').click()
    await page.waitForURL(/status=PENDING/)
    await page.locator('main table[aria-busy=false] a[data-row]').first().waitFor()
    t.equal(await page.locator('main a[data-row]').count(), 1)

    await followTo(page, addressOf('pix/resumo'))
    const { charges } = (await call('GET', '/v1/pix/overview')).body
    t.match(await shown('Conversão'), `${charges.paid.count} de ${charges.created.count} cobranças`)
    await page.getByRole('button', { name: 'Mês passado' }).click()
    await figure('Conversão')
      .locator('dd')
      .filter({ hasText: /^–0 de 0 cobranças$/ })
      .waitFor()

    await followTo(page, addressOf('transacoes'))
    await page.getByText('Totais da lista, de todo o período', { exact: true }).waitFor()
    const listed = (await call('GET', '/v1/transactions?pageSize=200')).body
    const net = listed.data
      .filter(({ currency }: any) => currency === 'BRL')
      .reduce((sum: bigint, { netAmount }: any) => sum + BigInt(netAmount), 0n)
    t.equal(listed.totals[0].netAmount, String(net), 'the sum of the column of the same name')
    await figure('Líquido de tarifas').first().waitFor()
    for (const [query, days] of [
      ['from=2020-01-01', 'desde 01 jan 2020, pela data da criação'],
      [
        'from=2020-01-01&to=2099-12-31&dateField=approvedAt',
        'de 01 jan 2020 a 31 dez 2099, pela data do pagamento',
      ],
    ]) {
      await followTo(page, addressOf(`transacoes?${query}`))
      await page.getByText(`Totais da lista, ${days}`, { exact: true }).waitFor()
    }
    t.strictSame(troubles, [])
  })

  t.test('a boleto shows its own data, and a tab says where it is', async (t) => {
    const due = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
    const boleto = await created('/v1/boletos', {
      amount: 10_000,
      dueDate: due,
      fineBps: 200,
      instructions: 'Não receber após o vencimento',
      customer: { name: 'Ana', document: '52998224725' },
    })
    const { page } = await openPage(t)
    await openPath(page, addressOf(`transacoes/${boleto.id}`))
    const shown = await page.locator('main').innerText()
    for (const part of [boleto.boleto.ourNumber, 'Não receber após o vencimento', '2%', 'txid'])
      t.ok(shown.includes(part), `${part} is there`)
    t.match(await page.title(), /^Transações txn_….{6} · .+ · Sandbox$/)
    await page.getByText('crie a cobrança com o e-mail do cliente').waitFor()
  })

  t.test('what is selected is cancelled one by one, and what fails is said and tried again', async (t) => {
    const externalId = 'pedido-em-lote'
    const made: string[] = []
    for (const amount of [101, 102, 103])
      made.push((await created('/v1/pix/charges', { amount, externalId })).id)
    const { page } = await openPage(t)
    await openPath(page, addressOf(`transacoes?externalId=${externalId}`))
    const bar = page.getByRole('region', { name: 'Seleção' })
    await page.locator('tbody input[type=checkbox]').first().check()
    await bar.getByText('1 selecionado', { exact: true }).waitFor()
    await bar.getByRole('button', { name: 'Selecionar a página' }).click()
    await bar.getByText('3 selecionados').waitFor()
    t.match(
      await bar.getByRole('link', { name: 'Exportar seleção' }).getAttribute('href'),
      /id=txn_\w+%2Ctxn_/,
    )
    t.strictSame(await overflowsOf(page), [])
    t.strictSame(await violationsOf(page, wcag), [])
    await bar.getByRole('button', { name: 'Cancelar cobranças' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancelar cobranças' })
    await dialog.getByText('não poderá mais ser paga').waitFor()
    // Somebody pays one while the question stands.
    await created(`/v1/sandbox/pix/charges/${made[1]}/pay`, {})
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/cancel')) keys.push(request.headers()['idempotency-key'])
    })
    await dialog.getByRole('button', { name: 'Cancelar cobranças (3)' }).click()
    await dialog.getByText('2 com sucesso, 1 com erro.').waitFor()
    t.equal(new Set(keys).size, 3, 'each with a key of its own')
    t.equal(await dialog.getByText('Feito').count(), 2)
    const answered = page.waitForResponse((response) => response.url().endsWith('/cancel'))
    await dialog.getByRole('button', { name: 'Tentar de novo (1)' }).click()
    t.equal((await answered).status(), 409)
    t.equal(keys.length, 4, 'what was done is not done again')
    const statuses = []
    for (const id of made) statuses.push((await call('GET', `/v1/transactions/${id}`)).body.status)
    t.strictSame(statuses, ['CANCELLED', 'APPROVED', 'CANCELLED'])
  })

  t.test('a charge is mailed, and its history says to whom; notes stand beneath', async (t) => {
    const customer = { name: 'Ana', email: 'ana@example.com' }
    const { id } = await created('/v1/pix/charges', { amount: 700, customer })
    const { page } = await openPage(t)
    await openPath(page, addressOf(`transacoes/${id}`))
    await page.getByRole('button', { name: 'Enviar por e-mail' }).click()
    const dialog = page.getByRole('dialog', { name: 'Enviar por e-mail' })
    await dialog.getByText('ana@example.com').waitFor()
    await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
    await page.getByText('Para a***@example.com · envio solicitado').waitFor()
    await page.getByLabel('Nova anotação').fill('Ligou: paga na sexta.\n<b>')
    await page.getByRole('button', { name: 'Adicionar' }).click()
    await page.getByText('Ligou: paga na sexta.').waitFor()
    t.equal(await page.getByLabel('Nova anotação').inputValue(), '')
    await page.getByRole('button', { name: /^Excluir a anotação de / }).click()
    await page.getByText('Anotação excluída').waitFor()
    await page.getByText('Ligou: paga na sexta.').waitFor({ state: 'detached' })
  })

  t.test('a refusal says what, at its field, and by which request', async (t) => {
    const { page } = await openPage(t)
    await page.goto(addressOf('clientes?novo=1'))
    const dialog = page.getByRole('dialog', { name: 'Novo cliente' })
    await dialog.getByLabel('Nome').fill('Ana')
    await dialog.getByLabel('CPF ou CNPJ').fill('123')
    await dialog.getByRole('button', { name: 'Criar' }).click()
    await dialog.getByRole('alert').waitFor()
    const field = dialog.getByLabel('CPF ou CNPJ')
    t.equal(await field.getAttribute('aria-invalid'), 'true')
    t.equal(await page.evaluate('document.activeElement.name'), 'document', 'which has the focus')
    const alert = await dialog.getByRole('alert').innerText()
    t.match(alert, /VALIDATION_ERROR[\s\S]*req_/)
    t.notMatch(alert, 'document', 'its field says it')

    await page.goto(addressOf('pix?novo=cobranca'))
    await page.getByLabel('Valor').fill('10.000.000.000,00')
    await page.getByRole('button', { name: 'Criar e ver o QR Code' }).click()
    await page.getByText('O valor máximo é R$\u00a09.999.999.999,99').waitFor()
    t.equal(
      await page.locator('.money-field output').innerText(),
      'R$\u00a010.000.000.000,00',
      'as it was read',
    )
    for (const [typed, refusal] of [
      ['0,500', 'No máximo 2 casas decimais'],
      ['10,555', 'No máximo 2 casas decimais'],
      ['19.90', 'vírgula nos decimais'],
    ] as const) {
      await page.getByLabel('Valor').fill(typed)
      await page.keyboard.press('Enter')
      await page.locator('.field-error').filter({ hasText: refusal }).waitFor()
    }
    // What is typed about a customer is sent, and what is wrong with it stands at its field.
    await page.getByLabel('Valor').fill('19,90')
    await page.getByText('Mais opções').click()
    await page.getByLabel('CPF ou CNPJ').fill('111.222.333-44')
    await page.keyboard.press('Enter')
    const wrong = page.locator('[aria-invalid="true"]')
    await wrong.first().waitFor()
    t.strictSame(await wrong.evaluateAll((fields) => fields.map((field) => field.getAttribute('name'))), [
      'customer.name',
      'customer.document',
    ])
    t.notMatch(
      await page.getByRole('dialog').innerText(),
      'customer.',
      'the fields say it, without the name that the API has for them',
    )

    await page.goto(addressOf('transacoes'))
    await page.getByRole('button', { name: /^Mais \d+ filtros/ }).click()
    await page.getByRole('button', { name: 'Valor' }).first().click()
    await page.locator('[name="minAmount"]').fill('12,345')
    await page.getByRole('button', { name: 'Aplicar' }).click()
    await page.getByText('No máximo 2 casas decimais').waitFor()
  })

  t.test('a form with something in it is not thrown away by Escape, or by a click beside it', async (t) => {
    const { page } = await openPage(t)
    await page.goto(addressOf('pix?novo=cobranca'))
    const dialog = page.getByRole('dialog', { name: 'Nova cobrança' })
    const asked = page.getByRole('dialog', { name: 'Descartar o que foi preenchido?' })
    await page.getByLabel('Valor').fill('19,90')
    for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
      await leave()
      await asked.getByRole('button', { name: 'Continuar preenchendo' }).click()
      await asked.waitFor({ state: 'detached' })
      t.equal(await dialog.getByLabel('Valor').inputValue(), '19,90')
    }
    // A browser closes a dialog at the second Escape, whatever the page says.
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press('Escape')
    await dialog.waitFor()
    t.equal(await dialog.getByLabel('Valor').inputValue(), '19,90')
    await page.goto(addressOf('pix?novo=cobranca'))
    await page.getByLabel('Valor').fill('19,90')
    await page.keyboard.press('Escape')
    await asked.getByRole('button', { name: 'Descartar' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    t.pass('an empty one closes at once')
  })

  t.test('every type of event is explained, with what a receiver gets', async (t) => {
    const { page } = await openPage(t)
    await page.goto(addressOf('eventos'))
    await page.getByText('Contestação de PIX decidida').click()
    await page.getByText('"type": "pix.med_closed"').waitFor()
    t.equal(await page.locator('.event-type').count(), eventTypes.length)
  })

  t.test('the end of a session is announced, and keeps what was typed', async (t) => {
    const { page } = await openPage(t)
    await page.clock.install()
    // A slow answer does not put the end off: its request was sent before.
    const list = (url: URL) => url.pathname === '/v1/pix/charges'
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(list, async (route) => {
      const response = await route.fetch()
      await released
      await route.fulfill({ response })
    })
    const sent = page.waitForRequest((request) => list(new URL(request.url())))
    const answered = page.waitForResponse((response) => list(new URL(response.url())))
    await page.goto(addressOf('pix?novo=cobranca'))
    await page.getByLabel('Valor').fill('19,90')
    await sent
    await page.clock.fastForward('13:30')
    await page.getByText('Sua sessão termina em').waitFor()
    // It stands in the dialog: the page below is inert.
    await page.getByRole('dialog').getByRole('button', { name: 'Continuar conectado' }).click()
    await page.getByText('Sua sessão termina em').waitFor({ state: 'detached' })
    t.equal(await page.locator('[name="amount"]').inputValue(), '19,90', 'the form is as it was')
    await page.clock.fastForward('13:30')
    await page.getByText('Sua sessão termina em').waitFor()
    release()
    await (await answered).finished()
    await page.clock.fastForward('02:00')
    const dialog = page.getByRole('dialog', { name: 'Sua sessão terminou' })
    await dialog.getByLabel('Senha').waitFor()
    t.equal(await page.locator('[name="amount"]').inputValue(), '19,90')
  })

  t.test('a browser whose clock is an hour ahead keeps its session as long as any', async (t) => {
    const { page } = await openPage(t)
    await page.clock.install({ time: Date.now() + 3_600_000 })
    await openPath(page, addressOf('eu'))
    await page.clock.fastForward('12:00')
    t.equal(await page.getByRole('dialog').count(), 0)
    t.equal(await page.getByText('Sua sessão termina em').count(), 0)
    await page.clock.fastForward('01:30')
    await page.getByText('Sua sessão termina em').waitFor()
  })

  t.test('a browser without JavaScript is told what is missing', async (t) => {
    const { page } = await openPage(t, { javaScriptEnabled: false })
    await page.goto(addressOf('inicio'))
    await page.getByRole('heading', { name: 'O painel precisa de JavaScript' }).waitFor()
    t.pass('it is')
  })
})
