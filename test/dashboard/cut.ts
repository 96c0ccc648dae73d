import type { Page } from 'playwright-core'

/** What a person cannot see of the page as it stands: what is wider than its room, cut off, or a row without its date. */
export const cutOf = async (page: Page): Promise<readonly string[]> => {
  const isWell = ((await page.evaluate(`(${findCut})(false)`)) as string[]).length === 0
  if (isWell) return []
  // A chart or panel that follows the window's width is drawn anew in the next frame.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  return [...new Set((await page.evaluate(`(${findCut})(false)`)) as string[])]
}

/** The same of paper, on which nothing can be scrolled. */
export const cutOnPaper = async (page: Page): Promise<readonly string[]> => {
  const window = page.viewportSize()!
  await page.emulateMedia({ media: 'print' })
  // A4, less its margins.
  await page.setViewportSize({ width: 702, height: 1000 })
  const found = (await page.evaluate(`(${findCut})(true)`)) as string[]
  await page.emulateMedia({ media: null })
  await page.setViewportSize(window)
  return [...new Set(found)]
}

/**
 * Runs in the page. The page itself, and what of it holds tables or fields, has no more in it than fits; texts end within what clips them,
 * or are behind dots and said whole in a title or on the page that they lead to; every row that has a date shows one.
 */
const findCut = `(isPaper) => {
  const found = []
  const nameOf = (element) => element.tagName.toLowerCase() + '.' + String(element.className?.baseVal ?? element.className)
  for (const element of [document.documentElement, ...document.querySelectorAll('main, dialog[open], .section, .table-box, .sandbox-bar')])
    if (element.scrollWidth > element.clientWidth && element.clientWidth > 0)
      found.push(nameOf(element) + ' is ' + element.scrollWidth + ' wide in ' + element.clientWidth)

  const styles = new Map()
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element))
    return styles.get(element)
  }
  const box = document.createRange()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.data.trim() === '') continue
    const own = text.parentElement
    if (own.closest('script, style, noscript, option, .visually-hidden, .skip') || !own.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    box.selectNodeContents(text)
    const { left, right, top, bottom, width } = box.getBoundingClientRect()
    if (width === 0) continue
    let isHeld = false
    for (let element = own; element && element !== document.body; element = element.parentElement) {
      const style = styleOf(element)
      if (style.clipPath !== 'none') isHeld = true
      if (isHeld) break
      const room = element.getBoundingClientRect()
      const isWider = right > room.right + 1 || left < room.left - 1
      const scrolls = (overflow) => !isPaper && (overflow === 'auto' || overflow === 'scroll')
      if (style.overflowX !== 'visible' && isWider) {
        isHeld = scrolls(style.overflowX)
        const isWhole = isHeld || (style.textOverflow === 'ellipsis' && element.closest('[title], a[href], button[aria-label], tr:has(a[data-row])'))
        if (!isWhole) found.push('“' + text.data.trim().slice(0, 40) + '” is cut by ' + nameOf(element))
        isHeld = true
      } else if (style.overflowY !== 'visible' && (bottom > room.bottom + 3 || top < room.top - 3)) {
        if (!scrolls(style.overflowY)) found.push('“' + text.data.trim().slice(0, 40) + '” is below the end of ' + nameOf(element))
        isHeld = true
      }
      if (style.position === 'fixed') break
    }
    if (!isHeld && (right > innerWidth + 1 || left < -1))
      found.push('“' + text.data.trim().slice(0, 40) + '” of ' + nameOf(own) + ' is beyond the window')
  }

  for (const row of document.querySelectorAll('tbody tr:has(time)')) {
    const times = [...row.querySelectorAll('time'), ...(row.closest('section')?.querySelectorAll(':scope > header time') ?? [])]
    if (row.checkVisibility() && !times.some((time) => time.checkVisibility()))
      found.push('a row of ' + (row.closest('table').getAttribute('aria-label') ?? nameOf(row.closest('table'))) + ' is without its date')
  }
  return found
}`
