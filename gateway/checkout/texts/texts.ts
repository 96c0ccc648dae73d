import type { Cents } from '../../../engine/shared/money.ts'
import { en } from './en.ts'
import { type PageTexts, pt } from './pt.ts'

/** The languages of pages where payers pay, by the tag that pages carry (BCP 47). */
export const pageLanguages = ['pt-BR', 'en'] as const
export type PageLanguage = (typeof pageLanguages)[number]

/** The texts of a language. */
export const textsIn = (language: PageLanguage): PageTexts => (language === 'en' ? en : pt)

/** An amount as Brazilians write it, in every language: `R$ 1.234,56`. The space does not break. */
export const reais = (cents: Cents | number): string => {
  const [whole, centavos] = [Math.trunc(cents / 100), String(cents % 100).padStart(2, '0')]
  return `R$\u00a0${String(whole).replace(/\B(?=(\d{3})+$)/g, '.')},${centavos}`
}

/** An instant in a zone, with the zone's name. */
export const instantIn = (language: PageLanguage, timeZone: string, atMs: number): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'pt-BR', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(atMs)

/** A calendar date, as `30 de junho de 2026`. */
export const dayIn = (language: PageLanguage, date: string): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'pt-BR', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(Date.parse(`${date}T00:00:00Z`))
