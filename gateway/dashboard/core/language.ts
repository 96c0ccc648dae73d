import type { Texts } from '../texts/texts.ts'
import { newStore } from './store.ts'

export type LanguageTag = 'pt-BR' | 'en'

const stored = localStorage.getItem('language')
const chosen = newStore<LanguageTag>(stored === 'en' ? 'en' : 'pt-BR')

/** The language that the person reads. */
export const language = (): LanguageTag => chosen.get()
export const languageStore = chosen

/** The languages by the names that they have for themselves. */
export const languageNames = { 'pt-BR': 'Português', en: 'English' } as const satisfies Record<
  LanguageTag,
  string
>

/** The path of the documentation in the chosen language. */
export const docsPath = (): string => (language() === 'en' ? '/docs/en' : '/docs/pt')

/** A browser loads the texts of one language. */
const textsOf = async (tag: LanguageTag): Promise<Texts> =>
  tag === 'en' ? (await import('../texts/en.ts')).en : (await import('../texts/pt.ts')).pt

/** The texts of the page, in the language that is chosen. */
export let t: Texts = await textsOf(chosen.get())
document.documentElement.lang = chosen.get()

/** Chooses a language for this browser. After a deployment the old texts are gone, so the page reloads. */
export const chooseLanguage = async (tag: LanguageTag): Promise<void> => {
  localStorage.setItem('language', tag)
  try {
    t = await textsOf(tag)
  } catch {
    location.reload()
    return
  }
  document.documentElement.lang = tag
  chosen.set(tag)
}
