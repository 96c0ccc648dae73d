import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { type Enrolled, enrol, newOwner } from '../e2e/person.ts'
import {
  newMerchant,
  oneWorker,
  posted,
  type Scope,
  startReceiver,
  startService,
  until,
} from '../e2e/service.ts'
import { letIn, openPath, openTab, pressOn, siteOf, startBrowser, tabTo, typeInto } from './browser.ts'

t.test('what people do with keys alone', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { company } = await newMerchant(service)
  const site = siteOf(service)
  const browser = await startBrowser(t)
  const owner = await newOwner(service, company.id, 'dona@example.com')
  const call = owner.browser.at(company.id).call

  /** Another owner, who has not given a code yet: an application makes three in a minute. */
  const newPerson = async (email: string, name: string): Promise<Enrolled> => {
    const { link } = await service.operate('people invite', { company: company.id, email, role: 'owner' })
    return enrol(service, link, email, name)
  }
  const open = async (t: Scope, person: Enrolled, path: string) => {
    const tab = await openTab(t, browser, { viewport: { width: 1280, height: 900 } })
    await letIn(tab.context, site, person)
    await openPath(tab.page, `${site}/painel/${company.id}/sandbox/${path}`)
    return tab
  }
  /** Answers the question for a factor, whose field has the focus. */
  const sign = async (page: Page, person: Enrolled): Promise<void> => {
    const dialog = page.getByRole('dialog', { name: 'Assine esta operação' })
    await dialog.waitFor()
    await page.locator('[name="code"]:focus').waitFor()
    await page.keyboard.type(person.code())
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }
  /** Chooses an option of a list by its first letters. */
  const choose = async (list: Locator, text: string): Promise<void> => {
    await tabTo(list)
    await list.page().keyboard.type(text)
  }
  const savedSecret = async (page: Page, name: string): Promise<string> => {
    const dialog = page.getByRole('dialog', { name })
    await dialog.waitFor()
    const secret = await dialog.locator('.copy-box code').innerText()
    await pressOn(dialog.getByRole('checkbox'), 'Space')
    await pressOn(dialog.getByRole('button', { name: 'Fechar' }))
    await dialog.waitFor({ state: 'detached' })
    return secret
  }

  t.test('a key is made, and rolled', async (t) => {
    const person = await newPerson('chaves@example.com', 'Caio Reis')
    const { page, troubles } = await open(t, person, 'chaves')
    const statusOf = async (secret: string) =>
      (await fetch(`${service.origin}/v1/transactions`, { headers: { Authorization: `Bearer ${secret}` } }))
        .status
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'Nova chave' }).waitFor()
    await page.keyboard.type('Loja')
    await page.keyboard.press('Enter')
    await sign(page, person)
    const first = await savedSecret(page, 'Segredo da chave')
    t.equal(await statusOf(first), 200)

    await pressOn(page.getByRole('button', { name: 'Trocar Loja' }))
    const roll = page.getByRole('dialog', { name: 'Trocar o segredo de Loja' })
    await tabTo(roll.getByLabel('Validade do segredo atual'))
    await page.keyboard.press('Home')
    await pressOn(roll.getByRole('button', { name: 'Trocar' }))
    await sign(page, person)
    const second = await savedSecret(page, 'Segredo da chave')
    t.equal(await statusOf(second), 200)
    await until(async () => (await statusOf(first)) === 401)
    t.strictSame(troubles, [], 'no report of the policy, and no error')
  })

  t.test('an endpoint is made, and hears a test event', async (t) => {
    const receiver = await startReceiver(t)
    const { page, troubles } = await open(t, owner, 'inicio')
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Novo endpoint' }).first().waitFor()
    await page.keyboard.press('n')
    await typeInto(page.getByRole('dialog', { name: 'Novo endpoint' }).getByLabel('URL'), receiver.url)
    await page.keyboard.press('Enter')
    await savedSecret(page, 'Segredo de assinatura')
    await page.locator('a[data-row]').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/webhooks\/whk_/)
    await pressOn(page.getByRole('button', { name: 'Testar' }))
    await pressOn(page.getByRole('dialog', { name: 'Testar' }).getByRole('button', { name: 'Enviar' }))
    await page.waitForURL(/entregas\/dlv_/)
    await receiver.count(1)
    await page.getByRole('heading', { level: 1 }).getByText('Entregue').waitFor()
    t.strictSame(troubles, [], 'no report of the policy, and no error')
  })

  t.test('a member is invited, and gets another role', async (t) => {
    const { page, troubles } = await open(t, owner, 'equipe')
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'Convidar' }).waitFor()
    const before = service.log().length
    await page.keyboard.type('rui@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('rui@example.com').waitFor()
    const mailed = /\/painel\/convite#[\w-]+/
    await until(async () => mailed.test(service.log().slice(before)))
    await enrol(service, mailed.exec(service.log().slice(before))![0], 'rui@example.com', 'Rui Prado')

    await page.reload()
    await pressOn(page.getByRole('button', { name: 'Papéis: Rui Prado' }))
    const dialog = page.getByRole('dialog', { name: /^Papéis/ })
    await choose(dialog.getByLabel('Papel · Sandbox'), 'Atend')
    await pressOn(dialog.getByRole('button', { name: 'Salvar' }))
    await dialog.waitFor({ state: 'detached' })
    const { members } = (await call('GET', '/v1/team')).body
    t.match(
      members.find(({ name }: { name: string }) => name === 'Rui Prado'),
      { roles: { SANDBOX: 'SUPPORT' } },
    )
    t.strictSame(troubles, [], 'no report of the policy, and no error')
  })

  t.test('a subscription is made, and cancelled', async (t) => {
    await posted(call, '/v1/customers', { name: 'Carla Dias', document: '52998224725' })
    await posted(call, '/v1/plans', { name: 'Clube', amount: 4990, interval: 'MONTH', methods: ['PIX'] })
    const { page, troubles } = await open(t, owner, 'inicio')
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.getByRole('heading', { name: 'Assinaturas', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Nova assinatura' }).first().waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'Nova assinatura' })
    // Rows of what was typed before are not chosen for what is typed now.
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const search = (url: URL) => url.pathname === '/v1/customers' && url.searchParams.get('q') === 'carl'
    await page.route(search, async (route) => {
      await released
      await route.continue()
    })
    const sent = page.waitForRequest((request) => search(new URL(request.url())))
    await typeInto(dialog.getByRole('combobox', { name: 'Cliente' }), 'carl')
    await sent
    await page.keyboard.press('Enter')
    t.equal(await dialog.getByRole('combobox', { name: 'Cliente' }).inputValue(), 'carl', 'nobody is chosen')
    release()
    await dialog.locator('[role=listbox][aria-busy=false]:visible').waitFor()
    await dialog.getByRole('option', { name: /Carla Dias/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await pressOn(dialog.getByRole('button', { name: 'Criar assinatura' }))
    await page.waitForURL(/assinaturas\/sub_/)
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    await pressOn(page.getByRole('button', { name: 'Cancelar', exact: true }))
    const asked = page.getByRole('dialog', { name: 'Cancelar a assinatura' })
    await typeInto(asked.getByLabel('Motivo'), 'Mudou de ideia')
    await pressOn(asked.getByRole('checkbox'), 'Space')
    await pressOn(asked.getByRole('button', { name: 'Cancelar a assinatura' }))
    await asked.waitFor({ state: 'detached' })
    t.match((await call('GET', `/v1/subscriptions/${id}`)).body, {
      status: 'CANCELLED',
      cancelReason: 'Mudou de ideia',
      customerId: /^cus_/,
    })
    t.strictSame(troubles, [], 'no report of the policy, and no error')
  })

  t.test(
    'a limit is made stricter, which counts at once, and looser, which another person decides',
    async (t) => {
      const asker = await newPerson('limites@example.com', 'Lia Melo')
      const { page, troubles } = await open(t, asker, 'limites')
      const limits = async () => (await call('GET', '/v1/company/limits')).body
      const change = async (field: string, amount: string, effect: string) => {
        await pressOn(page.getByRole('button', { name: 'Editar: Limites' }))
        const dialog = page.getByRole('dialog', { name: 'Limites' })
        await typeInto(dialog.getByLabel(field), amount)
        await dialog.getByRole('status').getByText(effect).waitFor()
        await page.keyboard.press('Enter')
        await sign(page, asker)
        await dialog.waitFor({ state: 'detached' })
      }
      await change('PIX por dia', '50.000,00', 'vale na hora')
      t.match(await limits(), { pixDayAmount: '5000000', pending: [] })
      await change('TED por dia', '300.000,00', 'vale 24 h depois que outra pessoa aprovar')
      t.match(await limits(), {
        tedDayAmount: '25000000',
        pending: [{ field: 'tedDayAmount', amount: '30000000', effectiveAt: null }],
      })
      const row = (of: Page) => of.getByRole('row').filter({ hasText: 'TED por dia' })
      await row(page).getByText('Aguardando aprovação').waitFor()
      t.equal(
        await row(page)
          .getByRole('button', { name: /^Aprovar/ })
          .count(),
        0,
        'nobody approves their own',
      )

      const other = await newPerson('aprova@example.com', 'Ari Lopes')
      const approver = await open(t, other, 'limites')
      await row(approver.page).getByText('Lia Melo').waitFor()
      await pressOn(approver.page.getByRole('button', { name: 'Aprovar: TED por dia' }))
      await sign(approver.page, other)
      await row(approver.page).getByText('Agendada').waitFor()
      await posted(call, '/v1/sandbox/clock/advance', { by: 'P2D' })
      t.match(await limits(), { tedDayAmount: '30000000', pending: [] })
      await approver.page.reload()
      await row(approver.page).getByText('Em vigor').waitFor()
      t.strictSame([...troubles, ...approver.troubles], [], 'no report of the policy, and no error')
    },
  )

  t.test('who may not manage limits reads them', async (t) => {
    const { link } = await service.operate('people invite', {
      company: company.id,
      email: 'leitor@example.com',
      role: 'viewer',
    })
    const viewer = await enrol(service, link, 'leitor@example.com', 'Vera Luz')
    const { page } = await open(t, viewer, 'limites?novo=limites')
    await page.getByText('Somente proprietários e administradores podem alterar').waitFor()
    await page.getByText('PIX por dia').first().waitFor()
    t.equal(await page.getByRole('dialog').count(), 0)
    t.equal(await page.getByRole('button', { name: /^(Editar|Aprovar|Rejeitar)/ }).count(), 0)
  })
})
