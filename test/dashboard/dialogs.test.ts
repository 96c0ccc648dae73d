import type { Page } from 'playwright-core'
import t from 'tap'
import {
  followTo,
  hasRead,
  isWholeWalk,
  openPath,
  overflowsOf,
  violationsOf,
  wcag,
  widths,
} from './browser.ts'
import { crawl } from './crawl.ts'
import { cutOnPaper } from './cut.ts'
import { openFullCompany } from './full-company.ts'

type Opened = {
  readonly name: string
  readonly isDialog: boolean
  readonly hasFields: boolean
  readonly buttons: readonly string[]
}

t.test('everything that a button opens', async (t) => {
  const { owner, addressOf, openPage } = await openFullCompany(t)
  const base = new URL(addressOf('')).pathname

  for (const language of isWholeWalk ? ['pt', 'en'] : ['pt'])
    t.test(`on every page, in ${language}`, async (t) => {
      await owner.browser.call('PATCH', '/v1/me', { language })
      const { page, troubles } = await openPage(t, { viewport: { width: 1280, height: 900 } })
      await nothingIsChanged(page)
      await openPath(page, addressOf('inicio'))
      const tried = new Set<string>()
      const looked = new Set<string>()
      const read = new Set<string>()
      const tryAll = async (path: string): Promise<void> => {
        const kind = path.split('?')[0]!.replace(/_\w{26}/g, '_')
        for (const button of (await page.evaluate(`(${buttonsOf})()`)) as string[]) {
          // What every page has in its frame, and filters that several lists have, once.
          const one = button.startsWith('page ') ? `${kind} ${button}` : button
          if (tried.has(one)) continue
          tried.add(one)
          await press(page, button)
          const opened = (await page.evaluate(whatIsOpen)) as Opened | null
          if (opened !== null && !looked.has(`${kind} ${opened.name}`)) {
            await look(kind, button, opened)
            // A menu offers more.
            if (!opened.isDialog && button.startsWith('page '))
              for (const further of opened.buttons) {
                await leave(path)
                await press(page, button)
                await press(page, further)
                const next = (await page.evaluate(whatIsOpen)) as Opened | null
                if (next?.isDialog && !looked.has(`${kind} ${next.name}`))
                  await look(kind, `${button}, ${further}`, next)
              }
          }
          await leave(path)
        }
      }
      /** Back to the page as it was: most of what opens is closed by Escape, and leaves nothing behind. */
      const leave = async (path: string): Promise<void> => {
        if (!isWholeWalk && (await page.evaluate(`(${whatIsOpen}) !== null`))) {
          await page.keyboard.press('Escape')
          await settled(page)
        }
        const isOpen = await page.evaluate(`(${whatIsOpen}) !== null`)
        if (isOpen || page.url() !== addressOf(path)) await followTo(page, addressOf(path))
      }
      const look = async (kind: string, by: string, { name, isDialog, hasFields }: Opened): Promise<void> => {
        looked.add(`${kind} ${name}`)
        const title = `${kind}, ${by}: ${name}`
        // The same panel of another list, and a question without fields, are made of the same parts.
        if (isWholeWalk || (hasFields && !read.has(name))) {
          read.add(name)
          await page.emulateMedia({ colorScheme: 'light' })
          t.strictSame(await violationsOf(page, wcag), [], `${title} is accessible`)
          await page.emulateMedia({ colorScheme: 'dark' })
          t.strictSame(
            await violationsOf(page, isWholeWalk ? wcag : ['color-contrast']),
            [],
            `${title} in the dark`,
          )
        }
        // Other widths than those at which a dialog is laid out anew.
        t.strictSame(
          await overflowsOf(page, isWholeWalk ? widths : [320, 1024]),
          [],
          `${title} at every width`,
        )
        if (isDialog && isWholeWalk) {
          t.strictSame(await overflowsOf(page, [640], 450), [], `${title} at 200 %`)
          t.strictSame(await overflowsOf(page, [320], 225), [], `${title} at 400 %`)
          t.strictSame(await cutOnPaper(page), [], `${title} on paper`)
        }
      }
      await crawl(page, base, async (path) => {
        await followTo(page, addressOf(path))
        await tryAll(path)
      })
      t.ok(looked.size > 70, `${looked.size} dialogs and panels`)
      t.strictSame(troubles, [], 'no report of the policy, and no error')
      await owner.browser.call('PATCH', '/v1/me', { language: 'pt' })
    })
})

/** What buttons send is not done: each page is as it was for the next button. */
const nothingIsChanged = async (page: Page): Promise<void> => {
  await page.addInitScript('window.print = () => undefined')
  await page.route('**/v1/**', (route) => {
    const { method, url } = { method: route.request().method(), url: route.request().url() }
    if (method === 'GET' || url.endsWith('/preview')) return route.fallback()
    return route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      json: {
        type: 'about:blank',
        title: 'Not now',
        status: 409,
        code: 'CONFLICT',
        detail: 'Not now.',
        requestId: 'req_0',
      },
    })
  })
}

const press = async (page: Page, button: string): Promise<void> => {
  await page.evaluate(`(${buttonsOf})(${JSON.stringify(button)})`)
  await settled(page)
  await hasRead(page)
}

const settled = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

/**
 * Runs in the page: says which buttons it offers, but those that sort, copy, or put the Sandbox's clock on; or presses the first of that
 * name.
 */
const buttonsOf = `(pressed, room = document) => {
  const found = []
  for (const button of room.querySelectorAll('button')) {
    if (!button.checkVisibility({ visibilityProperty: true }) || button.disabled) continue
    if (button.matches('th button, .copy, .jump, .nav-group > button')) continue
    const where = button.closest('.topbar, .sandbox-bar') ? 'frame' : button.closest('.filters') ? 'filter' : 'page'
    const text = (button.innerText.trim() || button.getAttribute('aria-label') || '').replace(/[\\d.,]+/g, '')
    const name = where + ' ' + text
    if (name === pressed) return button.click()
    found.push(name)
  }
  return found
}`

/** Runs in the page: the dialog or panel that is open on it. */
const whatIsOpen = `(() => {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const open = dialog ?? document.querySelector(':popover-open')
  if (!open) return null
  const name = open.querySelector('h2')?.textContent ?? open.getAttribute('aria-label') ?? open.id
  return {
    name: (dialog ? 'dialog ' : 'panel ') + name.replace(/[\\d.,]+/g, ''),
    isDialog: dialog !== undefined,
    hasFields: open.querySelector('input, select, textarea') !== null,
    buttons: (${buttonsOf})(null, open),
  }
})()`
