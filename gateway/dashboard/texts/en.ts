import { pt } from './pt.ts'
import type { Texts } from './texts.ts'

/** The dashboard in English. */
export const en: Texts = pt
