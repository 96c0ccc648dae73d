import type { Locator } from 'playwright-core'
import t from 'tap'
import { cardJson, sendForm } from '../checkout/payer.ts'
import { everyScope } from '../e2e/examples/play.ts'
import { enrol, newOwner } from '../e2e/person.ts'
import { newMerchant, oneWorker, type Scope, startService } from '../e2e/service.ts'
import {
  followTo,
  hasRead,
  letIn,
  openPath,
  openTab,
  overflowsOf,
  siteOf,
  startBrowser,
  violationsOf,
  walk,
  wcag,
} from './browser.ts'

/** Text that would run if a page made markup of it. */
const markup = '<img src=x onerror="document.title=1">'

t.test('links, sessions and how the pages look, in a browser', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { company, call } = await newMerchant(service, { scopes: everyScope })
  const owner = await newOwner(service, company.id)
  const site = siteOf(service)
  const addressOf = (page: string) => `${site}/painel/${company.id}/sandbox/${page}`
  const browser = await startBrowser(t)
  const open = async (t: Scope, person: Parameters<typeof letIn>[2] = owner) => {
    const tab = await openTab(t, browser, { locale: 'pt-BR', viewport: { width: 1280, height: 900 } })
    await letIn(tab.context, site, person)
    return tab
  }
  const created = async (path: string, body: object) => (await call('POST', path, body)).body

  t.test('a link is made of a title and an amount, copied, drawn, changed and deactivated', async (t) => {
    const { page, context, troubles } = await open(t)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await openPath(page, addressOf('links'))
    await page.getByRole('button', { name: 'Novo link' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Novo link' })
    await dialog.getByRole('button', { name: 'Criar link' }).click()
    await dialog.getByText('Preencha este campo').first().waitFor()
    await dialog.getByLabel('O que você vende').fill(`Curso ${markup}`)
    await dialog.getByLabel('Valor', { exact: true }).fill('249')
    await dialog.getByRole('button', { name: 'Criar link' }).click()
    await page.getByRole('heading', { name: 'Compartilhar' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    const link = (await call('GET', `/v1/payment-links/${id}`)).body
    t.match(link, { title: `Curso ${markup}`, name: `Curso ${markup}`, amount: '24900', maxPayments: null })
    await page.getByRole('button', { name: 'Copiar Endereço do link' }).click()
    await page.getByText('Copiado').waitFor()
    t.equal(await page.evaluate('navigator.clipboard.readText()'), link.url)
    const qr = page.getByRole('img', { name: 'QR Code do link de pagamento' })
    await qr.evaluate((image: any) => image.decode())
    t.ok((await qr.evaluate((image: any) => image.naturalWidth)) > 100, 'the picture has come')
    for (const [name, ending] of [
      ['QR Code em PNG', 'png'],
      ['QR Code em SVG', 'svg'],
    ]) {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: name! }).click(),
      ])
      t.equal(file.suggestedFilename(), `qr-code-${id}.${ending}`)
    }
    t.strictSame(
      await page.locator('.figures a').evaluateAll((all) => all.map((one) => one.getAttribute('href'))),
      ['COMPLETED', 'COMPLETED', 'OPEN,PROCESSING', 'EXPIRED'].map(
        (status) => `/painel/${company.id}/sandbox/sessoes?linkId=${id}&status=${status}`,
      ),
      'every figure leads to what it counts',
    )

    await page.getByRole('button', { name: 'Editar' }).click()
    const edit = page.getByRole('dialog', { name: 'Editar link' })
    await edit.getByLabel('O que você vende').fill('Curso de barista')
    await edit.getByLabel('Limite de pagamentos').fill('30')
    await edit.getByLabel('Válido até').fill('2030-12-31')
    await edit.getByRole('button', { name: 'Salvar' }).click()
    await page.getByRole('heading', { name: /^Curso de barista/ }).waitFor()
    t.match((await call('GET', `/v1/payment-links/${id}`)).body, {
      title: 'Curso de barista',
      amount: '24900',
      maxPayments: 30,
      expiresAt: '2031-01-01T02:59:59.000Z',
    })
    await page.getByRole('button', { name: 'Desativar' }).click()
    await page.getByRole('button', { name: 'Reativar' }).waitFor()
    await page.getByText('Este link não recebe novos pagamentos.').waitFor()
    await page.getByRole('button', { name: 'Reativar' }).click()
    await page.getByRole('button', { name: 'Desativar' }).waitFor()
    t.match((await call('GET', `/v1/payment-links/${id}`)).body, { status: 'ACTIVE' })
    t.strictSame(troubles, [])
  })

  t.test('what is folded is sent as it was chosen, and what cannot be is said at its field', async (t) => {
    const { page, troubles } = await open(t)
    await openPath(page, addressOf('links?novo=1'))
    const dialog = page.getByRole('dialog', { name: 'Novo link' })
    await dialog.getByLabel('O que você vende').fill('Ajude o abrigo')
    await dialog.getByLabel('O pagador escolhe o valor').check()
    await dialog.getByLabel('Valor mínimo').fill('0,50')
    await dialog.getByLabel('Valores sugeridos').fill('25; 5.000,00')
    await dialog.getByLabel('Valor máximo').fill('1000')
    for (const part of ['Pagamento e parcelas', 'Limites e validade', 'Dados do pagador e retorno'])
      await dialog.locator('summary', { hasText: part }).click()
    await dialog.getByLabel('PIX', { exact: true }).check()
    await dialog.getByLabel('Cartão de crédito').check()
    await dialog.getByLabel('Parcelas no cartão').selectOption('6')
    await dialog.getByLabel('Sem juros até').selectOption('3')
    await dialog.getByLabel('Juros ao mês nas demais').fill('9')
    await dialog.getByLabel('Aceitar cupons').check()
    await dialog.getByLabel('Nome interno').fill('Doações')
    await dialog.getByLabel('E-mail', { exact: true }).check()
    await dialog.getByLabel('Pergunta 1').fill('Camiseta')
    await dialog.getByLabel('Opções').fill('P, M, G')
    await dialog.getByLabel('Resposta obrigatória').check()
    await dialog.getByLabel('Página de retorno').fill('javascript:alert(1)')
    t.strictSame(await violationsOf(page, wcag), [], 'the form with everything unfolded')
    t.strictSame(await overflowsOf(page), [])
    await dialog.getByRole('button', { name: 'Criar link' }).click()
    for (const wrong of [
      'O valor mínimo é R$ 1,00',
      'Informe até cinco valores entre o mínimo e o máximo',
      'Informe uma taxa de 0 a 5, como 1,99',
      'Informe um endereço que comece com https://',
    ])
      await dialog.getByText(wrong, { exact: true }).waitFor()
    await dialog.getByLabel('Valor mínimo').fill('10')
    await dialog.getByLabel('Valores sugeridos').fill('25; 100')
    await dialog.getByLabel('Juros ao mês nas demais').fill('1,99')
    await dialog.getByLabel('Página de retorno').fill('https://loja.example.com/obrigado')
    await dialog.getByRole('button', { name: 'Criar link' }).click()
    await page.getByRole('heading', { name: /^Ajude o abrigo/ }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    t.match((await call('GET', `/v1/payment-links/${id}`)).body, {
      name: 'Doações',
      amountMode: 'OPEN',
      minAmount: '1000',
      maxAmount: '100000',
      suggestedAmounts: ['2500', '10000'],
      methods: ['PIX', 'CREDIT_CARD'],
      installments: { max: 6, interestFreeUpTo: 3, monthlyRateBps: 199 },
      allowCoupons: true,
      collect: { email: 'REQUIRED', phone: 'HIDDEN' },
      customFieldsAsked: [{ label: 'Camiseta', required: true, type: 'OPTION', options: ['P', 'M', 'G'] }],
      successUrl: 'https://loja.example.com/obrigado',
    })
    t.strictSame(troubles, [])
  })

  t.test('a session is made for one payer, found, and ended', async (t) => {
    const { page, troubles } = await open(t)
    await openPath(page, addressOf('sessoes'))
    await page.getByRole('button', { name: 'Nova sessão' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Nova sessão' })
    await dialog.getByLabel('Valor', { exact: true }).fill('39,90')
    await dialog.getByLabel('Descrição').fill(`Moedor ${markup}`)
    await dialog.locator('summary', { hasText: 'Cliente' }).click()
    await dialog.getByLabel('Código no seu sistema').fill('pedido-9')
    await dialog.getByRole('button', { name: 'Criar página de pagamento' }).click()
    await page.getByRole('heading', { name: 'Compartilhar' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    const session = (await call('GET', `/v1/checkout-sessions/${id}`)).body
    t.match(session, { amount: '3990', externalId: 'pedido-9', status: 'OPEN', linkId: null })
    await page.getByText(session.url).waitFor()
    await page.getByRole('button', { name: 'Encerrar' }).click()
    await page.locator('h1').getByText('Expirada').waitFor()
    t.match((await call('GET', `/v1/checkout-sessions/${id}`)).body, { status: 'EXPIRED' })
    await followTo(page, addressOf('sessoes?externalId=pedido-9&status=EXPIRED'))
    t.equal(await page.locator('a[data-row]').count(), 1)
    await page.locator('a[data-row]').click()
    await page.getByText('O pagador ainda não escolheu como pagar.').waitFor()
    t.strictSame(troubles, [])
  })

  t.test('the preview follows what is typed, in both themes, and only what fits is kept', async (t) => {
    await created('/v1/plans', { name: 'Mensal', amount: 4900, interval: 'MONTH', methods: ['PIX'] })
    const { page, troubles } = await open(t)
    await openPath(page, addressOf('aparencia'))
    const name = 'Café <b>Azul</b>'
    const [light, dark] = [page.locator('figure.light'), page.locator('figure.dark')]
    await page.getByLabel('Nome exibido').fill(name)
    await light.getByText(name).waitFor()
    await page.getByRole('textbox', { name: 'Cor dos botões' }).fill('#FFD400')
    const painted = (theme: typeof light) =>
      theme.locator('.preview-button').evaluate((one: any) => one.style.backgroundColor)
    t.equal(await painted(dark), 'rgb(255, 212, 0)', 'yellow is seen on black')
    t.not(await painted(light), 'rgb(255, 212, 0)', 'and not on white')
    await light.getByText(/^Neste tema a cor é ajustada para #/).waitFor()
    t.strictSame(await violationsOf(page, wcag), [], 'the preview of a color that is hard to read')
    await page.getByLabel('Mensagem depois do pagamento').fill('Obrigado!\nSeu café sai hoje.')
    await dark.getByText('Seu café sai hoje.').waitFor()
    await page.getByLabel('Termos de venda').fill('http://loja.example.com')
    await page.getByRole('textbox', { name: 'Cor dos botões' }).fill('amarelo')
    await page.getByLabel('Tentativas por sessão').fill('9')
    await page.getByLabel('Recusas da empresa, por hora').fill('2,5')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Informe uma cor como #1f7a5a', { exact: true }).waitFor()
    await page.getByText('Informe um número inteiro de 1 a 5', { exact: true }).waitFor()
    await page.getByText('Informe um número inteiro de 1 a 100', { exact: true }).waitFor()
    await page.getByLabel('Tentativas por sessão').fill('3')
    await page.getByLabel('Recusas da empresa, por hora').fill('')
    await page.getByText('Informe um endereço que comece com https://', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Cor dos botões' }).fill('#FFD400')
    await page.getByLabel('Termos de venda').fill('https://loja.example.com/termos')
    await page.getByLabel('Cancelar a assinatura').check()
    await page.getByLabel('Mensal').check()
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Alterações salvas').waitFor()
    const { data } = (await call('GET', '/v1/plans')).body
    t.match((await call('GET', '/v1/checkout-branding')).body, {
      displayName: name,
      accent: '#ffd400',
      termsUrl: 'https://loja.example.com/termos',
      thankYouText: 'Obrigado!\nSeu café sai hoje.',
      portal: { cancel: true, changeCard: true, changePlan: [data[0].id] },
      cardLimits: { perSession: 3, declinesPerHour: null },
    })
    t.strictSame(troubles, [])
  })

  t.test('what was sold by a link is counted, and every figure leads to what it counts', async (t) => {
    const { id, url } = await created('/v1/payment-links', { name: 'Rifa', title: 'Rifa', amount: 1000 })
    for (const form of [{ method: 'CREDIT_CARD', card: cardJson() }, { method: 'PIX' }] as const)
      t.equal((await sendForm(service, url, 'pay', form)).status, 303)
    const { page, troubles } = await open(t)
    await openPath(page, addressOf(`links/${id}`))
    await page.getByRole('table', { name: 'Vendas por este link' }).waitFor()
    const figures = page.locator('.figures')
    for (const text of [
      /^Pagamentos\s*1$/,
      /^Total pago.*10,00/,
      /^Em andamento\s*1$/,
      /^Não concluídas\s*0$/,
    ])
      await figures.locator('.figure', { hasText: text }).waitFor()
    t.strictSame(await violationsOf(page, wcag), [], 'a link that was paid')
    await figures.getByRole('link', { name: 'Pagamentos' }).click()
    await page.getByRole('heading', { name: 'Sessões de checkout' }).waitFor()
    await page.locator('a[data-row]').click()
    await page.getByRole('heading', { name: 'Cobranças desta página' }).waitFor()
    await page
      .getByRole('link', { name: /^txn_|…/ })
      .first()
      .click()
    await page.getByText('Rifa').first().waitFor()
    await page.locator('.facts').getByRole('link', { name: 'Abrir' }).first().click()
    await page.getByRole('heading', { name: 'Compartilhar' }).waitFor()
    t.ok(page.url().endsWith(id), 'and back to the link')
    t.strictSame(troubles, [])
  })

  t.test(
    'a plan is sold by a link and by a session, which lead to the subscription that begins',
    async (t) => {
      const name = `Clube ${markup}`
      const plan = await created('/v1/plans', {
        name,
        amount: 4900,
        setupFee: 1000,
        interval: 'MONTH',
        methods: ['PIX', 'CREDIT_CARD'],
      })
      const { page, troubles } = await open(t)
      const choosePlan = async (dialog: Locator) => {
        await dialog.getByLabel('Tipo de venda').selectOption({ label: 'Plano de assinatura' })
        await dialog.getByRole('combobox', { name: 'Plano' }).fill('clube')
        await dialog.getByRole('option', { name: 'Clube' }).click()
        await dialog.getByText('R$\u00a049,00 por mês · adesão de R$\u00a010,00', { exact: true }).waitFor()
      }
      await openPath(page, addressOf('links?novo=1'))
      const dialog = page.getByRole('dialog', { name: 'Novo link' })
      await dialog.getByLabel('O que você vende').fill('Clube do café')
      await dialog.getByLabel('Valor', { exact: true }).fill('10')
      for (const part of ['Pagamento e parcelas', 'Limites e validade', 'Dados do pagador e retorno'])
        await dialog.locator('summary', { hasText: part }).click()
      // What is chosen first and does not apply to a plan is not sent with it.
      await dialog.getByLabel('Parcelas no cartão').selectOption('3')
      await dialog.getByLabel('Quantidade máxima por compra').fill('2')
      await dialog.getByLabel('Nome', { exact: true }).check()
      await dialog.getByLabel('Telefone').check()
      await dialog.getByLabel('Tipo de venda').selectOption({ label: 'Plano de assinatura' })
      for (const gone of [
        'Valor',
        'O pagador escolhe o valor',
        'Parcelas no cartão',
        'Quantidade máxima por compra',
      ])
        t.equal(await dialog.getByLabel(gone, { exact: true }).count(), 0, `${gone} is not asked`)
      await dialog.getByRole('button', { name: 'Criar link' }).click()
      await dialog.getByText('Preencha este campo').waitFor()
      await choosePlan(dialog)
      t.strictSame(await violationsOf(page, wcag), [], 'the form of a plan with everything unfolded')
      t.strictSame(await overflowsOf(page), [])
      await dialog.getByRole('button', { name: 'Criar link' }).click()
      await page.getByRole('heading', { name: 'Compartilhar' }).waitFor()
      const linkId = new URL(page.url()).pathname.split('/').at(-1)!
      const link = (await call('GET', `/v1/payment-links/${linkId}`)).body
      t.match(link, {
        mode: 'SUBSCRIPTION',
        planId: plan.id,
        plan: { name, amount: '4900', setupFee: '1000', interval: 'MONTH' },
        amount: '5900',
        trialDays: 0,
        quantity: null,
        methods: ['PIX', 'CREDIT_CARD'],
        installments: { max: 1 },
        collect: { name: 'REQUIRED', document: 'REQUIRED', email: 'REQUIRED', phone: 'REQUIRED' },
      })
      const toPlan = page.locator(`main a[href$="/planos/${plan.id}"]`)
      t.equal(await toPlan.first().innerText(), name)
      await page.getByRole('button', { name: 'Editar' }).click()
      await page.getByText('O plano e o preço deste link não mudam.', { exact: false }).waitFor()

      const who = {
        name: 'Ana Souza',
        document: '529.982.247-25',
        email: 'ana@example.com',
        phone: '11987654321',
      }
      t.equal((await sendForm(service, link.url, 'pay', { method: 'PIX', ...who })).status, 303)
      const [session] = (await call('GET', `/v1/checkout-sessions?linkId=${linkId}`)).body.data
      await created(`/v1/sandbox/pix/charges/${session.transactionIds[0]}/pay`, {})
      const { subscriptionId } = (await call('GET', `/v1/checkout-sessions/${session.id}`)).body
      const toSubscription = page.locator(`main a[href$="/assinaturas/${subscriptionId}"]`)
      await openPath(page, addressOf('sessoes'))
      t.equal(await toSubscription.innerText(), 'Assinatura')
      t.equal(await toPlan.first().innerText(), name)
      await openPath(page, addressOf(`links/${linkId}`))
      await toSubscription.waitFor()
      await openPath(page, addressOf(`sessoes/${session.id}`))
      await page.getByRole('table', { name: 'Assinaturas' }).getByText('Ana Souza').waitFor()
      t.ok((await toPlan.count()) > 0)
      await page.getByRole('table', { name: 'Assinaturas' }).locator('a[data-row]').click()
      await page.waitForURL(new RegExp(`assinaturas/${subscriptionId}`))

      await openPath(page, addressOf('sessoes?novo=1'))
      const other = page.getByRole('dialog', { name: 'Nova sessão' })
      await choosePlan(other)
      t.equal(await other.getByLabel('Valor', { exact: true }).isVisible(), false)
      await other.locator('summary', { hasText: 'Pagamento e cupons' }).click()
      await other.getByLabel('PIX', { exact: true }).waitFor()
      await other.getByLabel('Teste grátis (dias)').fill('731')
      await other.getByRole('button', { name: 'Criar página de pagamento' }).click()
      await other.getByText('Informe um número inteiro de 0 a 730', { exact: true }).waitFor()
      await other.getByLabel('Teste grátis (dias)').fill('7')
      await other.getByLabel('PIX', { exact: true }).waitFor({ state: 'detached' })
      await other.getByRole('button', { name: 'Criar página de pagamento' }).click()
      await page.getByRole('heading', { name: 'Compartilhar' }).waitFor()
      const made = new URL(page.url()).pathname.split('/').at(-1)!
      t.match((await call('GET', `/v1/checkout-sessions/${made}`)).body, {
        mode: 'SUBSCRIPTION',
        planId: plan.id,
        trialDays: 7,
        amount: '0',
        methods: ['CREDIT_CARD'],
      })
      await page
        .getByText(/7 dias de teste grátis/)
        .first()
        .waitFor()
      t.strictSame(troubles, [])
    },
  )

  t.test('every page is sound in both themes and at every width', async (t) => {
    const link = await created('/v1/payment-links', {
      name: 'x'.repeat(80),
      title: `${'Curso de barista '.repeat(4)}`.trim(),
      amount: 24_900,
      installments: { max: 12, interestFreeUpTo: 3, monthlyRateBps: 199 },
      customFields: [{ key: 'a', label: markup, type: 'OPTION', options: ['P', 'M'] }],
      metadata: { origem: markup },
    })
    const { data } = (await call('GET', '/v1/plans?q=Clube')).body
    const ofPlan = { mode: 'SUBSCRIPTION', planId: data[0].id }
    const planLink = await created('/v1/payment-links', { name: 'Assine', ...ofPlan })
    const [begun] = (await call('GET', '/v1/checkout-sessions?status=COMPLETED')).body.data.filter(
      ({ subscriptionId }: any) => subscriptionId !== null,
    )
    const session = await created('/v1/checkout-sessions', {
      items: [{ name: markup, quantity: 2, unitAmount: 1_500 }],
      customer: { name: `Ana ${markup}`, document: '12345678909', email: 'ana@example.com' },
    })
    await walk(t, await open(t), {
      links: addressOf('links'),
      'one link': addressOf(`links/${link.id}`),
      'a link of a plan': addressOf(`links/${planLink.id}`),
      sessions: addressOf('sessoes'),
      'one session': addressOf(`sessoes/${session.id}`),
      'a session of a plan': addressOf(`sessoes/${begun.id}`),
      'how the pages look': addressOf('aparencia'),
    })
  })

  t.test('in English, and without the product', async (t) => {
    const { page } = await open(t)
    await owner.browser.call('PATCH', '/v1/me', { language: 'en' })
    await openPath(page, addressOf('links'))
    await page.getByRole('columnheader', { name: 'What you sell' }).waitFor()
    const entry = page.locator('#menu').getByRole('link', { name: 'Links and checkout' })
    await entry.waitFor()
    await service.operate('companies update', {
      id: company.id,
      products: { CHECKOUT: 'DISABLED' },
      environment: 'sandbox',
    })
    await page.reload()
    await hasRead(page)
    await page.getByText('Product not active', { exact: true }).waitFor()
    await entry.waitFor({ state: 'detached' })
    await service.operate('companies update', {
      id: company.id,
      products: { CHECKOUT: 'ACTIVE' },
      environment: 'sandbox',
    })
  })

  t.test('who only looks sees links and the branding, and changes neither', async (t) => {
    const { link } = await service.operate('people invite', {
      company: company.id,
      email: 'vera@example.com',
      role: 'viewer',
    })
    const vera = await enrol(service, link, 'vera@example.com', 'Vera Sá')
    const { page, troubles } = await open(t, vera)
    await openPath(page, addressOf('links'))
    await page.locator('a[data-row]').first().waitFor()
    t.equal(await page.getByRole('button', { name: 'Novo link' }).count(), 0)
    await page.locator('a[data-row]').first().click()
    await page.getByRole('heading', { name: 'Compartilhar' }).waitFor()
    for (const name of ['Editar', 'Desativar']) t.equal(await page.getByRole('button', { name }).count(), 0)
    await followTo(page, addressOf('aparencia'))
    await page.getByText('Seu papel permite somente visualizar.').waitFor()
    t.ok(await page.getByLabel('Nome exibido').isDisabled())
    t.strictSame(troubles, [])
  })
})
