import t from 'tap'
import { pngOf } from '../../gateway/documents/qr-code/picture.ts'
import { everyScope } from '../e2e/examples/play.ts'
import { newOwner } from '../e2e/person.ts'
import { newMerchant, oneWorker, posted, startService } from '../e2e/service.ts'
import { letIn, openPath, openTab, overflowsOf, siteOf, startBrowser, violationsOf, wcag } from './browser.ts'

t.test('the desk of MEDs: seen, answered with a file, returned, contested and won', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { call, company } = await newMerchant(service, { scopes: everyScope })
  const owner = await newOwner(service, company.id)
  const site = siteOf(service)
  const charge = await posted(call, '/v1/pix/charges', { amount: 4990 })
  await posted(call, `/v1/sandbox/pix/charges/${charge.id}/pay`, {})
  const med = await posted(call, `/v1/sandbox/transactions/${charge.id}/med`, {
    details: 'O pagador não reconhece o pagamento',
  })
  const { page, context, troubles } = await openTab(t, await startBrowser(t), {
    viewport: { width: 1280, height: 900 },
  })
  await letIn(context, site, owner)
  const sound = async (title: string) => {
    t.strictSame(await violationsOf(page, wcag), [], `${title} is accessible`)
    t.strictSame(await overflowsOf(page), [], `${title} at 320 px`)
    await shot(title)
  }
  /** Pictures for people who look at the page, where they say where to. */
  const shot = async (title: string) => {
    const folder = process.env.SCREENSHOTS
    if (folder === undefined) return
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: `${folder}/${title.replaceAll(' ', '-')}-${width}.png`, fullPage: true })
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  await openPath(page, `${site}/painel/${company.id}/sandbox/inicio`)
  await page.getByRole('link', { name: /MED/ }).first().click()
  await page.waitForURL(/pix\/contestacoes\?status=OPEN/)
  await page.locator('main table a[data-row]').first().click()
  await page.waitForURL(new RegExp(charge.id))
  await page.getByText('O pagador não reconhece o pagamento').waitFor()
  await sound('an open MED')

  await page.getByRole('button', { name: 'Defender' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Defesa').fill('curta')
  await dialog.getByRole('button', { name: 'Enviar defesa' }).click()
  await dialog.getByText('Escreva ao menos 20 caracteres').waitFor()
  await dialog.getByLabel('Defesa').fill('O pedido foi retirado na loja pelo pagador, que assinou.')
  await dialog.locator('input[type=file]').setInputFiles([
    { name: 'grande.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(40_000) },
    { name: 'comprovante.png', mimeType: 'image/png', buffer: pngOf('prova', 3) },
  ])
  await dialog.getByRole('button', { name: 'Enviar defesa' }).click()
  await dialog.locator('.field-error').waitFor()
  await sound('the answer to a MED')
  await dialog.getByRole('button', { name: 'Remover grande.pdf' }).click()
  await dialog.getByRole('button', { name: 'Enviar defesa' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('comprovante.png').waitFor()
  t.equal(await page.getByRole('button', { name: 'Defender' }).count(), 0, 'once')

  await page.getByRole('button', { name: 'Aceito' }).click()
  await page.getByRole('button', { name: 'Contestar a devolução' }).click()
  await dialog.getByLabel('Contestação').fill('Entregue no endereço do pagador, com assinatura.')
  await dialog.getByRole('button', { name: 'Enviar contestação' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Entregue no endereço do pagador, com assinatura.').waitFor()
  await sound('a contested return')
  const won = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok())
  await page.getByRole('button', { name: 'Ganha' }).click()
  await won
  await page.getByRole('button', { name: 'Ganha' }).waitFor({ state: 'detached' })
  const { meds } = (await call('GET', `/v1/transactions/${charge.id}`)).body
  t.match(meds, [
    {
      id: med.id,
      defense: { files: [{ name: 'comprovante.png' }] },
      contest: { status: 'WON', files: [] },
    },
  ])
  await sound('a won contest')
  t.strictSame(troubles, [])
})
