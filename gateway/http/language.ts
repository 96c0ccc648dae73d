import { preferred } from './preferred.ts'

/** The languages in which errors and the documentation are written, the default first. */
export const languages = ['en', 'pt'] as const
export type Language = (typeof languages)[number]

/** The language tag of each (BCP 47), as `Content-Language` has it. */
export const languageTags: Readonly<Record<Language, string>> = { en: 'en', pt: 'pt-BR' }

/**
 * The language that an `Accept-Language` header prefers, English where it names none of ours. A range stands for its
 * whole language: there is one Portuguese here, and readers of `pt-PT` read it.
 */
export const languageOf = (header: string | undefined): Language =>
  (header === undefined ? null : preferred(header, languages, rangesOf)) ?? languages[0]

const rangesOf = (language: Language) => [
  (range: string) => range === languageTags[language].toLowerCase(),
  (range: string) => range.split('-')[0] === language,
  (range: string) => range === '*',
]
