import type { Life } from './lives.ts'

/** Lives that once did not hold. */
export const regressions: readonly (Life & { readonly title: string })[] = []
