import { readdirSync } from 'node:fs'
import t from 'tap'
import { openApiDocument } from '../../gateway/openapi/document.ts'
import {
  keyOf,
  paragraphsIn,
  portugueseFolder,
  readPortuguese,
  translated,
} from '../../gateway/openapi/translate.ts'
import { routes } from '../../gateway/routes/index.ts'
import { portugueseTables, stalePortuguese } from './portuguese.ts'

const portuguese = readPortuguese()
const pairs = Object.entries(portuguese)

t.test(
  'every text of the document has its Portuguese, and none is unused; npm run docs lists them',
  async (t) => {
    t.strictSame(stalePortuguese(), [])
    t.strictSame(
      readdirSync(portugueseFolder).sort(),
      Object.keys(portugueseTables())
        .map((name) => `${name}.json`)
        .sort(),
    )
    t.strictSame(
      pairs.filter(([, text]) => text.trim() === '').map(([english]) => english),
      [],
      'texts to translate',
    )
  },
)

t.test(
  'a text that is new is listed as empty, and one that is not said any more is not listed',
  async (t) => {
    const { 'Create a PIX charge': _, ...others } = portuguese
    const tables = portugueseTables({ ...others, 'Nobody says this.': 'Ninguém diz isto.' })
    t.equal(tables.payments!['Create a PIX charge'], '')
    t.notOk(Object.values(tables).some((table) => 'Nobody says this.' in table))
    const scoped = Object.values(tables).flatMap((table) => table['Needs the scope `*`.'] ?? [])
    t.strictSame(scoped, ['Exige o escopo `*`.'])
  },
)

t.test('code and lists are the same in both languages', async (t) => {
  const codeIn = (text: string): string => [...new Set(text.match(/`[^`]+`/g) ?? [])].sort().join(' ')
  const wrong = pairs.filter(
    ([english, text]) =>
      codeIn(text) !== codeIn(english) || text.split('\n').length !== english.split('\n').length,
  )
  t.strictSame(wrong, [])
})

t.test('the document in Portuguese says nothing in English, and is otherwise the same', async (t) => {
  t.strictSame(
    pairs.filter(([english, text]) => text === english && !sameInBoth.test(english)),
    [],
  )
  for (const audience of ['all', 'keys'] as const) {
    const document = JSON.parse(openApiDocument(routes, '0', { audience })) as Parameters<
      typeof translated
    >[0]
    const unknown = paragraphsIn(document).filter((paragraph) => keyOf(paragraph, portuguese) === null)
    t.strictSame(unknown, [], audience)
    const inPortuguese = translated(document, portuguese)
    t.ok(JSON.stringify(withoutTexts(inPortuguese)) === JSON.stringify(withoutTexts(document)))
    t.match(inPortuguese, { info: { title: 'API de pagamentos' } })
  }
})

/** Names, and what is Portuguese in the English document, because it is Brazilian law that names it. */
const sameInBoth =
  /^(PIX|Boletos?|Split|Sandbox|Webhooks|Checkout|Curso de barista|## Webhooks|80\/20|`list`|Bairro\.|Município\.|Razão social\.|Nome fantasia\.|Conta corrente, .*)$/

/** The document without what people read. */
const withoutTexts = (document: object): unknown =>
  JSON.parse(JSON.stringify(document), (name, value) => {
    if (typeof value === 'string' && /^(summary|description|title|x-displayName)$/.test(name))
      return undefined
    return name === 'x-tagGroups' ? (value as { tags: string[] }[]).map(({ tags }) => tags) : value
  })
