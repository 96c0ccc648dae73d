import { en } from '../texts/en.ts'
import { pt } from '../texts/pt.ts'
import type { Texts } from '../texts/texts.ts'
import { newStore } from './store.ts'

export type LanguageTag = 'pt-BR' | 'en'

const stored = localStorage.getItem('language')
const chosen = newStore<LanguageTag>(stored === 'en' || stored === 'pt-BR' ? stored : 'pt-BR')

/** The language that the person reads. */
export const language = (): LanguageTag => chosen.get()
export const languageStore = chosen

/** The texts of the page, in the language that is chosen. */
export let t: Texts = chosen.get() === 'en' ? en : pt

/** Chooses a language for this browser. */
export const chooseLanguage = (tag: LanguageTag): void => {
  localStorage.setItem('language', tag)
  t = tag === 'en' ? en : pt
  document.documentElement.lang = tag
  chosen.set(tag)
}
document.documentElement.lang = chosen.get()
