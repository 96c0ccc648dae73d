import type { PixReceived, ProviderInstance } from '../port.ts'
import type { BankClient } from './client.ts'
import { pixNotices } from './notices.ts'
import { readPages } from './pages.ts'
import { readPix } from './pix.ts'

/**
 * The bank's list of a window, whole. Pages that moved are read once more, so a payment may come twice: the newest row counts. What polls leave out,
 * money to keys of others, is left out here, too.
 */
export const receivedAtBank =
  (client: BankClient): NonNullable<ProviderInstance['received']> =>
  async (window) => {
    const { profile, settings, io } = client
    const found = new Map<string, PixReceived>()
    const list = { path: ['pix'], list: 'pix', window } as const
    for await (const page of readPages(client, list)) {
      if (page === null) return null
      for (const item of page) {
        if (pixNotices(item, settings.pixKey, window.untilMs)?.length === 0) continue
        const pix = readPix(item, profile)
        if (pix === null) io.onFault(new Error('a PIX in the list of a day cannot be read'))
        else found.set(pix.endToEndId, pix)
      }
    }
    return [...found.values()]
  }
