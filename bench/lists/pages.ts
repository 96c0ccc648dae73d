import type { Page } from 'playwright-core'
import { letIn, openTab, startBrowser } from '../../test/dashboard/browser.ts'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import type { Options } from '../options.ts'
import { newRandom } from '../random.ts'
import { printConditions } from '../report.ts'
import { createCompanies, openService } from '../service.ts'
import { signInVisitors } from '../sessions/people.ts'
import { seedRows } from './rows.ts'
import { seedService } from './seed-service.ts'

/**
 * The dashboard of a company with a year of transactions, in Chromium: how long each page takes from the click on a link that leads to it
 * until it shows what it has read. Pages are found as people find them, by the menu, by tabs and by the first row of a list.
 */
export const benchPages = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { rows, workers, seed } = options
  const fresh = await createCompanies(cleanup, { count: 1, workers, random: newRandom(seed) })
  printConditions({ ...machine(), rows, workers, shards: fresh.shards, seed })
  await seedService(fresh, seedRows(rows, seed, Date.now() - 60_000))
  const { visitors } = await signInVisitors(fresh, 1, seed)
  const { child, origin } = await openService(cleanup, fresh.path, workers)
  // Secure cookies need a host that browsers trust without TLS.
  const site = origin.replace('127.0.0.1', 'localhost')
  const scope = { teardown: (end: () => unknown) => cleanup.defer(async () => void (await end())) }
  const { page, context } = await openTab(scope, await startBrowser(scope), { locale: 'pt-BR' })
  await letIn(context, site, { browser: { cookie: () => visitors[0]!.headers().Cookie! } })

  console.log(`\n${'page'.padEnd(50)} ready after   data requests`)
  const taken: number[] = []
  for await (const { path, ms, requests } of pagesFrom(page, `${site}/painel`)) {
    console.log(
      `${path.slice(0, 50).padEnd(50)} ${`${ms.toFixed(0)} ms`.padStart(11)} ${String(requests).padStart(15)}`,
    )
    taken.push(ms)
  }
  const slow = taken.filter((ms) => ms > 500).length
  console.log(
    `\n${taken.length} pages, the slowest after ${Math.max(...taken).toFixed(0)} ms; ${slow} after more than 500 ms`,
  )
  await child.stop()
}

type Visited = { readonly path: string; readonly ms: number; readonly requests: number }

/** Follows every link of the menu, to tabs and to a first row, each once. */
const pagesFrom = async function* (page: Page, start: string): AsyncGenerator<Visited> {
  let requests = 0
  page.on('request', (request) => {
    if (/\/v1\/(?!live)/.test(request.url())) requests += 1
  })
  await page.goto(start)
  await page.locator('#menu a').first().waitFor()
  const seen = new Set<string>()
  const open = ['perfil', ...(await linksOf(page))]
  for (let link = open.shift(); link !== undefined; link = open.shift()) {
    const kind = link.replace(/\b[a-z]{3}_\w{26}/, '…')
    if (seen.has(kind)) continue
    seen.add(kind)
    requests = 0
    const ms = (await page.evaluate(
      `(${timeToFollow})(${JSON.stringify(new URL(link, `${start}/`).href)})`,
    )) as number
    if (link !== 'perfil') yield { path: kind.split('/').slice(4).join('/'), ms, requests }
    open.push(...(await linksOf(page)))
  }
}

const linksOf = (page: Page): Promise<string[]> =>
  page.evaluate(`[
    ...document.querySelectorAll('nav a'), ...[...document.querySelectorAll('a[data-row]')].slice(0, 1),
  ].map((link) => link.getAttribute('href')).filter((href) => href.startsWith('/painel/'))`)

/** Runs in the page: clicks on a link, and resolves to the milliseconds until the page behind it waits for nothing any more. */
const timeToFollow = `(href) => new Promise((resolve) => {
  const link = Object.assign(document.createElement('a'), { href })
  document.body.append(link)
  const from = performance.now()
  link.click()
  link.remove()
  let calmFrames = 0
  const look = () => {
    const isReady = document.querySelector('h1') && !document.querySelector('main .loading, main .stale')
    calmFrames = isReady ? calmFrames + 1 : 0
    if (calmFrames === 3) resolve(performance.now() - from)
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})`
