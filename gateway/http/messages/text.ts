import type { en } from './en.ts'

/** A text that is put into words when it is known who reads it. */
export type Text = (say: Messages) => string
/** What errors say: a sentence that a language lacks does not compile. */
export type Messages = typeof en
