import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The texts of the document in Portuguese by the English ones: JSON files, read for the first document that needs them. */
export const portugueseFolder = join(import.meta.dirname, '../../../docs/reference/pt')

type Document = { readonly tags?: readonly Named[]; readonly 'x-tagGroups'?: readonly Named[] }
type Named = { readonly name: string }

/** What English paragraphs are in another language. */
export type Translations = Readonly<Record<string, string>>

/** Reads the Portuguese texts. */
export const readPortuguese = (): Translations =>
  Object.assign(
    {},
    ...readdirSync(portugueseFolder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(portugueseFolder, name), 'utf8')) as object),
  ) as Translations

/**
 * The document in another language: its summaries, descriptions and the names under which tags are shown. Names by which programs
 * know something stay, and so does a text that has no translation (`npm run docs` lists it, a test refuses it).
 */
export const translated = (document: Document, translations: Translations): object => {
  const say = (text: string): string =>
    paragraphsOf(text)
      .map((paragraph) => wordsFor(paragraph, translations))
      .join('\n\n')
  return withTexts(document, say)
}

/** Every paragraph of the document that people read, in its order, each once. */
export const paragraphsIn = (document: Document): readonly string[] => {
  const found = new Set<string>()
  withTexts(document, (text) => {
    for (const paragraph of paragraphsOf(text)) if (!isName(paragraph)) found.add(paragraph)
    return text
  })
  return [...found]
}

/** The key of a paragraph among translations: the paragraph, or what it is with `*` for its one piece of code; null if there is neither. */
export const keyOf = (paragraph: string, translations: Translations): string | null =>
  [paragraph, paragraph.replace(code, '`*`')].find((key) => Object.hasOwn(translations, key)) ?? null

const wordsFor = (paragraph: string, translations: Translations): string => {
  const key = keyOf(paragraph, translations)
  if (key === null) return paragraph
  const [span = ''] = code.exec(paragraph) ?? []
  return key === paragraph ? translations[key]! : translations[key]!.replace('`*`', () => span)
}

const code = /`[^`]+`/

const paragraphsOf = (text: string): string[] => text.split('\n\n')

/** An event type, or what else programs know by this. */
const isName = (text: string): boolean => /^\S+\.\S+$/.test(text)

/** The same document, with `change` applied to each of its texts, and to the names of tags and their groups as they are shown. */
const withTexts = (document: Document, change: (text: string) => string): object => {
  const changed = withTextsInside(document, change) as Document
  const { tags, 'x-tagGroups': groups } = changed
  return {
    ...changed,
    ...(tags && { tags: tags.map((tag) => ({ ...tag, 'x-displayName': change(tag.name) })) }),
    ...(groups && { 'x-tagGroups': groups.map((group) => ({ ...group, name: change(group.name) })) }),
  }
}

const withTextsInside = (value: unknown, change: (text: string) => string, areFields = false): unknown => {
  if (Array.isArray(value)) return value.map((item) => withTextsInside(item, change))
  if (typeof value !== 'object' || value === null) return value
  const changed = Object.entries(value).map(([name, part]) => {
    if (!areFields && dataMembers.has(name)) return [name, part]
    if (typeof part === 'string') return [name, textMembers.has(name) ? change(part) : part]
    return [name, withTextsInside(part, change, name === 'properties')]
  })
  return Object.fromEntries(changed)
}

const textMembers = new Set(['summary', 'description', 'title'])
/** Members that hold values of requests and answers. Fields of a schema may be called the same. */
const dataMembers = new Set(['value', 'example', 'default', 'enum', 'const'])
