import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { hasRead, letIn, openTab, siteOf, startBrowser } from '../dashboard/browser.ts'
import { startService } from '../e2e/service.ts'
import { openDemoCompany } from './demo-company.ts'

/**
 * Photographs the pages of the dashboard with the data of a demo company, for the documentation and for whoever changes a page:
 * `npm run screenshots`, with names of pictures to take these alone.
 */
const folder = resolve(import.meta.dirname, '../../../docs/images/dashboard')
const bytesMax = 60_000
const windows = [
  [1280, 800],
  [390, 844],
] as const

const locales = { pt: 'pt-BR', en: 'en-US' } as const
const timezoneId = 'America/Sao_Paulo'

const ends: (() => unknown)[] = []
const scope = { teardown: (end: () => unknown) => void ends.unshift(end) }
try {
  await photograph()
} finally {
  for (const end of ends) await end()
}

async function photograph(): Promise<void> {
  const service = await startService(scope, { env: { RATE_LIMIT: '0' } })
  const { owner, company, pages } = await openDemoCompany(scope, service)
  const site = siteOf(service)
  const browser = await startBrowser(scope)
  const chosen = process.argv.slice(2)
  const isWanted = (name: string): boolean => chosen.length === 0 || chosen.includes(name)
  if (chosen.length === 0) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })

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

/** Photographs what a page shows, in windows of each size. */
async function photographHere(
  page: Page,
  name: string,
  language: string,
  open: () => Promise<unknown> = async () => {},
): Promise<void> {
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    await open()
    await hasRead(page)
    await isStill(page)
    const picture = await webpOf(page)
    const file = `${name}-${width}-${language}.webp`
    writeFileSync(join(folder, file), picture)
    console.log(`${file} ${(picture.length / 1000).toFixed(0)} kB`)
  }
}

/** Resolves when nothing is being read any more, charts are drawn and fonts are there. */
async function isStill(page: Page): Promise<void> {
  await page.waitForFunction(
    '!document.querySelector(".loading, .stale, [aria-busy=true]") && document.fonts.status === "loaded"',
  )
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

/** The window as WebP, at the best quality that fits. */
async function webpOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  for (let quality = 75; ; quality -= 10) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
    const picture = Buffer.from(data, 'base64')
    if (picture.length <= bytesMax || quality <= 40) return picture
  }
}
