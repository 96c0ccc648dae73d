import { stalePages } from './generated.ts'
import { generators } from './generators.ts'
import { isPostmanStale } from './postman.ts'

/** Writes what follows from the code, parts of pages and the Postman collection: `npm run docs`. */
for (const page of stalePages(generators, true)) console.log(`docs/${page}`)
if (isPostmanStale(true)) console.log('docs/reference/postman.json')
