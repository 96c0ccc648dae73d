import type { Page } from 'playwright-core'
import t from 'tap'
import { everyScope } from '../e2e/examples/play.ts'
import { type Enrolled, enrol, newOwner } from '../e2e/person.ts'
import {
  caller,
  newMerchant,
  oneWorker,
  posted,
  programOf,
  type Scope,
  type Service,
  startService,
} from '../e2e/service.ts'
import { anOfx, anOfxLine } from '../gateway/inbox/ofx-for-test.ts'
import { createAuthority } from '../rails/certificates.ts'
import {
  letIn,
  lookAt,
  openPath,
  openTab,
  pressOn,
  siteOf,
  startBrowser,
  typeInto,
  violationsOf,
  wcag,
} from './browser.ts'

const secret = 'Client_Secret_of_the_bank'

t.test('a company connects its bank in the dashboard', async (t) => {
  const service = await startService(t, { env: oneWorker, program: programOf('banked-main') })
  const { company, call } = await newMerchant(service, { environment: 'production' })
  const ana = await newOwner(service, company.id)
  const join = async (email: string, name: string, role = 'owner'): Promise<Enrolled> => {
    const { link } = await service.operate('people invite', { company: company.id, email, role })
    return enrol(service, link, email, name)
  }
  const bia = await join('bia@example.com', 'Bia Lima')
  const site = siteOf(service)
  const browser = await startBrowser(t)
  const addressOf = (page: string) => `${site}/painel/${company.id}/producao/${page}`
  const open = async (t: Scope, person: Enrolled, page: string) => {
    const tab = await openTab(t, browser, { viewport: { width: 1280, height: 900 } })
    await letIn(tab.context, site, person)
    await openPath(tab.page, addressOf(page))
    return tab
  }
  const sign = async (page: Page, person: Enrolled): Promise<string> => {
    const dialog = page.getByRole('dialog', { name: 'Assine esta operação' })
    await dialog.getByLabel('Código do aplicativo autenticador').fill(person.code())
    const text = await dialog.innerText()
    await dialog.getByRole('button', { name: 'Confirmar' }).click()
    await dialog.waitFor({ state: 'detached' })
    return text
  }
  const act = async (page: Page, action: string, confirm = action): Promise<void> => {
    await page.locator('.page-head').getByRole('button', { name: action, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click()
  }
  const status = (page: Page, text: string) => page.locator('h1').getByText(text, { exact: true }).waitFor()
  const listed = async (): Promise<any[]> =>
    (
      await ana.browser.call('GET', '/v1/connections', undefined, {
        'Service-Company': company.id,
        'Service-Environment': 'PRODUCTION',
      })
    ).body.data
  const certificate = createAuthority('CA of the bank').issue({ commonName: 'Loja Azul' })

  await t.test(
    'by keys: what is missing is said at its field, and files are read for what they are',
    async (t) => {
      const { page, troubles } = await open(t, ana, 'inicio')
      await page.getByRole('link', { name: 'Conecte o banco da empresa' }).click()
      await page.getByRole('heading', { name: 'Nenhum banco conectado' }).waitFor()
      t.strictSame(await violationsOf(page, wcag), [], 'without a bank')
      await page.keyboard.press('n')
      const dialog = page.getByRole('dialog', { name: 'Conectar banco' })
      const field = (label: string) => dialog.getByLabel(label)
      await field('Banco').selectOption({ label: 'Efí' })
      await dialog.getByText('Baixe o certificado de Produção').waitFor()
      t.equal(await field('A aplicação pode ler o extrato').count(), 0, 'this bank gives no statement')
      await pressOn(dialog.getByRole('button', { name: 'Salvar rascunho' }))
      await dialog.getByText('Escolha os arquivos do certificado').waitFor()
      t.equal(await dialog.getByText('Preencha este campo').count(), 5)
      await lookAt(t, page, 'the form with what is missing')

      const files = dialog.locator('input[type=file]')
      const file = (name: string, text: string | Buffer) => ({
        name,
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(text),
      })
      await files.setInputFiles(file('foto.png', 'PNG'))
      await dialog.getByText('foto.png não é um certificado').waitFor()
      await files.setInputFiles(file('loja.crt', certificate.cert))
      await dialog.getByText('Certificado: loja.crt').waitFor()
      await typeInto(field('Id da aplicação'), 'Client_Id_7d2e')
      await typeInto(field('Segredo da aplicação'), secret)
      await typeInto(field('Chave PIX'), '71cdf9ba-c695-4e3c-b010-abb521a3f1be')
      await typeInto(field('Nome do recebedor'), 'Loja Azul')
      await typeInto(field('Cidade do recebedor'), 'Recife')
      await pressOn(dialog.getByRole('button', { name: 'Salvar rascunho' }))
      await dialog.getByText('Falta a chave privada').waitFor()
      await files.setInputFiles(file('loja.key', certificate.key))
      await dialog.getByText('Chave privada: loja.key').waitFor()
      t.notMatch(await dialog.innerText(), /BEGIN/, 'what files hold is not shown')
      await pressOn(dialog.getByRole('button', { name: 'Salvar rascunho' }))
      await sign(page, ana)
      await status(page, 'Rascunho')
      t.match(await listed(), [
        { provider: 'efi', status: 'DRAFT', rails: ['PIX', 'PAYOUT'], certificateSubject: 'CN=Loja Azul' },
      ])
      const shown = await page.content()
      for (const hidden of [secret, 'Client_Id_7d2e', 'BEGIN']) t.notMatch(shown, hidden)
      t.strictSame(troubles, [])
    },
  )

  const [{ id }] = await listed()
  const pageOfOne = `conexoes/${id}`

  await t.test('it is tried, and two people put it to use', async (t) => {
    const { page, troubles } = await open(t, ana, pageOfOne)
    await page.getByText('Próximo passo: verificar').waitFor()
    await page.getByRole('button', { name: 'Verificar', exact: true }).click()
    await status(page, 'Verificada')
    await act(page, 'Ativar')
    t.match(await sign(page, ana), /Efí[\s\S]+PIX, Transferências/, 'what is signed')
    await page.getByText('Você pediu a ativação').waitFor()
    t.equal(await page.getByRole('button', { name: 'Ativar' }).count(), 0, 'nobody confirms alone')
    t.match(await listed(), [{ status: 'VERIFIED' }])
    await lookAt(t, page, 'one that waits for another person')

    const other = await open(t, bia, pageOfOne)
    await other.page.getByText('Ana Souza pediu a ativação em').waitFor()
    await act(other.page, 'Confirmar ativação')
    await sign(other.page, bia)
    await status(other.page, 'Ativa')
    await other.page.getByText('Funciona', { exact: true }).waitFor()
    await other.page.locator('.timeline').getByText('ativou a conexão').first().waitFor()
    t.match(
      (await other.page.locator('.timeline .said').allInnerTexts()).slice(0, 2),
      [/^Bia Lima ativou a conexão/, /^Ana Souza pediu a ativação da conexão/],
      'who requested it, and who did it',
    )
    await lookAt(t, other.page, 'one in use')
    await openPath(other.page, addressOf('conexoes'))
    await other.page.getByRole('link', { name: 'Efí' }).first().waitFor()
    await lookAt(t, other.page, 'the list')
    // This bank says nothing to a charge.
    const charge = (await call('POST', '/v1/pix/charges', { amount: 1990 })).body
    t.equal(charge.status, 'CREATED')
    await openPath(other.page, addressOf(`transacoes/${charge.id}`))
    await other.page.getByText('O banco ainda não respondeu').waitFor()
    await other.page.locator('.facts-side').getByText('Efí', { exact: true }).waitFor()
    t.equal(await other.page.getByText('Situação no banco').count(), 0, 'the bank has no record of it yet')
    await openPath(other.page, addressOf('transacoes?status=CREATED'))
    await other.page.getByRole('table').getByText('Criada', { exact: true }).waitFor()
    await openPath(other.page, addressOf('inicio'))
    const done = other.page.locator('.go-live .done')
    await done.getByText('Conecte um banco para transferências').waitFor()
    await done.getByText('Certificado do banco').waitFor()
    t.equal(await done.getByText('O banco avisa os pagamentos').count(), 0, 'there is no port for notices')
    t.strictSame([...troubles, ...other.troubles], [])
  })

  await t.test(
    'it is suspended and resumed, has other credentials for a while, and is retired',
    async (t) => {
      const caio = await join('caio@example.com', 'Caio Reis')
      const dora = await join('dora@example.com', 'Dora Alves')
      const { page, troubles } = await open(t, caio, pageOfOne)
      await act(page, 'Suspender')
      await status(page, 'Suspensa')
      await page.getByText('Suspensa por uma pessoa').waitFor()
      await act(page, 'Retomar')
      await sign(page, caio)
      await status(page, 'Ativa')

      await page.getByRole('button', { name: 'Trocar credenciais' }).click()
      const dialog = page.getByRole('dialog', { name: 'Trocar credenciais' })
      await dialog.getByLabel('Id da aplicação').waitFor()
      t.equal(await dialog.getByLabel('Chave PIX').count(), 0, 'the key stays')
      await dialog.getByRole('button', { name: 'Trocar credenciais' }).click()
      await dialog.getByText('Preencha ou escolha o que muda').waitFor()
      t.strictSame(await violationsOf(page, wcag), [], 'the form for other credentials')
      // A file of PKCS #12 takes the place of a certificate and its key.
      await dialog.locator('input[type=file]').setInputFiles({
        name: 'loja.p12',
        mimeType: 'application/x-pkcs12',
        buffer: Buffer.from('0\x82\x0a'),
      })
      await dialog.getByText('loja.p12').waitFor()
      await dialog.getByRole('button', { name: 'Trocar credenciais' }).click()
      await sign(page, caio)
      await page.getByText('As credenciais anteriores podem ser retomadas').waitFor()
      const names = ([{ settings }]: any[]): string[] => settings.map(({ name }: any) => name)
      const rotated = names(await listed())
      t.ok(rotated.includes('pfx') && rotated.includes('clientSecret'), rotated.join())
      t.notOk(rotated.includes('certificate') || rotated.includes('privateKey'), rotated.join())

      const { page: hers } = await open(t, dora, pageOfOne)
      await act(hers, 'Retomar credenciais anteriores')
      await sign(hers, dora)
      await hers.getByText('Credenciais anteriores em uso').waitFor()
      t.ok(names(await listed()).includes('certificate'))
      await act(hers, 'Encerrar')
      await sign(hers, dora)
      await status(hers, 'Encerrada')
      t.equal(await hers.locator('.page-head .actions button').count(), 0, 'nothing is left to do')
      t.strictSame(troubles, [])
    },
  )

  await t.test('money in suspense is assigned, and written off by two people', async (t) => {
    const eva = await join('eva@example.com', 'Eva Nunes')
    const fabio = await join('fabio@example.com', 'Fábio Melo')
    const { call: sandbox } = await newKey(service, company.id)
    const [paid, lost] = [
      await posted(sandbox, '/v1/sandbox/pix/unmatched', { amount: 5500 }),
      await posted(sandbox, '/v1/sandbox/pix/unmatched', { amount: 700 }),
    ]
    const charge = await posted(sandbox, '/v1/pix/charges', { amount: 5500 })
    const inSandbox = (page: string) => addressOf(page).replace('producao', 'sandbox')
    const { page, troubles } = await open(t, eva, 'inicio')
    await openPath(page, inSandbox('inicio'))
    await page.getByRole('link', { name: '2 PIX em suspenso' }).click()
    await page.getByRole('heading', { name: 'Em suspenso' }).waitFor()
    await page.getByRole('link', { name: 'R$ 55,00' }).first().click()
    await page.getByText('Aguarda uma decisão').waitFor()
    await page.getByRole('button', { name: 'Atribuir' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Atribuir' }).click()
    await dialog.getByText('Preencha este campo').waitFor()
    await dialog.getByLabel('Código da cobrança').fill(charge.id)
    await dialog.getByRole('button', { name: 'Atribuir' }).click()
    await page.locator('h1').getByText('Atribuído').waitFor()
    t.equal((await sandbox('GET', `/v1/pix/charges/${charge.id}`)).body.status, 'APPROVED')
    await page.getByRole('link', { name: charge.id }).waitFor()

    await openPath(page, inSandbox(`suspenso/${lost.id}`))
    await page.getByRole('button', { name: 'Baixar' }).click()
    await dialog.getByLabel('Motivo').fill('O banco o retirou')
    await dialog.getByRole('button', { name: 'Baixar' }).click()
    t.match(await sign(page, eva), /R\$\s7,00/)
    await page.getByText('Você propôs a baixa (O banco o retirou)').waitFor()
    t.equal(await page.getByRole('button', { name: 'Confirmar baixa' }).count(), 0)
    const { page: his } = await open(t, fabio, 'inicio')
    await openPath(his, inSandbox(`suspenso/${lost.id}`))
    await his.getByText('Eva Nunes propôs a baixa (').waitFor()
    await his.getByRole('button', { name: 'Confirmar baixa' }).click()
    await his.getByRole('dialog').getByRole('button', { name: 'Confirmar baixa' }).click()
    await sign(his, fabio)
    await his.locator('h1').getByText('Baixado').waitFor()
    const { data } = (await fabio.browser.at(company.id).call('GET', '/v1/suspense')).body
    t.match(data, [
      { id: lost.id, status: 'WRITTEN_OFF' },
      { id: paid.id, status: 'ASSIGNED' },
    ])
    t.strictSame(troubles, [])
  })

  await t.test('a day whose books differ is seen, and accepted with a reason', async (t) => {
    const hugo = await join('hugo@example.com', 'Hugo Prado')
    const { call: sandbox } = await newKey(service, company.id)
    const { date } = await posted(sandbox, '/v1/sandbox/reconciliations', {
      amount: 5500,
      difference: 'MISSING_HERE',
    })
    const { page, troubles } = await open(t, hugo, 'inicio')
    await openPath(page, addressOf('conciliacao').replace('producao', 'sandbox'))
    await page.getByRole('table').getByText('Diferente', { exact: true }).waitFor()
    t.strictSame(await violationsOf(page, wcag), [], 'the list of days')
    const wide = page.viewportSize()!
    await page.setViewportSize({ width: 360, height: 800 })
    await page.reload()
    const current = page.locator('nav.tabs [aria-current]').first()
    await current.waitFor()
    t.ok(await page.evaluate(isCurrentInView), 'the strip of tabs begins with the current one in view')
    await page.setViewportSize(wide)
    await page.locator('tbody a[data-row]').first().click()
    await page.getByText('Só o banco tem').waitFor()
    await page.getByRole('button', { name: 'Enviar extrato' }).click()
    const upload = page.getByRole('dialog')
    const day = date.replaceAll('-', '')
    const file = anOfx([anOfxLine({ DTPOSTED: day, TRNAMT: '55.00' })]).replaceAll(/2026112[01]/g, day)
    const input = upload.locator('input[type=file]')
    await input.setInputFiles({ name: 'a.ofx', mimeType: 'text/plain', buffer: Buffer.from('no statement') })
    await upload.getByRole('button', { name: 'Enviar extrato' }).click()
    await upload.getByText('não é um extrato em OFX').waitFor()
    await input.setInputFiles({
      name: 'extrato.ofx',
      mimeType: 'application/x-ofx',
      buffer: Buffer.from(file),
    })
    await upload.getByText('extrato.ofx').waitFor()
    await upload.getByRole('button', { name: 'Enviar extrato' }).click()
    await page.getByText('enviou o extrato em').waitFor()
    await page.getByText('As somas do extrato são outras').waitFor()
    await lookAt(t, page, 'a day whose books differ', [320, 1280])
    const link = page.getByRole('link', { name: 'Baixar CSV' })
    t.match(await link.getAttribute('href'), /reconciliations\/rcn_\w{26}\/export\?/)
    await page.getByRole('button', { name: 'Aceitar diferenças' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Motivo').fill('O banco estornou no dia seguinte')
    await dialog.getByRole('button', { name: 'Aceitar diferenças' }).click()
    await page.locator('h1').getByText('Aceita', { exact: true }).waitFor()
    await page.getByText('aceitou: O banco estornou no dia seguinte').waitFor()
    t.equal(await page.getByRole('button', { name: 'Aceitar diferenças' }).count(), 0)
    t.strictSame(troubles, [])
  })

  await t.test('a subscription is offered Pix Automático, and shows its mandate', async (t) => {
    const gil = await join('gil@example.com', 'Gil Ramos')
    const { call: sandbox } = await newKey(service, company.id)
    await posted(sandbox, '/v1/plans', { name: 'Clube', amount: 4990, interval: 'MONTH', methods: ['PIX'] })
    const { page, troubles } = await open(t, gil, 'inicio')
    await openPath(page, addressOf('assinaturas?novo=1').replace('producao', 'sandbox'))
    const dialog = page.getByRole('dialog', { name: 'Nova assinatura' })
    await dialog.locator('[name="customer.name"]').fill('Marina Duarte')
    await dialog.locator('[name="customer.document"]').fill('529.982.247-25')
    await dialog.getByLabel('Cobrar por Pix Automático').check()
    await dialog.getByText('Conta do pagador').waitFor()
    await dialog.getByRole('button', { name: 'Criar assinatura' }).click()
    await page.getByRole('heading', { name: 'Marina Duarte' }).waitFor()
    const mandate = page
      .locator('.section')
      .filter({ has: page.getByRole('heading', { name: 'Pix Automático' }) })
    t.match(
      await mandate.innerText(),
      /Aguardando[\s\S]+paga a primeira fatura[\s\S]+R\$\s49,90[\s\S]+Mensal/,
    )
    t.match(
      await page.locator('.copy-box code').first().innerText(),
      /qr\/v2\/rec/,
      'one code pays and authorizes',
    )
    t.strictSame(troubles, [])
  })

  t.test('who only looks is offered nothing, and the Sandbox has none', async (t) => {
    const vera = await join('vera@example.com', 'Vera Sá', 'viewer')
    const { page, troubles } = await open(t, vera, pageOfOne)
    await status(page, 'Encerrada')
    t.equal(await page.getByRole('button', { name: 'Trocar credenciais' }).count(), 0)
    await openPath(page, addressOf('conexoes'))
    t.equal(await page.getByRole('button', { name: 'Conectar banco' }).count(), 0)
    await openPath(page, addressOf('conexoes').replace('producao', 'sandbox'))
    await page.getByRole('heading', { name: 'O Sandbox tem bancos próprios' }).waitFor()
    t.equal(await page.locator('.family').getByText('Bancos').count(), 0, 'no tab leads there')
    await vera.browser.call('PATCH', '/v1/me', { language: 'en' })
    await openPath(page, addressOf(pageOfOne))
    await page.getByText('Retired for good').waitFor()
    t.strictSame(troubles, [])
  })
})

/** A key of the Sandbox, where the money in suspense and payers are played. */
const newKey = async (service: Service, company: string) => {
  const { secret } = await service.operate('keys create', {
    company,
    environment: 'sandbox',
    name: 'Loja',
    scopes: everyScope,
  })
  return { call: caller(service.origin, secret) }
}

/** Whether the current tab is within the strip that it stands in. Runs in the page. */
const isCurrentInView = `(() => {
  const link = document.querySelector('nav.tabs [aria-current]')
  const [own, strip] = [link.getBoundingClientRect(), link.parentElement.getBoundingClientRect()]
  return own.left >= strip.left - 1 && own.right <= strip.right + 1
})()`
