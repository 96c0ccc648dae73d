import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

/** The pages of a company, as the dashboard's own table has them. */
export const pageNames: readonly string[] = [
  ...readFileSync('gateway/dashboard/pages/index.ts', 'utf8').matchAll(/^ {2}(\w+): \{$/gm),
].map(([, name]) => name!)

type Found = { readonly href: string; readonly kind: string }

/**
 * Goes through all pages: those of the table, every tab and page that one of them links to, and of the rows of a list one of each kind, by
 * its method and its status. `open` opens a page by its path and looks at it.
 */
export const crawl = async (
  page: Page,
  base: string,
  open: (path: string) => Promise<unknown>,
): Promise<readonly string[]> => {
  const opened: string[] = []
  const seen = new Set<string>()
  const next: Found[] = [...pageNames, 'inexistente'].map((name) => ({
    href: `${base}${name}`,
    kind: `${base}${name}`,
  }))
  for (let found = next.shift(); found !== undefined; found = next.shift()) {
    const { href, kind } = found
    const path = href.split('?')[0]!
    if (!path.startsWith(base) || seen.has(kind) || seen.has(path)) continue
    seen.add(kind).add(path)
    const name = href.slice(base.length)
    await open(name)
    opened.push(name)
    next.push(...((await page.evaluate(linksOfPage)) as Found[]))
  }
  return opened
}

/** Runs in the page: its links to other pages, with what each leads to. */
const linksOfPage = `[...document.querySelectorAll('main a[href^="/painel/"]')].map((link) => {
  const href = link.getAttribute('href')
  const row = link.closest('tr')
  const said = row ? [...row.querySelectorAll('.badge, .method')].map((part) => part.textContent.replace(/[\\d,.]+/g, '')).join(' ') : ''
  return { href, kind: (href.split('?')[0].replace(/\\b[a-z]{3}_\\w{26}/g, '…') + ' ' + said).trim() }
})`
