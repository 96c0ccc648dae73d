import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { docsFolder, openLibrary } from '../../gateway/docs/library.ts'
import { searchIndex } from '../../gateway/docs/search-index.ts'
import { openApiDocument } from '../../gateway/openapi/document.ts'
import { languages } from '../../gateway/problems/language.ts'
import { routes } from '../../gateway/routes/index.ts'
import { firstPlaces, searches } from './searches.ts'

type Found = { readonly path: string; readonly heading: string; readonly call?: string }
type Index = {
  readonly synonyms: readonly { readonly here: readonly string[]; readonly also: readonly string[] }[]
  readonly entries: readonly (Found & { readonly id: string; readonly text: string })[]
}

const library = openLibrary()
const indexOf = (language: (typeof languages)[number]): Index =>
  JSON.parse(searchIndex(library, language, openApiDocument(routes, '0', { language }))) as Index

const { default: MiniSearch } = await import(
  pathToFileURL(createRequire(import.meta.url).resolve('minisearch')).href
)
const { openSearch } = await import(pathToFileURL(join(docsFolder, 'site/find.js')).href)

for (const language of languages) {
  const index = indexOf(language)
  const find = openSearch(MiniSearch, index) as (query: string) => readonly Found[]

  t.test(`${language}: every section of a page and every operation is in the index, once`, async (t) => {
    const ids = index.entries.map(({ id }) => id)
    t.equal(new Set(ids).size, ids.length)
    for (const { verb, path } of routes) {
      const call = `${verb} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
      t.equal(index.entries.filter((entry) => entry.call === call).length, 1, call)
    }
    const sections = library.contents
      .flatMap(({ pages }) => pages)
      .flatMap((slug) => library.page(language, slug)!.sections)
    t.equal(index.entries.filter(({ call }) => call === undefined).length, sections.length)
    t.match(
      index.entries.find(({ heading }) => /^(Create a PIX charge|Criar uma cobrança PIX)$/.test(heading)),
      { call: 'POST /v1/pix/charges', path: `/docs/${language}/reference#tag/pix/POST/v1/pix/charges` },
    )
  })

  t.test(`${language}: what is looked for is among the first hits`, async (t) => {
    for (const [query, wanted] of Object.entries(searches)) {
      const places = firstPlaces(find(query).map(({ path }) => path))
      for (const place of wanted)
        t.ok(places.includes(place), `${query}: ${place}, found ${places.join(', ')}`)
    }
  })

  t.test(`${language}: each word of ours for something leads somewhere`, async (t) => {
    const nowhere = index.synonyms.filter(({ here }) => here.every((words) => find(words).length === 0))
    t.strictSame(nowhere, [])
  })

  t.test(
    `${language}: a query of words that mean nothing finds nothing, and others do not need them`,
    async (t) => {
      t.strictSame(find('how do I'), [])
      t.strictSame(find('o que é para'), [])
      t.strictSame(find(''), [])
      const hits = (query: string): string[] => find(query).map(({ path }) => path)
      t.strictSame(hits('the refund of a payment'), hits('refund payment'))
      t.strictSame(hits('estorno de um pagamento'), hits('estorno pagamento'))
      t.strictSame(hits('ESTÓRNO'), hits('estorno'))
      t.not(hits('zzyzx refund').length, 0, 'where no page has every word, those with some are found')
      t.strictSame(hits('zzyzx'), [])
    },
  )
}

t.test('the words are in the file once', async (t) => {
  const { synonyms, stopWords } = JSON.parse(
    readFileSync(join(docsFolder, 'site/search-words.json'), 'utf8'),
  ) as Index & { readonly stopWords: Readonly<Record<string, string>> }
  for (const { here, also } of synonyms)
    t.equal(new Set([...here, ...also]).size, here.length + also.length, here.join())
  for (const words of Object.values(stopWords)) {
    const list = words.split(' ')
    t.equal(new Set(list).size, list.length)
  }
})
