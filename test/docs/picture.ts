import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'

/** A telephone, and the window of a computer. */
export const windows = [
  [1280, 800],
  [390, 844],
] as const

/** Photographs what a page shows, in windows of each size, into a folder of the documentation's pictures. */
export const photograph = async (
  page: Page,
  {
    folder,
    name,
    language,
    bytesMax,
  }: { readonly folder: string; readonly name: string; readonly language: string; readonly bytesMax: number },
  /** Opens the page in a window of the size that it has now. */
  open: () => Promise<unknown>,
): Promise<void> => {
  const path = resolve(import.meta.dirname, '../../../docs/images', folder)
  mkdirSync(path, { recursive: true })
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    await open()
    await isStill(page)
    const picture = await webpOf(page, bytesMax)
    const file = `${name}-${width}-${language}.webp`
    writeFileSync(join(path, file), picture)
    console.log(`${file} ${(picture.length / 1000).toFixed(0)} kB`)
  }
}

/** Resolves when nothing is being read any more, charts are drawn and fonts are there. */
const isStill = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    '!document.querySelector(".loading, .stale, [aria-busy=true]") && document.fonts.status === "loaded"',
  )
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

/** The window as WebP, at the best quality that fits. */
const webpOf = async (page: Page, bytesMax: number): Promise<Buffer> => {
  const session = await page.context().newCDPSession(page)
  for (let quality = 75; ; quality -= 10) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
    const picture = Buffer.from(data, 'base64')
    if (picture.length <= bytesMax || quality <= 40) return picture
  }
}
