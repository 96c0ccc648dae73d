import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { chromiumPath } from '../chromium.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Chromium, until the test has ended. */
export const startBrowser = async (t: Test): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    // Tests run as root in containers, where Chromium's sandbox does not start.
    args: ['--no-sandbox'],
    timeout: 0,
  })
  t.teardown(() => browser.close())
  return browser
}

/** A page, and everything that it did and should not have done. */
export const openPage = async (
  t: Test,
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; context: BrowserContext; troubles: string[] }> => {
  const context = await browser.newContext(options)
  t.teardown(() => context.close())
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('request', (request) => {
    if (request.url().endsWith('/csp-report')) troubles.push(`csp-report ${request.postData()}`)
  })
  page.on('console', (message) => {
    // The browser writes a line for each answer that is a refusal; the page shows it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      troubles.push(message.text())
  })
  return { page, context, troubles }
}

/** Opens a page, and waits until it shows what it has read. */
export const openPath = async (page: Page, url: string): Promise<void> => {
  await page.goto(url)
  await page.locator('h1').waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
}

/** The rules of WCAG 2.2 AA, by axe's tags. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds by rules of these tags or names. */
export const violationsOf = async (page: Page, rules: readonly string[]): Promise<string[]> => {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)} })`,
  )) as {
    violations: { id: string; nodes: { target: string[] }[] }[]
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
