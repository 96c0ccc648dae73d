import t from 'tap'
import { newOwner } from '../e2e/person.ts'
import { newMerchant, oneWorker, startService } from '../e2e/service.ts'
import { letIn, openPath, openTab, siteOf, startBrowser, violationsOf, wcag } from './browser.ts'

t.test(
  'an owner reads the audit log, finds what was done to an object, and verifies the chain',
  async (t) => {
    const service = await startService(t, { env: oneWorker })
    const { company } = await newMerchant(service)
    const ana = await newOwner(service, company.id)
    const place = ana.browser.at(company.id)
    const plan = { name: 'Plano <img src=x>', amount: 4990, interval: 'MONTH', methods: ['PIX'] }
    const { id } = (await place.call('POST', '/v1/plans', plan)).body
    await place.call('PATCH', `/v1/plans/${id}`, { amount: 5990 })
    await place.call('POST', '/v1/customers', { name: 'Ana', document: '12345678909' })

    const { page, context, troubles } = await openTab(t, await startBrowser(t), {
      viewport: { width: 1280, height: 900 },
    })
    const site = siteOf(service)
    await letIn(context, site, ana)
    const path = `${site}/painel/${company.id}/sandbox/auditoria`
    await openPath(page, path)
    const rows = page.locator('tbody tr')
    t.equal(await rows.count(), 4, 'the key of the command line, two of the plan, the customer')
    const changed = rows.nth(1)
    t.match(
      await changed.locator('.said').innerText(),
      'Ana Souza alterou o plano de R$\u00a059,90 “Plano <img src=x>”',
    )
    await changed.getByText('Detalhes').click()
    t.match(await changed.innerText(), /Valor\s+R\$\u00a049,90 → R\$\u00a059,90/)
    await changed.getByText('Registro original').click()
    t.match(await changed.locator('.json').innerText(), /"action": "updatePlan"/)
    t.equal(
      await changed.getByRole('link', { name: /Plano/ }).getAttribute('href'),
      `/painel/${company.id}/sandbox/planos/${id}`,
    )
    t.match(await rows.nth(3).locator('.said').innerText(), /^Operador do serviço criou a chave de API “/)
    await rows.nth(3).getByText('Detalhes').click()
    t.match(await rows.nth(3).innerText(), /Permissões\s+charges\.create, charges\.read/, 'lists are no JSON')
    t.strictSame(await violationsOf(page, wcag), [])

    await page.getByRole('button', { name: 'Verificar integridade' }).click()
    t.match(
      await page.getByRole('status').filter({ hasText: 'Registros' }).innerText(),
      'Registros íntegros: nenhuma alteração detectada em 4 registros.',
    )
    await openPath(page, `${path}?objectId=${id}`)
    t.equal(await rows.count(), 2)
    const carla = await newOwner(service, company.id, 'carla@example.com')
    const carlaId = (await carla.browser.call('GET', '/v1/me')).body.id
    await carla.browser.at(company.id).call('PATCH', `/v1/plans/${id}`, { amount: 6990 })
    await service.operate('people erase', { id: 'carla@example.com' })
    await openPath(page, `${path}?objectId=${id}`)
    t.match(await rows.nth(0).locator('.said').innerText(), /^pessoa apagada alterou o plano/)
    await rows.nth(0).getByText('Detalhes').click()
    t.match(await rows.nth(0).innerText(), carlaId)
    await page.setViewportSize({ width: 320, height: 700 })
    await openPath(page, path)
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
    t.strictSame(troubles, [], 'no report of the policy, and no error')
  },
)
