import t from 'tap'
import {
  followTo,
  isWholeWalk,
  lookAt,
  openPath,
  overflowsOf,
  shiftsOf,
  violationsOf,
  watchShifts,
  wcag,
  widths,
} from './browser.ts'
import { crawl, pageNames } from './crawl.ts'
import { openFullCompany } from './full-company.ts'

/** Widths for one of two languages, unless the walk is whole: where the layout changes, and where most people are. */
const fewer = { pt: [320, 768, 1024, 1280], en: [390, 900, 1366] } as const

t.test('every page', async (t) => {
  const { owner, site, addressOf, openPage } = await openFullCompany(t)
  const base = new URL(addressOf('')).pathname

  for (const [language, name] of [
    ['pt', 'Portuguese'],
    ['en', 'English'],
  ] as const)
    t.test(`in ${name}: nothing is cut, nothing jumps on a slow line, everybody can use it`, async (t) => {
      await owner.browser.call('PATCH', '/v1/me', { language })
      const tab = await openPage(t, { viewport: { width: 1280, height: 900 } })
      const { page, troubles } = tab
      // Other texts move nothing, and are read by no other rules: in the second language a page can only be too narrow for them.
      const isHalf = !isWholeWalk && language === 'en'
      if (isHalf) await openPath(page, addressOf('inicio'))
      else await watchShifts(tab)
      const stays = async (path: string, width: number) => {
        await page.setViewportSize({ width, height: width < 600 ? 844 : 900 })
        await openPath(page, addressOf(path))
        t.strictSame(await shiftsOf(page), [], `${path} stays where it is at ${width}`)
      }
      let turn = 0
      const kinds = new Set<string>()
      const opened = await crawl(page, base, async (path) => {
        const kind = path.split('?')[0]!.replace(/_\w{26}/g, '_')
        // Payments in other states are made of the same parts: what they say has to fit, and to be read.
        const isLike = !isWholeWalk && kinds.has(kind)
        kinds.add(kind)
        if (isHalf || isLike) {
          await followTo(page, addressOf(path))
          t.strictSame(await overflowsOf(page, fewer[language]), [], `${path} at its widths`)
          if (!isHalf) t.strictSame(await violationsOf(page, wcag), [], `${path} is accessible`)
          return
        }
        // A telephone's page in its turn, a wide one in the next, unless each is both.
        const isNarrow = turn++ % 2 === 1
        if (isWholeWalk || isNarrow) await stays(path, 390)
        if (isWholeWalk || !isNarrow) await stays(path, 1280)
        await page.setViewportSize({ width: 1280, height: 900 })
        await lookAt(t, page, path, isWholeWalk ? widths : fewer[language])
      })
      t.ok(opened.length > pageNames.length, `${site}: ${opened.length}`)
      t.strictSame(troubles, [], 'no report of the policy, and no error')
      await owner.browser.call('PATCH', '/v1/me', { language: 'pt' })
    })
})
