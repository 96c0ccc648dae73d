import type { Language } from '../language.ts'
import type { ProblemCode } from './catalogue.ts'
import { en } from './en.ts'
import type { ProblemText } from './problem-text.ts'
import { pt } from './pt.ts'

/** The errors in every language: titles and causes go into answers, and the documentation's page is made of all three. */
export const problemTexts: Readonly<Record<Language, Readonly<Record<ProblemCode, ProblemText>>>> = {
  en,
  pt,
}
