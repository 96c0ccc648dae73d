import t from 'tap'
import { isWholeWalk, lookAt, openPath, overflowsOf, shiftsOf, watchShifts, widths } from './browser.ts'
import { crawl, pageNames } from './crawl.ts'
import { openFullCompany } from './full-company.ts'

/** Half of the widths, for one of two languages: texts of one are not longer everywhere. */
const everyOther = (from: 0 | 1): readonly number[] => widths.filter((_, n) => n % 2 === from)

t.test('every page', async (t) => {
  const { owner, site, addressOf, openPage } = await openFullCompany(t)
  const base = new URL(addressOf('')).pathname

  for (const [language, name] of [
    ['pt', 'Portuguese'],
    ['en', 'English'],
  ] as const)
    t.test(`in ${name}: nothing is cut, nothing jumps on a slow line, everybody can use it`, async (t) => {
      await owner.browser.call('PATCH', '/v1/me', { language })
      const tab = await openPage(t)
      const { page, troubles } = tab
      await watchShifts(tab)
      const stays = async (path: string, width: number) => {
        await page.setViewportSize({ width, height: width < 600 ? 844 : 900 })
        await openPath(page, addressOf(path))
        t.strictSame(await shiftsOf(page), [], `${path} stays where it is at ${width}`)
      }
      const opened = await crawl(page, base, async (path) => {
        if (isWholeWalk || language === 'en') await stays(path, 390)
        if (isWholeWalk || language === 'pt') await stays(path, 1280)
        if (isWholeWalk) await lookAt(t, page, path)
        else if (language === 'pt') await lookAt(t, page, path, everyOther(0))
        else t.strictSame(await overflowsOf(page, everyOther(1)), [], `${path} at the other widths`)
      })
      t.ok(opened.length > pageNames.length, `${site}: ${opened.length}`)
      t.strictSame(troubles, [], 'no report of the policy, and no error')
      await owner.browser.call('PATCH', '/v1/me', { language: 'pt' })
    })
})
