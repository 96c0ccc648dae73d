import { preferred } from './preferred.ts'

/** The languages of errors and of the documentation, the default first. */
export const languages = ['en', 'pt'] as const
export type Language = (typeof languages)[number]

/** The language tags (BCP 47) for `Content-Language`. */
export const languageTags: Readonly<Record<Language, string>> = { en: 'en', pt: 'pt-BR' }

/**
 * The language that an `Accept-Language` header prefers; English if it names neither. A range stands for the whole language:
 * there is one Portuguese here, and readers of `pt-PT` can read it.
 */
export const languageOf = (header: string | undefined): Language =>
  (header === undefined ? null : preferred(header, languages, rangesOf)) ?? languages[0]

const rangesOf = (language: Language) => [
  (range: string) => range === languageTags[language].toLowerCase(),
  (range: string) => range.split('-')[0] === language,
  (range: string) => range === '*',
]
