import type { en } from './en.ts'

/** A message that is rendered once the reader's language is known. */
export type Text = (say: Messages) => string
/** All messages of one language. */
export type Messages = typeof en
