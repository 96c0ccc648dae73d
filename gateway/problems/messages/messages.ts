// The messages of errors that name fields, limits or ids, in each language. English defines which there are.
import type { Language } from '../language.ts'
import { en } from './en.ts'
import { pt } from './pt.ts'
import type { Messages } from './text.ts'

export const messages: Readonly<Record<Language, Messages>> = { en, pt }
