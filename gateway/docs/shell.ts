import type { Language } from '../problems/language.ts'
import type { Library } from './library.ts'
import { escapeHtml, type RenderedPage } from './markdown.ts'

/** The HTML around a page: contents on the left, the page's sections on the right, its neighbours below. */
export const documentPage = (
  library: Library,
  language: Language,
  slug: string,
  page: RenderedPage,
): string => {
  const words = texts[language]
  const other = language === 'en' ? 'pt' : 'en'
  return `<!doctype html>
<html lang="${words.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · ${words.brand}</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="stylesheet" href="${library.assetPath('site.css')}">
<link rel="alternate" hreflang="${texts[other].tag}" href="${placeOf(other, slug)}">${markdownLink(language, slug)}
<script src="${library.assetPath('theme.js')}"></script>
<script type="module" src="${library.assetPath('site.js')}" data-search="${library.assetPath('search.js')}" data-find="${library.assetPath('find.js')}" data-index="/docs/${language}/search.json" data-copy="${words.copy}" data-copied="${words.copied}" data-nothing="${words.nothing}"></script>
</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
<header>
<button type="button" class="menu" data-menu aria-expanded="false" aria-controls="contents" aria-label="${words.contents}"><span></span></button>
<a class="brand" href="/docs/${language}">${words.brand}</a>
<div class="search">
<input type="search" placeholder="${words.search}" aria-label="${words.search}" autocomplete="off" spellcheck="false" data-search-box>
<kbd>/</kbd>
<ol hidden data-search-results></ol>
</div>
<nav class="tools">
<a href="/docs/${language}/reference">${words.reference}</a>
<a href="${placeOf(other, slug)}" hreflang="${texts[other].tag}" lang="${texts[other].tag}">${texts[other].name}</a>
<button type="button" class="theme" data-theme-switch aria-label="${words.theme}" title="${words.theme}"></button>
</nav>
</header>
<div class="columns">
<nav class="contents" id="contents" aria-label="${words.contents}">
${contentsOf(library, language, slug)}
<h2>API</h2>
<ul>
<li><a href="/docs/${language}/reference">${words.reference}</a></li>
</ul>
</nav>
<main id="content">
<article>
${page.html}</article>
${slug === '' ? '' : `<p class="plain"><a href="/docs/${language}/${slug}.md">${words.asMarkdown}</a></p>`}
${neighbours(library, language, slug)}
</main>
<aside class="sections" aria-label="${words.onThisPage}">
${sectionsOf(page, words.onThisPage)}
</aside>
</div>
</body>
</html>
`
}

const markdownLink = (language: Language, slug: string): string =>
  slug === '' ? '' : `\n<link rel="alternate" type="text/markdown" href="/docs/${language}/${slug}.md">`

const placeOf = (language: Language, slug: string): string =>
  slug === '' ? `/docs/${language}` : `/docs/${language}/${slug}`

const contentsOf = (library: Library, language: Language, current: string): string =>
  library.contents
    .map(({ title, pages }) => {
      const items = pages.map((slug) => {
        const mark = slug === current ? ' aria-current="page"' : ''
        return `<li><a href="/docs/${language}/${slug}"${mark}>${escapeHtml(titleOf(library, language, slug))}</a></li>`
      })
      return `<h2>${escapeHtml(title[language])}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
    })
    .join('\n')

const sectionsOf = ({ sections }: RenderedPage, title: string): string => {
  const listed = sections.filter(({ level }) => level === 2 || level === 3)
  if (listed.length < 2) return ''
  const items = listed.map(
    ({ id, heading, level }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(heading)}</a></li>`,
  )
  return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
}

const neighbours = (library: Library, language: Language, current: string): string => {
  const slugs = library.contents.flatMap(({ pages }) => pages)
  const at = slugs.indexOf(current)
  if (at < 0) return ''
  const link = (slug: string | undefined, rel: 'prev' | 'next'): string =>
    slug === undefined
      ? ''
      : `<a rel="${rel}" href="/docs/${language}/${slug}">${escapeHtml(titleOf(library, language, slug))}</a>`
  return `<nav class="neighbours">${link(slugs[at - 1], 'prev')}${link(slugs[at + 1], 'next')}</nav>`
}

const titleOf = (library: Library, language: Language, slug: string): string =>
  library.page(language, slug)!.title

const texts = {
  en: {
    tag: 'en',
    name: 'English',
    brand: 'Payments',
    skip: 'Skip to the content',
    contents: 'Contents',
    search: 'Search the documentation',
    reference: 'API reference',
    theme: 'Light or dark',
    onThisPage: 'On this page',
    asMarkdown: 'This page as Markdown',
    copy: 'Copy',
    copied: 'Copied',
    nothing: 'Nothing found',
  },
  pt: {
    tag: 'pt-BR',
    name: 'Português',
    brand: 'Payments',
    skip: 'Ir para o conteúdo',
    contents: 'Sumário',
    search: 'Buscar na documentação',
    reference: 'Referência da API',
    theme: 'Claro ou escuro',
    onThisPage: 'Nesta página',
    asMarkdown: 'Esta página em Markdown',
    copy: 'Copiar',
    copied: 'Copiado',
    nothing: 'Nada encontrado',
  },
} as const
