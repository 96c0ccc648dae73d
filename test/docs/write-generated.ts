import { stalePages } from './generated.ts'
import { generators } from './generators.ts'

/** Writes the parts of pages that follow from the code: `npm run docs`. */
for (const page of stalePages(generators, true)) console.log(`docs/${page}`)
