// The documentation as a site: Markdown from `docs/`, rendered in both languages, with search.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, posix, resolve } from 'node:path'
import { type Language, languages } from '../problems/language.ts'
import { type RenderedPage, renderMarkdown } from './markdown.ts'

/** Where the Markdown is: `docs/` beside the compiled code, both in the repository and in the package. */
export const docsFolder = resolve(import.meta.dirname, '../../../docs')

/** The pages of the documentation, each read on first use and cached. */
export type Library = {
  readonly contents: readonly Chapter[]
  readonly page: (language: Language, slug: string) => RenderedPage | null
  /** The Markdown of a page, as it is written. */
  readonly source: (language: Language, slug: string) => string | null
  /** Where a link on a page leads on the site. */
  readonly servedAt: (language: Language, slug: string, target: string) => string
  /** Scripts and styles by path; the path changes with the content, so that it can be cached for ever. */
  readonly assets: ReadonlyMap<string, SiteFile>
  readonly assetPath: (name: AssetName) => string
  /** A file that pages link to, as text: a configuration or alert rules. */
  readonly file: (path: string) => string | null
  /** A picture that pages show. */
  readonly picture: (path: string) => SiteFile | null
}

/** A part of the table of contents (`docs/contents.json`). Its pages are in reading order. */
export type Chapter = {
  readonly title: Readonly<Record<Language, string>>
  readonly pages: readonly string[]
}

export type SiteFile = { readonly type: string; readonly body: Buffer }
export type AssetName = keyof typeof assetFiles

const require = createRequire(import.meta.url)
const assetFiles = {
  'site.css': { type: 'text/css; charset=utf-8', from: () => join(docsFolder, 'site/site.css') },
  'site.js': { type: 'text/javascript; charset=utf-8', from: () => join(docsFolder, 'site/site.js') },
  'theme.js': { type: 'text/javascript; charset=utf-8', from: () => join(docsFolder, 'site/theme.js') },
  'find.js': { type: 'text/javascript; charset=utf-8', from: () => join(docsFolder, 'site/find.js') },
  'search.js': { type: 'text/javascript; charset=utf-8', from: () => searchLibrary() },
} as const

/** The browser build, which the package does not export by name. */
const searchLibrary = (): string => join(require.resolve('minisearch'), '../../es/index.js')

/** Opens the documentation that comes with the service. */
export const openLibrary = (): Library => {
  const contents = JSON.parse(readFileSync(join(docsFolder, 'contents.json'), 'utf8')) as Chapter[]
  const slugs = new Set(contents.flatMap(({ pages }) => pages))
  const pages = new Map<string, RenderedPage>()
  const paths = new Map<AssetName, string>()
  const assets = new Map<string, SiteFile>()
  for (const [name, { type, from }] of Object.entries(assetFiles)) {
    const body = readFileSync(from())
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12)
    const path = `/docs/site/${name.replace('.', `.${hash}.`)}`
    paths.set(name as AssetName, path)
    assets.set(path, { type, body })
  }
  const files = new Set(filesIn(/^(cluster|decisions|observability)\//))
  const pictures = new Set(filesIn(/^images\/.+\.webp$/))

  const page: Library['page'] = (language, slug) => {
    if (!slugs.has(slug)) return null
    const path = `${language}/${slug}.md`
    const rendered = pages.get(path) ?? renderMarkdown(read(path), (target) => servedAt(path, target))
    pages.set(path, rendered)
    return rendered
  }

  return {
    contents,
    page,
    source: (language, slug) => (slugs.has(slug) ? read(`${language}/${slug}.md`) : null),
    servedAt: (language, slug, target) => servedAt(`${language}/${slug}.md`, target),
    assets,
    assetPath: (name) => paths.get(name)!,
    file: (path) => (files.has(path) ? read(path) : null),
    picture: (path) =>
      pictures.has(path) ? { type: 'image/webp', body: readFileSync(join(docsFolder, path)) } : null,
  }
}

const read = (path: string): string => readFileSync(join(docsFolder, path), 'utf8')

/** Files below `docs/` that are no pages. */
const filesIn = (places: RegExp): string[] =>
  readdirSync(docsFolder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => posix.relative(docsFolder, join(item.parentPath, item.name)))
    .filter((path) => places.test(path))

/** Where a link from one file to another leads on the site: pages lose their extension, other files are shown as text. */
export const servedAt = (from: string, target: string): string => {
  if (target.startsWith('#') || target.startsWith('/')) return target
  const [path = '', anchor] = target.split('#')
  const resolved = posix.join(posix.dirname(from), path)
  const place = resolved.replace(/\.md$/, '')
  const isPage = languages.some((language) => resolved.startsWith(`${language}/`)) && resolved.endsWith('.md')
  return `${isPage ? `/docs/${place}` : `/docs/files/${resolved}`}${anchor === undefined ? '' : `#${anchor}`}`
}
