import { dayMs } from '../../../engine/shared/calendar.ts'
import type { ProviderInstance, RailNotice } from '../port.ts'
import type { BankClient } from './client.ts'
import { medList, medNotice, readMed } from './meds.ts'
import { mandateChargeNotice, mandateNotice, pixNotices, sentNotice } from './notices.ts'
import { type BankList, readPages } from './pages.ts'
import { readSentAtEfi } from './sends-efi.ts'

/**
 * The cursor: since when the connection reads, and until when each of its three loops has read, in milliseconds of the bank's time, as
 * `from=…;pix=…;hour=…;day=…`. One string has all of them, and a poll does what is due.
 */
type Marks = { readonly from: number; readonly pix: number; readonly hour: number; readonly day: number }
type Mark = keyof Marks

type Poll = NonNullable<ProviderInstance['poll']>

const hourMs = 3_600_000
/** A PIX may be listed a while after its time (rails, section 2.7). */
const overlapMs = 10 * 60_000
/** After an outage what happened meanwhile is read in parts, so that not all of it has to be read anew when one fails. */
const partMs = hourMs

/**
 * What was not reported, by asking (rails, section 2.7): PIX with each poll; returns, MED, PIX sent and charges of mandates each hour over what is
 * recent, and each day over all that may still change, since lists are by the time of the PIX and not of what happened to it. The
 * cursor moves only past what was read whole. The first poll begins a little before its own time, and none goes back behind that: money from
 * before the connection is not its.
 */
export const pollBank = (client: BankClient): Poll =>
  async function* (cursor, untilMs) {
    let marks = readCursor(cursor, untilMs)
    if (cursor === null) yield { notices: [], cursor: writeCursor(marks) }

    while (marks.pix < untilMs) {
      const partEndMs = Math.min(marks.pix + partMs, untilMs)
      const window = { fromMs: Math.max(marks.pix - overlapMs, marks.from), untilMs: partEndMs }
      if (!(yield* readLists(client, [received(client, window, untilMs)], writeCursor(marks)))) return
      marks = { ...marks, pix: partEndMs }
      yield { notices: [], cursor: writeCursor(marks) }
    }
    for (const loop of ['day', 'hour'] as const) {
      if (untilMs - marks[loop] < everyMs[loop]) continue
      if (!(yield* readLists(client, listsOf(client, loop, marks.from, untilMs), writeCursor(marks))))
        continue
      marks = { ...marks, [loop]: untilMs }
      yield { notices: [], cursor: writeCursor(marks) }
    }
  }

const everyMs: Readonly<Record<'hour' | 'day', number>> = { hour: hourMs, day: dayMs }

/** A list, and the notices that each of its items stands for. */
type Listed = {
  readonly list: BankList
  /** Null where it cannot be read. */
  readonly noticesOf: (item: unknown) => readonly RailNotice[] | null
}

const readLists = async function* (
  client: BankClient,
  lists: readonly Listed[],
  cursor: string,
): AsyncGenerator<{ notices: readonly RailNotice[]; cursor: string }, boolean> {
  for (const { list, noticesOf } of lists)
    for await (const page of readPages(client, list)) {
      if (page === null) return false
      const notices = page.flatMap((item) => {
        const read = noticesOf(item)
        if (read === null) client.io.onFault(new Error(`an item of ${list.list} cannot be read`))
        return read ?? []
      })
      yield { notices, cursor }
    }
  return true
}

const received = (client: BankClient, window: BankList['window'], nowMs: number, query = {}): Listed => ({
  list: { path: ['pix'], list: 'pix', window, query },
  noticesOf: (item) => pixNotices(item, client.settings.pixKey, nowMs),
})

/** How far back each list is read: each hour, and each day. The longest time in which a PIX can be returned is 90 days. */
const backMs = {
  returns: { hour: 26 * hourMs, day: 91 * dayMs },
  meds: { hour: 14 * dayMs, day: 180 * dayMs },
  sent: { hour: 26 * hourMs, day: 91 * dayMs },
  /** Requests to confirm a mandate expire after three days; a payer may end one at any time. */
  mandates: { hour: 4 * dayMs, day: 400 * dayMs },
  /** Ten days ahead of the due date, and seven of retries. */
  charges: { hour: 21 * dayMs, day: 45 * dayMs },
} as const

const listsOf = (
  client: BankClient,
  loop: 'hour' | 'day',
  beginMs: number,
  untilMs: number,
): readonly Listed[] => {
  const { profile, settings } = client
  const since = (of: keyof typeof backMs) => ({
    fromMs: Math.max(untilMs - backMs[of][loop], beginMs),
    untilMs,
  })
  const lists: Listed[] = [received(client, since('returns'), untilMs, { devolucaoPresente: 'true' })]
  if (profile.apiVersion === '2.10.0' && loop === 'hour') {
    const window = { fromMs: Math.max(untilMs - backMs.returns.day, beginMs), untilMs }
    lists.push(received(client, window, untilMs, { finalidadeMED: 'true' }))
  }
  if (profile.medFeed === 'EFI')
    lists.push({
      list: medList(since('meds')),
      noticesOf: (item) => {
        const med = readMed(item)
        return med === null ? null : [medNotice(med, untilMs)]
      },
    })
  if (profile.payOut?.kind === 'EFI')
    lists.push({
      list: { path: '/v2/gn/pix/enviados', list: 'pix', window: since('sent') },
      noticesOf: (item) => {
        const sent = readSentAtEfi(item)
        return sent === null ? null : [sentNotice(sent.reference, sent.shown, untilMs)]
      },
    })
  if (settings.pixAutomatic === true)
    lists.push(
      {
        list: { path: ['rec'], list: 'recs', window: since('mandates') },
        noticesOf: (item) => listed(mandateNotice(item, untilMs)),
      },
      {
        list: { path: ['cobr'], list: 'cobsr', window: since('charges') },
        noticesOf: (item) => listed(mandateChargeNotice(item, untilMs)),
      },
    )
  return lists
}

const listed = (notice: RailNotice | null) => (notice === null ? null : [notice])

const readCursor = (cursor: string | null, untilMs: number): Marks => {
  const read = new Map((cursor ?? '').split(';').map((part) => part.split('=') as [string, string]))
  const markOf = (mark: Mark, missing: number): number => {
    const digits = read.get(mark)
    return digits !== undefined && /^\d{1,15}$/.test(digits) ? Number(digits) : missing
  }
  const beginMs = untilMs - overlapMs
  return {
    from: markOf('from', beginMs),
    pix: markOf('pix', beginMs),
    hour: markOf('hour', untilMs),
    day: markOf('day', untilMs),
  }
}

const writeCursor = ({ from, pix, hour, day }: Marks): string =>
  `from=${from};pix=${pix};hour=${hour};day=${day}`
