import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { chromiumPath } from '../chromium.ts'
import type { Enrolled } from '../e2e/person.ts'
import type { Scope, Service } from '../e2e/service.ts'
import { cutOf, cutOnPaper } from './cut.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules of WCAG 2.2, levels A and AA. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The address that the service has in a browser: passkeys belong to a name, not to an IP address. */
export const siteOf = ({ origin }: Service): string => origin.replace('127.0.0.1', 'localhost')

export const startBrowser = async (t: Scope): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    // Tests run as root in containers, where Chromium's sandbox does not start. Pages of tests do not live long enough for code that is
    // optimized to make up for the time that it takes to optimize it: without, axe costs a third less.
    args: ['--no-sandbox', '--js-flags=--no-opt --no-maglev'],
    timeout: 0,
  })
  t.teardown(() => browser.close())
  return browser
}

/** A tab, the cookies that it shares with others of its context, and everything that it did and should not have done. */
export type Tab = {
  readonly page: Page
  readonly context: BrowserContext
  readonly troubles: readonly string[]
}

/** Opens a tab of a browser of its own. */
export const openTab = async (
  t: Scope,
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Tab> => {
  // Colours that fade into others would be read halfway.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  t.teardown(() => context.close())
  return tabOf(context, await context.newPage())
}

export const tabOf = (context: BrowserContext, page: Page): Tab => {
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

/** Gives a browser the cookie of a person who is signed in. */
export const letIn = async (
  context: BrowserContext,
  site: string,
  { browser }: { readonly browser: Pick<Enrolled['browser'], 'cookie'> },
): Promise<void> => {
  const [name = '', ...value] = browser.cookie().split('=')
  await context.addCookies([
    {
      name,
      value: value.join('='),
      domain: new URL(site).hostname,
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'Strict',
    },
  ])
}

/** Opens a page, and waits until it shows what it has read. */
export const openPath = async (page: Page, url: string): Promise<void> => {
  await page.goto(url)
  await hasRead(page)
}

/**
 * Goes from one page of the dashboard to another as a link does, without loading it, and waits until it shows what it has read. The
 * heading that was there is marked: only another page has one without the mark.
 */
export const followTo = async (page: Page, url: string): Promise<void> => {
  const [from, to] = [new URL(page.url()), new URL(url)]
  // With another query a page keeps its heading.
  if (from.pathname === to.pathname)
    await followTo(page, `${to.origin}${to.pathname.split('/').slice(0, 4).join('/')}/inexistente`)
  await page.evaluate(`{
    document.querySelector('h1').dataset.left = ''
    const link = document.createElement('a')
    link.href = ${JSON.stringify(url)}
    document.body.append(link)
    link.click()
    link.remove()
  }`)
  await page.locator('h1:not([data-left])').waitFor()
  await hasRead(page)
}

/** Resolves when the page shows what it has read. */
export const hasRead = async (page: Page): Promise<void> => {
  await page.locator('h1').waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
}

/**
 * What axe finds by rules of these tags or names. All violations are found; what is well is not described, element by element, and stays
 * in the page: that would take more time than the rules.
 */
export const violationsOf = async (page: Page, rules: readonly string[]): Promise<string[]> => {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe)
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] }).then(({ violations }) => ({ violations }))`,
  )) as {
    violations: { id: string; nodes: { target: string[] }[] }[]
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** Whether the walk of the dashboard looks at everything in both languages, instead of at what is different in each. */
export const isWholeWalk = process.env.DASHBOARD_WALK === 'whole'

type Asserts = { readonly strictSame: (found: unknown, wanted: unknown, title: string) => unknown }

/** Sees to it that pages of the tab come over a slow line, and that what moves meanwhile is known. */
export const watchShifts = async ({ page }: Tab): Promise<void> => {
  await page.addInitScript(observeShifts)
  await slowDown(page)
}

/**
 * Holds the page that is open against what all of them promise: WCAG 2.2 in light and dark, nothing that is cut or scrolls sideways at any
 * width or zoom, or on paper.
 */
export const lookAt = async (
  t: Asserts,
  page: Page,
  name: string,
  at: readonly number[] = isWholeWalk ? widths : [320, 768, 1024, 1280],
): Promise<void> => {
  await page.emulateMedia({ colorScheme: 'light' })
  t.strictSame(await violationsOf(page, wcag), [], `${name} is accessible`)
  await page.emulateMedia({ colorScheme: 'dark' })
  // What is there and what it is called is the same in the dark.
  t.strictSame(await violationsOf(page, isWholeWalk ? wcag : ['color-contrast']), [], `${name} in the dark`)
  t.strictSame(await overflowsOf(page, at), [], `${name} at its widths`)
  // What 1280 × 900 has left at a zoom of 200 and 400 %: the widths of 640 and 320 px, and as many less of height.
  for (const [zoom, width, height] of [
    [200, 640, 450],
    [400, 320, 225],
  ] as const)
    if (isWholeWalk) t.strictSame(await overflowsOf(page, [width], height), [], `${name} at ${zoom} %`)
  t.strictSame(await cutOnPaper(page), [], `${name} on paper`)
}

/** Opens pages one after the other by their addresses, on a slow line, and looks at each. */
export const walk = async (t: Asserts, tab: Tab, pages: Readonly<Record<string, string>>): Promise<void> => {
  const { page, troubles } = tab
  await watchShifts(tab)
  await page.setViewportSize({ width: 1280, height: 900 })
  for (const [name, url] of Object.entries(pages)) {
    await openPath(page, url)
    t.strictSame(await shiftsOf(page), [], `${name} stays where it is`)
    await lookAt(t, page, name)
  }
  t.strictSame(troubles, [], 'no report of the policy, and no error')
}

/** Answers come late enough, one after the other, that a page without room for them is seen to jump. */
const slowDown = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 30,
    downloadThroughput: 200_000,
    uploadThroughput: 200_000,
  })
}

const observeShifts = `{
  window.shifts = []
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true })
}`

/** What moved while the page came, where that sums up to more than 0.05 (cumulative layout shift). */
export const shiftsOf = async (page: Page): Promise<readonly string[]> => {
  const moved = (await page.evaluate(`new Promise(requestAnimationFrame).then(() => shifts
    .filter(({ hadRecentInput }) => !hadRecentInput)
    .map(({ value, sources }) => [value, sources.map(({ node, previousRect, currentRect }) =>
      (node?.parentElement?.className ?? '') + ' > ' + (node?.nodeName ?? '') + '.' + (node?.className ?? '') + ' ' + previousRect.y + ' → ' + currentRect.y)]))`)) as [
    number,
    string[],
  ][]
  const sum = moved.reduce((sum, [value]) => sum + value, 0)
  return sum <= 0.05 ? [] : moved.map(([value, sources]) => `${value.toFixed(3)} ${sources.join(' | ')}`)
}

/** Widths that people have, from telephones to wide screens; 640 and 320 are 1280 at a zoom of 200 and 400 %. */
export const widths = [320, 390, 480, 640, 768, 900, 1024, 1100, 1280, 1366, 1440, 1920] as const

/** What is cut or wider than its room, with the width of the window. */
export const overflowsOf = async (
  page: Page,
  at: readonly number[] = widths,
  height = 700,
): Promise<readonly string[]> => {
  const window = page.viewportSize()!
  const found: string[] = []
  for (const width of at) {
    await page.setViewportSize({ width, height })
    for (const trouble of await cutOf(page)) found.push(`${width}: ${trouble}`)
  }
  await page.setViewportSize(window)
  return found
}

/** Moves the focus with Tab until an element has it, as somebody without a mouse does. */
export const tabTo = async (target: Locator): Promise<void> => {
  await target.waitFor()
  for (let presses = 0; presses < 150; presses++) {
    if (await target.evaluate((element) => element.matches(':focus'))) return
    await target.page().keyboard.press('Tab')
  }
  throw new Error(`no Tab leads to ${target}`)
}

/** Reaches an element with Tab, and types into it. */
export const typeInto = async (target: Locator, text: string): Promise<void> => {
  await tabTo(target)
  await target.page().keyboard.press('ControlOrMeta+a')
  await target.page().keyboard.type(text)
}

/** Reaches an element with Tab, and presses a key on it. */
export const pressOn = async (target: Locator, key = 'Enter'): Promise<void> => {
  await tabTo(target)
  await target.page().keyboard.press(key)
}
