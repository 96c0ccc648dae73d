import type { ProblemCode } from './catalogue.ts'
import { en } from './en.ts'
import type { Language } from './language.ts'
import type { ProblemText } from './problem-text.ts'
import { pt } from './pt.ts'

/** The errors in every language. Answers use titles and causes; the documentation's page uses all three texts. */
export const problemTexts: Readonly<Record<Language, Readonly<Record<ProblemCode, ProblemText>>>> = {
  en,
  pt,
}
