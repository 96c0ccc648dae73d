import type { pt } from './pt.ts'

/** Every text of the dashboard. A text that a language lacks does not compile. */
export type Texts = typeof pt
