import Type from 'typebox'
import { dayMs, isoInstant } from '../../../engine/shared/calendar.ts'
import type { Deadline } from '../http/http.ts'
import type { BankCall, BankClient } from './client.ts'
import { waits, within } from './deadline.ts'
import { itemsOf } from './pix.ts'
import { hasShape } from './shape.ts'
import { verdictOf } from './verdict.ts'

/** A list of API Pix: all lists are of a window of time, and have pages. */
export type BankList = {
  readonly path: BankCall['path']
  /** The member with its items. */
  readonly list: string
  readonly window: { readonly fromMs: number; readonly untilMs: number }
  readonly query?: Readonly<Record<string, string>>
}

const perPage = 100
/** What has not stood still after so many readings is read by the next poll. */
const readingsMax = 5
/** A window has at most so many items: what a bank shows beyond that is no list. */
const pagesMax = 10_000

/**
 * Reads a list page by page. A total that changes on the way moves items from page to page, so that some would be missed: then all
 * is read once more. Ends with null where the bank is silent, or the list does not stand still. Each page has a deadline of its own
 * unless there is one for all.
 */
export const readPages = async function* (
  client: BankClient,
  list: BankList,
  deadline: Deadline | null = null,
): AsyncGenerator<readonly unknown[] | null> {
  for (const window of windowsOf(list.window, client.profile.windowDaysMax)) {
    for (let reading = 1; ; reading++) {
      let total: number | undefined
      let hasChanged = false
      for (let page = 0; ; page++) {
        const read = await readPage(client, { ...list, window }, page, deadline)
        if (read === null || page >= pagesMax) {
          yield null
          return
        }
        hasChanged ||= page > 0 && read.total !== total
        total = read.total
        if (read.items.length > 0) yield read.items
        if (read.isLast) break
      }
      if (!hasChanged) break
      if (reading >= readingsMax) {
        yield null
        return
      }
    }
  }
}

/** All items of a short list; null where the bank is silent. */
export const collectPages = async (
  client: BankClient,
  list: BankList,
  deadline: Deadline,
): Promise<readonly unknown[] | null> => {
  const items: unknown[] = []
  for await (const page of readPages(client, list, deadline)) {
    if (page === null) return null
    items.push(...page)
  }
  return items
}

const Paging = Type.Object({
  parametros: Type.Object({
    paginacao: Type.Object({
      quantidadeDePaginas: Type.Optional(Type.Integer()),
      quantidadeTotalDeItens: Type.Optional(Type.Integer()),
    }),
  }),
})

const readPage = async (
  client: BankClient,
  { path, list, window, query }: BankList,
  page: number,
  deadline: Deadline | null,
) => {
  const call = {
    verb: 'GET',
    path,
    query: {
      inicio: isoInstant(window.fromMs),
      fim: isoInstant(window.untilMs),
      ...query,
      'paginacao.paginaAtual': String(page),
      'paginacao.itensPorPagina': String(perPage),
    },
  } as const
  const verdict = verdictOf(
    await (deadline === null
      ? within(client.io, waits.backgroundMs, (itsOwn) => client.call(call, itsOwn))
      : client.call(call, deadline)),
  )
  if (verdict.type !== 'OK') return null
  // An empty list may be left out, but not how much there is.
  const found = (verdict.body as Readonly<Record<string, unknown>> | null | undefined)?.[list]
  const paging = hasShape(Paging, verdict.body) ? verdict.body.parametros.paginacao : null
  if (found === undefined && paging === null) return null
  const items = itemsOf(found)
  const { quantidadeDePaginas: pages, quantidadeTotalDeItens: total } = paging ?? {}
  const isLast = pages === undefined ? items.length < perPage : page + 1 >= pages
  return { items, total, isLast }
}

/** A window in parts that the bank takes. */
const windowsOf = function* (
  { fromMs, untilMs }: BankList['window'],
  daysMax: number | null,
): Generator<BankList['window']> {
  const partMs = daysMax === null ? Number.POSITIVE_INFINITY : daysMax * dayMs
  for (let startMs = fromMs; startMs <= untilMs; startMs += partMs)
    yield { fromMs: startMs, untilMs: Math.min(startMs + partMs, untilMs) }
}
