import type { Language } from '../language.ts'
import { en } from './en.ts'
import { pt } from './pt.ts'

/** What errors say: a sentence that a language lacks does not compile. */
export type Messages = typeof en

export const messages: Readonly<Record<Language, Messages>> = { en, pt }

/** A text that is put into words when it is known who reads it. */
export type Text = (say: Messages) => string
