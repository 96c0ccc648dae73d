import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Language, languages } from '../problems/language.ts'
import { docsFolder, type Library } from './library.ts'

/** What the search finds: a section of a page, or an operation of the API. */
type Entry = {
  readonly id: string
  /** The title of its page, or the tag of its operation. */
  readonly page: string
  readonly heading: string
  readonly text: string
  readonly path: string
  /** Verb and path of an operation; the event type of a webhook. */
  readonly call?: string
  /** Fields that an operation takes, and what samples of a section name. */
  readonly names: string
  /** How much rather it is shown than another that fits as well. */
  readonly weight: number
}

/** The index of the search in one language as JSON: pages, the operations of an OpenAPI document in that language, and the words. */
export const searchIndex = (library: Library, language: Language, openApi: string): string => {
  const { synonyms, stopWords } = JSON.parse(
    readFileSync(join(docsFolder, 'site/search-words.json'), 'utf8'),
  ) as SearchWords
  return JSON.stringify({
    synonyms,
    stopWords: languages.flatMap((each) => stopWords[each].split(' ')),
    entries: [...sectionsOf(library, language), ...operationsOf(JSON.parse(openApi) as OpenApi, language)],
  })
}

/**
 * `docs/site/search-words.json`: what something is called here, in both languages, with what people also call it, and words that mean
 * nothing alone.
 */
type SearchWords = {
  readonly synonyms: readonly { readonly here: readonly string[]; readonly also: readonly string[] }[]
  readonly stopWords: Readonly<Record<Language, string>>
}

const sectionsOf = (library: Library, language: Language): Entry[] =>
  library.contents
    .flatMap(({ pages }) => pages)
    .flatMap((slug) => {
      const { title, sections } = library.page(language, slug)!
      return sections.map(({ id, heading, level, text, code }, at) => ({
        id: `${slug}#${id}`,
        page: title,
        heading,
        text,
        names: namesIn(code),
        path: `/docs/${language}/${slug}${at === 0 ? '' : `#${id}`}`,
        weight: (weightOfLevel[level] ?? 1) * (weightOfPage[slug] ?? 1),
      }))
    })

/** The words of samples, each once: fields, commands, headers. */
const namesIn = (code: string): string => [...new Set(code.match(/[A-Za-z]{4,}/g) ?? [])].join(' ')

/** A page as a whole is the best place to begin; a section of a section is a detail: one error code, one event. */
const weightOfLevel: Readonly<Record<number, number>> = { 1: 1.5, 3: 0.7, 4: 0.7 }
/** Pages that name everything, and pages for those who change the service. */
const weightOfPage: Readonly<Record<string, number>> = {
  index: 0.5,
  glossary: 0.25,
  errors: 0.5,
  sandbox: 0.7,
  privacy: 0.7,
  pci: 0.7,
  structure: 0.5,
  extending: 0.5,
  decisions: 0.5,
  changelog: 0.2,
}

type OpenApi = {
  readonly tags: readonly { readonly name: string; readonly 'x-displayName'?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> }
}
type Operation = {
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly name?: string }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>
  }
}

const operationsOf = ({ tags, paths, webhooks, components }: OpenApi, language: Language): Entry[] => {
  const shown = new Map(tags.map((tag) => [tag.name, tag['x-displayName'] ?? tag.name]))
  const entry = (operation: Operation, verb: string, path: string, anchor: string, call: string): Entry => {
    const tag = operation.tags[0]!
    return {
      id: `${verb} ${path}`,
      page: shown.get(tag)!,
      heading: operation.summary,
      // What it needs stands last.
      text: operation.description.split('\n\n')[0]!.replaceAll('`', ''),
      path: `/docs/${language}/reference#tag/${slugOf(tag)}/${anchor}`,
      call,
      names: fieldsOf(operation, components).join(' '),
      weight: weightOf(verb, path, operation),
    }
  }
  return [
    ...Object.entries(paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, operation]) => {
        const call = `${verb.toUpperCase()} ${path}`
        return entry(operation, verb, path, call.replace(' ', ''), call)
      }),
    ),
    ...Object.entries(webhooks).map(([type, { post }]) =>
      entry(post, 'webhook', type, `webhook/POST/${type}`, type),
    ),
  ]
}

/** Operations that keys call come first, those that create something above all. */
const weightOf = (verb: string, path: string, { security, tags }: Operation): number => {
  if (verb === 'webhook' || security !== undefined || tags[0] === 'Sandbox') return 0.5
  if (verb === 'post') return path.includes('{') ? 0.8 : 0.9
  return verb === 'get' ? 0.8 : 0.7
}

/** The names of an operation's parameters and of the fields of its body. */
const fieldsOf = (
  { parameters = [], requestBody }: Operation,
  { schemas }: OpenApi['components'],
): string[] => {
  const [, name] = /([^/]+)$/.exec(requestBody?.content['application/json']?.schema.$ref ?? '') ?? []
  return [
    ...parameters.flatMap((parameter) => parameter.name ?? []),
    ...Object.keys((name && schemas[name]?.properties) || {}),
  ]
}

/** As the reference page names tags in its addresses. */
const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')
