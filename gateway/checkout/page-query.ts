import type { Offer } from '../../engine/checkout/offer.ts'
import { languageOf } from '../problems/language.ts'
import type { HttpRequest } from '../wire/transport.ts'
import { type PageLanguage, pageLanguages } from './texts/texts.ts'

/** What the address of a page says beside its token, and its next pages say as well. */
export type PageQuery = {
  /** The one that the payer chose, or the merchant's, or that of the browser. */
  readonly language: PageLanguage
  /** The origin of the merchant's page that shows this one in a frame; null where none does, or one that may not. */
  readonly embeddedIn: string | null
  /** With its question mark; empty for none. */
  readonly query: string
}

/** Reads the query of a page. */
export const readPageQuery = (
  { query, headers }: Pick<HttpRequest, 'query' | 'headers'>,
  { locale, embedOrigins }: Pick<Offer, 'locale' | 'embedOrigins'>,
): PageQuery => {
  const given = new URLSearchParams(query)
  const chosen = pageLanguages.find((language) => language === given.get('lang'))
  const embeddedIn = embedOrigins?.find((origin) => origin === given.get('embed')) ?? null
  const kept = new URLSearchParams({
    ...(chosen !== undefined && { lang: chosen }),
    ...(embeddedIn !== null && { embed: embeddedIn }),
  }).toString()
  return {
    language: chosen ?? languageWithout(headers['accept-language'], locale),
    embeddedIn,
    query: kept === '' ? '' : `?${kept}`,
  }
}

const languageWithout = (accepted: string | undefined, locale: Offer['locale']): PageLanguage => {
  if (locale !== 'auto') return locale
  return languageOf(accepted ?? 'pt') === 'en' ? 'en' : 'pt-BR'
}
