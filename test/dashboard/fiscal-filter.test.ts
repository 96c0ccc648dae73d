import { readFileSync } from 'node:fs'
import t from 'tap'
import { newOwner } from '../e2e/person.ts'
import { newMerchant, oneWorker, posted, startService, until } from '../e2e/service.ts'
import { letIn, openPath, openTab, siteOf, startBrowser } from './browser.ts'

const key = '35261212345678000195550010000001231123456781'

t.test('sales without a fiscal document are found, and so are those with one', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { company, call } = await newMerchant(service)
  const sold = async (body: object): Promise<string> => {
    const { id } = await posted(call, '/v1/pix/charges', { amount: 1990, ...body })
    await posted(call, `/v1/sandbox/pix/charges/${id}/pay`, {})
    return id
  }
  const documented = await sold({ fiscalDocuments: [key] })
  const bare = await sold({})
  await posted(call, '/v1/pix/charges', { amount: 1990 })
  const owner = await newOwner(service, company.id, 'ana@example.com')
  const site = siteOf(service)
  const { page, context, troubles } = await openTab(t, await startBrowser(t), {
    viewport: { width: 1280, height: 900 },
  })
  await letIn(context, site, owner)
  await openPath(page, `${site}/painel/${company.id}/sandbox/transacoes`)
  const shown = (): Promise<readonly string[]> =>
    page
      .locator('a[data-row]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('href')!.split('/').at(-1)!))
  await until(async () => (await shown()).length === 3)
  await page.getByRole('button', { name: /^Mais \d+ filtros/ }).click()
  await page.getByRole('button', { name: 'Documentos fiscais' }).click()
  await page.getByRole('radio', { name: 'Paga, sem documento' }).click()
  await until(async () => String(await shown()) === bare)
  t.match(page.url(), /fiscalDocuments=MISSING(&|$)/)
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\r\n')
  t.equal(lines.length, 2, 'the file has what the list has')
  t.match(lines[1], bare)
  await page
    .getByRole('button', { name: /Documentos fiscais/ })
    .first()
    .click()
  await page.getByRole('radio', { name: 'Com documento' }).click()
  await until(async () => String(await shown()) === documented)
  t.match(page.url(), /fiscalDocuments=PRESENT(&|$)/, 'one choice takes the place of the other')
  t.strictSame(troubles, [])
})
