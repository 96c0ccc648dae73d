import { stalePages } from './generated.ts'
import { generators } from './generators.ts'
import { stalePortuguese } from './portuguese.ts'
import { isPostmanStale } from './postman.ts'

/**
 * Writes what follows from the code: parts of pages, the Postman collection, and the list of the reference's texts in Portuguese, where
 * new ones are empty until somebody translates them: `npm run docs`.
 */
for (const page of stalePages(generators, true)) console.log(`docs/${page}`)
if (isPostmanStale(true)) console.log('docs/reference/postman.json')
for (const name of stalePortuguese(true)) console.log(`docs/reference/pt/${name}`)
