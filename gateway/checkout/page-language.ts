import type { Offer } from '../../engine/checkout/offer.ts'
import { languageOf } from '../problems/language.ts'
import type { HttpRequest } from '../wire/transport.ts'
import { type PageLanguage, pageLanguages } from './texts/texts.ts'

/** The language of a page: the one that the payer chose, or the merchant's, or that of the browser; and what keeps the payer's choice. */
export const languageFor = (
  { query, headers }: Pick<HttpRequest, 'query' | 'headers'>,
  locale: Offer['locale'],
): { readonly language: PageLanguage; readonly query: string } => {
  const wanted = new URLSearchParams(query).get('lang')
  const chosen = pageLanguages.find((language) => language === wanted)
  if (chosen !== undefined) return { language: chosen, query: `?lang=${chosen}` }
  if (locale !== 'auto') return { language: locale, query: '' }
  return { language: languageOf(headers['accept-language'] ?? 'pt') === 'en' ? 'en' : 'pt-BR', query: '' }
}
