import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import { loseTransfer, openPayee } from '../e2e/lost-transfer.ts'
import { caller, oneWorker, until } from '../e2e/service.ts'
import type { DirectMember } from '../e2e/sign-in-directly.ts'
import { shareService } from '../e2e/stories.ts'
import { openRefusedReturn } from '../rails/refused-return.ts'
import { letIn, lookAt, openPath, openTab, siteOf, startBrowser } from './browser.ts'

/** What people decide about money at a bank, in a browser: what became of a lost transfer, and a return that its bank refused for days. */

const { story } = shareService(t, { env: oneWorker })
const anApprover = { roles: { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' }, hasApp: true } as const
const cookieOf = ({ Cookie }: Readonly<Record<string, string>>) => ({ browser: { cookie: () => Cookie! } })

/** Pictures for people who look at the page, where they say where to. */
const shot = async (page: Page, title: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: join(folder, `${title.replaceAll(' ', '-')}-${width}.png`) })
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}

story(
  'two people declare what became of a lost transfer, and the second one reads what the first has said',
  { people: [anApprover, anApprover] },
  async (t, { service, company, members }) => {
    const [ana, bia] = members as [DirectMember, DirectMember]
    const id = await loseTransfer(ana.call, await openPayee(ana.call), 12_345)
    const now = async (): Promise<any> => (await bia.call('GET', `/v1/transfers/${id}`)).body

    const site = siteOf(service)
    const browser = await startBrowser(t)
    const open = async (member: DirectMember) => {
      const tab = await openTab(t, browser, { locale: 'pt-BR', viewport: { width: 1280, height: 900 } })
      await letIn(tab.context, site, cookieOf(member.headers))
      await openPath(tab.page, `${site}/painel/${company.id}/sandbox/transferencias/${id}`)
      return tab
    }
    const sign = async (page: Page, member: DirectMember): Promise<string> => {
      const dialog = page.getByRole('dialog', { name: /Assine esta operação|Sign/ })
      await dialog.getByLabel(/aplicativo autenticador|authenticator app/).fill(member.code())
      const text = await dialog.innerText()
      await dialog.getByRole('button', { name: /^(Confirmar|Confirm)$/ }).click()
      await dialog.waitFor({ state: 'detached' })
      return text
    }

    const { page: hers, troubles } = await open(ana)
    await hers.getByRole('button', { name: 'Declarar resultado' }).click()
    const dialog = hers.getByRole('dialog')
    await dialog.getByLabel('O que o extrato do banco mostra').selectOption({ label: 'O banco não enviou' })
    await dialog.getByLabel('O que você viu').fill('Nada nos extratos desses dias')
    await lookAt(t, hers, 'the first declaration')
    await shot(hers, 'first declaration pt')
    await dialog.getByRole('button', { name: 'Declarar resultado' }).click()
    t.match(await sign(hers, ana), /O banco não enviou[\s\S]+R\$\s123,45/, 'what is signed')
    await hers.getByText('Você declarou: O banco não enviou').waitFor()
    t.match(await now(), { status: 'PROCESSING', declaration: { outcome: 'NOT_SENT' } })

    await bia.call('PATCH', '/v1/me', { language: 'en' })
    const other = await open(bia)
    await other.page.getByText('declared: The bank did not send it').waitFor()
    await shot(other.page, 'declared for the second en')
    await bia.call('PATCH', '/v1/me', { language: 'pt' })
    await other.page.reload()
    await other.page.getByText('declarou: O banco não enviou').waitFor()
    await lookAt(t, other.page, 'what waits for the second person')
    await shot(other.page, 'declared for the second pt')
    await other.page.getByRole('button', { name: 'Confirmar resultado' }).click()
    const second = other.page.getByRole('dialog', { name: 'Confirmar resultado' })
    t.match(await second.innerText(), /Nada nos extratos desses dias/)
    t.equal(await second.getByLabel('O que o extrato do banco mostra').inputValue(), 'NOT_SENT')
    await second.getByLabel('O que o extrato do banco mostra').selectOption({ label: 'O banco enviou' })
    await second.getByRole('button', { name: 'Declarar resultado' }).waitFor()
    await second.getByLabel('O que o extrato do banco mostra').selectOption({ label: 'O banco não enviou' })
    await second.getByLabel('O que você viu').fill('Vi o mesmo')
    await lookAt(t, other.page, 'the second declaration')
    await shot(other.page, 'second declaration pt')
    await second.getByRole('button', { name: 'Confirmar resultado', exact: true }).click()
    await sign(other.page, bia)
    await other.page.locator('h1').getByText('Falhou', { exact: true }).waitFor()
    await shot(other.page, 'decided pt')
    t.match(await now(), { status: 'FAILED' })
    t.equal(await other.page.getByRole('button', { name: /resultado/ }).count(), 0)
    t.strictSame([...troubles, ...other.troubles], [])
  },
)

t.test('a return that its bank refused for days is tried once more', { timeout: 240_000 }, async (t) => {
  const { held, person, bank, move, second, untilRefused } = await openRefusedReturn(t)
  await untilRefused()
  await bank.hold('POST /returns/settings', { settleAfterMs: 0, refusal: null })

  // Days have gone by: the factor is given once more, as it is where a person signs in.
  const { headersAt, authenticator } = person.member
  const ask = (path: string, body: object) =>
    caller(held.host.service().origin, '')('POST', path, body, headersAt(bank.clock.nowMs()))
  const challenge = await ask('/v1/session/challenge', {})
  const given = await ask('/v1/session/step-up', { assertion: authenticator.get(challenge.body) })
  const secret = /=([\w-]{43})\./.exec(given.headers.get('set-cookie') ?? '')![1]!
  const site = siteOf(held.host.service())
  const browser = await startBrowser(t)
  const open = async () => {
    const tab = await openTab(t, browser, { locale: 'pt-BR', viewport: { width: 1280, height: 900 } })
    await enter(tab.context)
    await openPath(tab.page, `${site}/painel/${person.company.id}/producao/pix/recebidos`)
    return tab
  }
  const enter = (context: BrowserContext): Promise<void> =>
    letIn(context, site, cookieOf(headersAt(bank.clock.nowMs(), secret)))
  const { page, troubles } = await open()
  await page.getByRole('table').getByText('Falha na devolução').waitFor()
  await lookAt(t, page, 'a return that failed')
  await shot(page, 'return failed pt')
  await page.getByRole('button', { name: 'Devolver de novo' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('O banco recusou').waitFor()
  t.match(await dialog.innerText(), /R\$\s19,90/)
  await lookAt(t, page, 'the question')
  await shot(page, 'return repeated pt')
  await dialog.getByRole('button', { name: 'Devolver de novo' }).click()
  await dialog.waitFor({ state: 'detached' })
  await move(5_000, 15_000, 60_000)
  await until(async () => (await second()).status === 'RETURNED')
  await page.reload()
  await page.getByRole('table').getByText('Devolvido').first().waitFor()
  await shot(page, 'returned pt')
  t.equal(await page.getByRole('button', { name: 'Devolver de novo' }).count(), 0)
  t.strictSame(troubles, [])
})
