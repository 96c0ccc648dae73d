import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { hasRead, letIn, openTab, siteOf, startBrowser } from '../dashboard/browser.ts'
import { newOwner } from '../e2e/person.ts'
import { newMerchant, programOf, startService } from '../e2e/service.ts'
import { createAuthority } from '../rails/certificates.ts'
import { openCheckoutStates } from './checkout-pictures.ts'
import { openDemoCompany } from './demo-company.ts'
import { photograph } from './picture.ts'

/**
 * Photographs the pages of the dashboard with the data of a demo company, and those where its payers pay, for the documentation and for whoever
 * changes a page: `npm run screenshots`, with names of pictures to take these alone, such as `inicio checkout/pix`.
 */
const images = resolve(import.meta.dirname, '../../../docs/images')
const locales = { pt: 'pt-BR', en: 'en-US' } as const
const timezoneId = 'America/Sao_Paulo'

/** Pictures of Production, where a company is connected to its bank. */
const banks: readonly string[] = ['bancos', 'banco', 'conectar-banco', 'producao']

const ends: (() => unknown)[] = []
const scope = { teardown: (end: () => unknown) => void ends.unshift(end) }
try {
  const chosen = process.argv.slice(2)
  const ofCheckout = chosen.filter((name) => name.startsWith('checkout/')).map((name) => name.slice(9))
  const ofDashboard = chosen.filter((name) => !name.startsWith('checkout/'))
  if (chosen.length === 0)
    for (const folder of ['dashboard', 'checkout'])
      rmSync(`${images}/${folder}`, { recursive: true, force: true })
  const isWantedOf = (names: readonly string[]) => (name: string) =>
    chosen.length === 0 || names.includes(name)
  if (chosen.length === 0 || ofCheckout.length > 0) await photographCheckout(isWantedOf(ofCheckout))
  const [ofBanks, others] = [
    ofDashboard.filter((name) => banks.includes(name)),
    ofDashboard.filter((name) => !banks.includes(name)),
  ]
  if (chosen.length === 0 || others.length > 0) await photographDashboard(isWantedOf(others))
  if (chosen.length === 0 || ofBanks.length > 0) await photographBanks(isWantedOf(ofBanks))
} finally {
  for (const end of ends) await end()
}

async function photographDashboard(isWanted: (name: string) => boolean): Promise<void> {
  const service = await startService(scope, { env: { RATE_LIMIT: '0' } })
  const { owner, company, pages } = await openDemoCompany(scope, service)
  const site = siteOf(service)
  const browser = await startBrowser(scope)

  const invitation = { company: company.id, email: 'rita@example.com', role: 'developer' }
  const { link } = await service.operate('people invite', invitation)
  for (const [language, locale] of Object.entries(locales)) {
    const { page } = await openTab(scope, browser, { locale, timezoneId })
    await page.goto(`${site}/painel/entrar`)
    // Strangers see Portuguese until they choose.
    if (language === 'en') await page.getByText('English').click()
    for (const [name, url] of [
      ['entrar', `${site}/painel/entrar`],
      ['convite', link!.replace(service.origin, site)],
    ] as const)
      if (isWanted(name)) await photographAt(page, url, name, language)
    if (isWanted('segundo-fator')) {
      const { link } = await service.operate('people invite', {
        ...invitation,
        email: `${language}@example.com`,
      })
      // The page is opened anew: an address that differs behind the # alone would leave the former invitation there.
      await page.goto('about:blank')
      await page.goto(link!.replace(service.origin, site))
      await page.locator('[name="name"]').fill('Rita Campos')
      await page.locator('[name="password"]').fill('abacaxi roxo na varanda')
      await page.locator('[type="submit"]').click()
      await page.locator('img.qr').waitFor()
      await photographHere(page, 'segundo-fator', language)
    }
  }

  const { page, context } = await openTab(scope, browser, { locale: locales.pt, timezoneId })
  await letIn(context, site, owner)
  for (const language of Object.keys(locales)) {
    await owner.browser.call('PATCH', '/v1/me', { language })
    for (const [name, path] of Object.entries(pages))
      if (isWanted(name))
        await photographAt(page, `${site}/painel/${company.id}/sandbox/${path}`, name, language)
  }
}

/** Photographs a page in windows of each size, opened anew for each: some parts take their form when the page opens. */
function photographAt(page: Page, url: string, name: string, language: string): Promise<void> {
  return photographHere(page, name, language, () => page.goto(url))
}

function photographHere(
  page: Page,
  name: string,
  language: string,
  open: () => Promise<unknown> = async () => {},
): Promise<void> {
  return photograph(page, { folder: 'dashboard', name, language, bytesMax: 60_000 }, async () => {
    await open()
    await hasRead(page)
  })
}

/** A company whose bank is connected, by a bank that says that it works. */
async function photographBanks(isWanted: (name: string) => boolean): Promise<void> {
  const service = await startService(scope, {
    env: { RATE_LIMIT: '0' },
    program: programOf('banked-main'),
  })
  const { company } = await newMerchant(service, { name: 'Loja Azul Ltda', environment: 'production' })
  const { id } = await service.operate('connections create', {
    company: company.id,
    environment: 'production',
    provider: 'efi',
    settings: {
      clientId: 'Client_Id_7d2e41c0',
      clientSecret: 'Client_Secret_41c07d2e',
      pixKey: '71cdf9ba-c695-4e3c-b010-abb521a3f1be',
      merchantName: 'Loja Azul',
      merchantCity: 'Recife',
      certificate: createAuthority('Efí CA').issue({ commonName: 'Loja Azul Ltda' }).cert,
    },
  })
  await service.operate('connections verify', { id })
  await service.operate('connections activate', { id })
  const owner = await newOwner(service, company.id)
  const site = siteOf(service)
  const { page, context } = await openTab(scope, await startBrowser(scope), {
    locale: locales.pt,
    timezoneId,
  })
  await letIn(context, site, owner)
  const addressOf = (path: string) => `${site}/painel/${company.id}/producao/${path}`
  for (const language of Object.keys(locales)) {
    await owner.browser.call('PATCH', '/v1/me', { language })
    for (const [name, path] of [
      ['bancos', 'conexoes'],
      ['banco', `conexoes/${id}`],
      ['producao', 'inicio'],
    ] as const)
      if (isWanted(name)) await photographAt(page, addressOf(path), name, language)
    if (isWanted('conectar-banco'))
      await photographHere(page, 'conectar-banco', language, async () => {
        await page.goto(addressOf('conexoes?novo=1'))
        await page.locator('[name="provider"]').selectOption('efi')
      })
  }
}

/** The pages where payers pay, in each state. */
async function photographCheckout(isWanted: (name: string) => boolean): Promise<void> {
  const service = await startService(scope, { env: { RATE_LIMIT: '0' } })
  const browser = await startBrowser(scope)
  const statesIn = await openCheckoutStates(scope, service, browser)
  for (const language of ['pt', 'en'] as const)
    for (const [name, enter] of Object.entries(await statesIn(language))) {
      if (!isWanted(name)) continue
      const { page } = await openTab(scope, browser, { locale: locales[language], timezoneId })
      const picture = { folder: 'checkout', name, language, bytesMax: 30_000 }
      await photograph(page, picture, () => enter(page))
    }
}
