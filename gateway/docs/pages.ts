import { gzipSync } from 'node:zlib'
import { codedFor } from '../api/encoding.ts'
import type { OpenPage } from '../api/open-pages.ts'
import { answerWith } from '../api/own-page.ts'
import type { OriginOf } from '../api/public-origin.ts'
import { builtOnce } from '../base/built-once.ts'
import { type Language, languages } from '../problems/language.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { openLibrary, servedAt } from './library.ts'
import { renderMarkdown } from './markdown.ts'
import { llmsFullTxt, llmsTxt, plainPage } from './plain-pages.ts'
import { documentPage } from './shell.ts'

/**
 * Serves the documentation: `/docs/en/…` and `/docs/pt/…`, as Markdown where `.md` ends the address, and the lists of it that language
 * models read. An address without a language redirects to the one that the browser
 * prefers. Browsers keep the fragment, so `/docs/errors#NOT_FOUND` finds its section in either language.
 */
export const openDocs = (
  buildIndex: (language: Language) => Promise<string>,
  originOf: OriginOf,
): ((request: Pick<HttpRequest, 'path' | 'headers'>) => OpenPage) => {
  const library = openLibrary()
  const indexFor = builtOnce(async (language: Language) => {
    const plain = await buildIndex(language)
    return { plain: () => plain, gzip: gzipSync(plain) }
  })

  return ({ path, headers }) => {
    if (path === '/') return seeOther('/docs', null)
    if (path === '/llms.txt') return answer(plain, llmsTxt(library, originOf(headers)), 'no-cache')
    if (path === '/llms-full.txt') return answer(plain, llmsFullTxt(library, originOf(headers)), 'no-cache')
    if (path !== '/docs' && !path.startsWith('/docs/')) return null
    const asset = library.assets.get(path)
    if (asset !== undefined) return answer(asset.type, asset.body, 'public, max-age=31536000, immutable')
    if (path.endsWith('/')) return seeOther(path.slice(0, -1), null)
    const [first = '', ...rest] = path.slice('/docs/'.length).split('/')
    if (first === 'files') return fileAnswer(rest.join('/'))
    const language = languages.find((known) => known === first)
    if (language === undefined) {
      const place = `/docs/${preferred(headers)}`
      if (first === '') return seeOther(place, 'Accept-Language')
      if (rest.length > 0 || !hasPage(first)) return notFound(preferred(headers))
      return seeOther(`${place}/${first}`, 'Accept-Language')
    }
    if (rest[0] === 'search.json')
      return indexFor(language).then((index) =>
        codedFor(headers['accept-encoding'], index, (body) => answer('application/json', body, 'no-cache')),
      )
    const slug = rest[0] ?? library.contents[0]!.pages[0]!
    const [, named] = /^(.+)\.md$/.exec(slug) ?? []
    const markdown = named && rest.length === 1 && plainPage(library, language, named, originOf(headers))
    if (markdown) return answer('text/markdown; charset=utf-8', markdown, 'no-cache')
    const page = rest.length > 1 ? null : library.page(language, slug)
    if (page === null) return notFound(language)
    return answer(html, documentPage(library, language, slug, page), 'no-cache')
  }

  /** The API reference has no Markdown, and an address as pages have. */
  function hasPage(slug: string): boolean {
    return slug === 'reference' || library.page('en', slug) !== null
  }

  function fileAnswer(path: string): HttpResponse | null {
    const picture = library.picture(path)
    if (picture !== null) return answer(picture.type, picture.body, 'no-cache')
    const file = library.file(path)
    if (file === null) return notFound('en')
    if (!path.endsWith('.md')) return answer(plain, file, 'no-cache')
    const page = renderMarkdown(file, (target) => servedAt(path, target))
    return answer(html, documentPage(library, 'en', '', page), 'no-cache')
  }

  function notFound(language: Language): HttpResponse {
    const page = renderMarkdown(absentPages[language], (target) => target)
    return { ...answer(html, documentPage(library, language, '', page), 'no-cache'), status: 404 }
  }
}

const plain = 'text/plain; charset=utf-8'
const html = 'text/html; charset=utf-8'

const absentPages: Readonly<Record<Language, string>> = {
  en: '# No such page\n\nThe [contents](/docs/en) list every page, and the search above finds what they say.',
  pt: '# Página inexistente\n\nO [sumário](/docs/pt) lista todas as páginas, e a busca acima encontra o que elas dizem.',
}

const answer = answerWith()

const seeOther = (location: string, vary: string | null): HttpResponse => ({
  status: 302,
  headers: { Location: location, 'Cache-Control': 'no-cache', ...(vary && { Vary: vary }) },
  body: null,
})

const preferred = (headers: HttpRequest['headers']): Language =>
  /^\s*pt\b/i.test(headers['accept-language'] ?? '') ? 'pt' : 'en'
