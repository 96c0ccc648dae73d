import { type Language, languages } from '../problems/language.ts'
import type { Library } from './library.ts'

/** A page as Markdown for programs: its links lead to Markdown at this service, and remarks for the project's tests are left out. */
export const plainPage = (
  library: Library,
  language: Language,
  slug: string,
  origin: string,
): string | null => {
  const source = library.source(language, slug)
  if (source === null) return null
  return outsideCode(source, (prose) =>
    prose
      .replaceAll(/^<!--(?:(?!-->)[\s\S])*-->\n+/gm, '')
      .replaceAll(/<!--(?:(?!-->).)*-->/g, '')
      .replaceAll(
        /\]\(([^)\s]+)\)/g,
        (_, target: string) => `](${placeOf(library, language, slug, target, origin)})`,
      ),
  )
}

/** The list of all pages, by https://llmstxt.org: a title, a summary, and what each page is about. */
export const llmsTxt = (library: Library, origin: string): string => {
  const lines = languages.flatMap((language) => [
    ...(language === 'en' ? [] : ['## Optional', '', 'The same pages in Portuguese.', '']),
    ...library.contents.flatMap(({ title, pages }) => [
      ...(language === 'en' ? [`## ${title.en}`, ''] : []),
      ...pages.map((slug) => lineOf(library, language, slug, origin)),
      ...(language === 'en' ? [''] : []),
    ]),
  ])
  const machines = [
    '## API',
    '',
    `- [OpenAPI 3.1 for API keys](${origin}/openapi.json?audience=keys): every operation that a key may call, with schemas and recorded examples`,
    `- [OpenAPI 3.1, complete](${origin}/openapi.json): with the operations of the dashboard`,
    `- [OpenAPI 3.1 in Portuguese](${origin}/openapi.json?lang=pt): the same with its texts in Portuguese; also with \`audience=keys\``,
    `- [Postman collection](${origin}/postman.json): requests that work against the Sandbox, in order`,
    `- [All English pages in one file](${origin}/llms-full.txt)`,
    '',
  ]
  const { title, summary } = library.page('en', first(library))!
  return [`# ${title}`, '', `> ${summary}`, '', ...machines, ...lines, ''].join('\n')
}

/** Every English page, one after the other, in reading order. */
export const llmsFullTxt = (library: Library, origin: string): string =>
  library.contents
    .flatMap(({ pages }) => pages)
    .map(
      (slug) => `<!-- ${origin}/docs/en/${slug} -->\n\n${plainPage(library, 'en', slug, origin)!.trim()}\n`,
    )
    .join('\n\n')

const first = ({ contents }: Library): string => contents[0]!.pages[0]!

const lineOf = (library: Library, language: Language, slug: string, origin: string): string => {
  const { title, summary } = library.page(language, slug)!
  return `- [${title}](${origin}/docs/${language}/${slug}.md): ${summary}`
}

const placeOf = (
  library: Library,
  language: Language,
  slug: string,
  target: string,
  origin: string,
): string => {
  if (/^([a-z]+:|#)/.test(target)) return target
  const [path = '', anchor] = library.servedAt(language, slug, target).split('#')
  const isPage = languages.some((known) => isIn(library, known, path))
  return `${origin}${path}${isPage ? '.md' : ''}${anchor === undefined ? '' : `#${anchor}`}`
}

/** The API reference has an address as pages have, and no Markdown. */
const isIn = (library: Library, language: Language, path: string): boolean => {
  const place = `/docs/${language}/`
  return path.startsWith(place) && library.source(language, path.slice(place.length)) !== null
}

/** Changes what is outside fences: code stays as it is. */
const outsideCode = (source: string, change: (prose: string) => string): string =>
  source
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('')
