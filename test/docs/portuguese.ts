import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../../gateway/openapi/document.ts'
import { tagGroups } from '../../gateway/openapi/texts.ts'
import {
  keyOf,
  paragraphsIn,
  portugueseFolder,
  readPortuguese,
  type Translations,
} from '../../gateway/openapi/translate.ts'
import { routes } from '../../gateway/routes/index.ts'

/**
 * The Portuguese texts of the OpenAPI document as they should be, by file: one file for each group of tags, and `general`. A paragraph is
 * in the file of the operation that says it first. What has no translation is empty; what no operation says any more is not there.
 */
export const portugueseTables = (
  known: Translations = readPortuguese(),
): Readonly<Record<string, Translations>> => {
  const document = JSON.parse(openApiDocument(routes, '0')) as Whole
  const fileOf = filesByParagraph(document)
  const tables: Record<string, Record<string, string>> = {}
  for (const paragraph of paragraphsIn(document)) {
    const key = keyOf(paragraph, known) ?? paragraph
    const name = fileOf.get(paragraph) ?? 'general'
    tables[name] ??= {}
    if (!Object.values(tables).some((other) => Object.hasOwn(other, key)))
      tables[name][key] = known[key] ?? ''
  }
  return tables
}

/** The tables that are not what they should be, by the name of their file; `mend` writes them. */
export const stalePortuguese = (mend = false): string[] =>
  Object.entries(portugueseTables()).flatMap(([name, table]) => {
    const file = join(portugueseFolder, `${name}.json`)
    const wanted = `${JSON.stringify(table, null, 2)}\n`
    if (readOr(file, '') === wanted) return []
    if (mend) writeFileSync(file, wanted)
    return [`${name}.json`]
  })

/** The file of each paragraph: of the whole document's own in `general`, then by the operations in the order of the groups. */
const filesByParagraph = ({ paths, webhooks, components, ...whole }: Whole): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  const put = (name: string, part: unknown): void => {
    const document: object = { part }
    for (const paragraph of paragraphsIn(document)) if (!files.has(paragraph)) files.set(paragraph, name)
  }
  const { schemas, ...shared } = components
  const reached = new Set<string>()
  const follow = (name: string, part: unknown): void => {
    put(name, part)
    for (const [, schema = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      if (reached.has(schema)) continue
      reached.add(schema)
      follow(name, schemas[schema])
    }
  }
  for (const paragraph of paragraphsIn(whole)) files.set(paragraph, 'general')
  put('general', shared)
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((verbs) =>
    Object.values(verbs),
  )
  for (const group of tagGroups)
    for (const tag of group.tags)
      for (const operation of operations.filter(({ tags }) => tags[0] === tag))
        follow(group.name.toLowerCase(), operation)
  return files
}

type Verbs = Readonly<Record<string, { readonly tags: readonly string[] }>>
type Whole = Parameters<typeof paragraphsIn>[0] & {
  readonly paths: Readonly<Record<string, Verbs>>
  readonly webhooks: Readonly<Record<string, Verbs>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

const readOr = (file: string, absent: string): string =>
  existsSync(file) ? readFileSync(file, 'utf8') : absent
