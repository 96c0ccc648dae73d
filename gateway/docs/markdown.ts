import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import http from 'highlight.js/lib/languages/http'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import typescript from 'highlight.js/lib/languages/typescript'
import yaml from 'highlight.js/lib/languages/yaml'
import { Marked, type Tokens } from 'marked'

const grammars = { bash, go, http, ini, java, javascript, json, php, python, ruby, typescript, yaml }
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar)
const aliases: Readonly<Record<string, string>> = { sh: 'bash', js: 'javascript', ts: 'typescript' }

/** A page of the documentation, as HTML and with what its navigation and the search need. */
export type RenderedPage = {
  readonly title: string
  /** Its first paragraph, without markup and on one line. */
  readonly summary: string
  readonly html: string
  readonly sections: readonly Section[]
}

/** The text below one heading without markup: the unit that the search finds. */
export type Section = {
  readonly id: string
  readonly heading: string
  readonly level: number
  readonly text: string
  /** Its samples. */
  readonly code: string
}

/**
 * Renders GitHub-flavoured Markdown. `linkTo` maps the target of a link between files to the address where it is served. HTML in
 * the source is shown as text: pages need none, and a typo cannot turn into markup.
 */
export const renderMarkdown = (source: string, linkTo: (target: string) => string): RenderedPage => {
  const marked = new Marked({ gfm: true })
  const ids = new Map<string, number>()
  const sections: (Section & Filling)[] = []

  const uniqueId = (heading: string): string => {
    const id = headingId(heading)
    const repeats = ids.get(id) ?? 0
    ids.set(id, repeats + 1)
    return repeats === 0 ? id : `${id}-${repeats}`
  }

  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const plain = plainText(tokens) || text
        const id = uniqueId(plain)
        sections.push({ id, heading: plain, level: depth, text: '', code: '' })
        const anchor = depth === 1 ? '' : `<a class="anchor" href="#${id}" aria-label="#">#</a>`
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`
      },
      link({ href, title, tokens }: Tokens.Link) {
        const target = /^[a-z]+:/.test(href) ? href : linkTo(href)
        const outside = /^https?:/.test(target) ? ' rel="noreferrer"' : ''
        const hint = title ? ` title="${escapeHtml(title)}"` : ''
        return `<a href="${escapeHtml(target)}"${hint}${outside}>${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escapeHtml(linkTo(href))}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      code({ text, lang }: Tokens.Code) {
        const [language = '', fileName = ''] = (lang ?? '').split(/\s+/)
        const name = fileName === '' ? '' : `<figcaption>${escapeHtml(fileName)}</figcaption>`
        const copy = '<button type="button" class="copy" data-copy></button>'
        return `<figure class="code">${name}${copy}<pre><code>${highlighted(text, language)}</code></pre></figure>\n`
      },
      blockquote({ tokens, text }: Tokens.Blockquote) {
        const alert = /^\[!(NOTE|TIP|WARNING|CAUTION|IMPORTANT)\]/.exec(text)
        const kind = alert === null ? '' : ` class="alert ${alert[1]!.toLowerCase()}"`
        const body = this.parser.parse(tokens).replace(/\[!(NOTE|TIP|WARNING|CAUTION|IMPORTANT)\]\s*/, '')
        return `<blockquote${kind}>${body}</blockquote>\n`
      },
      table({ header, rows }: Tokens.Table) {
        const inline = (cell: Tokens.TableCell): string => this.parser.parseInline(cell.tokens)
        return tableHtml(
          header.map((cell) => ({ html: inline(cell), text: plainText(cell.tokens) })),
          rows.map((row) => row.map(inline)),
        )
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (/^\s*<!--/.test(text) ? '' : escapeHtml(text)),
    },
  })

  const tokens = marked.lexer(source)
  const html = marked.parser(tokens)
  fillSections(tokens, sections)
  const opening = tokens.find(({ type }) => type === 'paragraph')
  return {
    title: sections.find(({ level }) => level === 1)?.heading ?? '',
    summary: opening === undefined ? '' : plainText([opening]).replaceAll(/\s+/g, ' ').trim(),
    html,
    sections,
  }
}

/**
 * The anchor of a heading, as GitHub makes it, so that links work in both places. An error code keeps its capitals, because the
 * `type` of a problem refers to it that way.
 */
const headingId = (heading: string): string => {
  if (/^[A-Z][A-Z0-9_]+$/.test(heading)) return heading
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

const highlighted = (text: string, language: string): string => {
  const name = aliases[language] ?? language
  return hljs.getLanguage(name) ? hljs.highlight(text, { language: name }).value : escapeHtml(text)
}

/**
 * A table whose rows become blocks on a narrow screen, where each cell shows the head of its column. The roles keep it a table for
 * screen readers there too: a browser forgets that of what is no longer laid out as one.
 */
const tableHtml = (
  head: readonly { readonly html: string; readonly text: string }[],
  rows: readonly (readonly string[])[],
): string => {
  const heads = head.map(({ html }) => `<th role="columnheader">${html}</th>`).join('')
  const cell = (html: string, at: number): string => {
    const label = at === 0 || head.length < 3 ? '' : ` data-label="${escapeHtml(head[at]!.text)}"`
    return `<td role="cell"${label}>${html}</td>`
  }
  const body = rows.map((row) => `<tr role="row">${row.map(cell).join('')}</tr>`).join('\n')
  return `<div class="table"><table role="table">
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">
${body}
</tbody></table></div>\n`
}

/** Each section gets the text between its heading and the next one. */
const fillSections = (tokens: readonly Tokens.Generic[], sections: readonly Filling[]): void => {
  let at = -1
  for (const token of tokens) {
    if (token.type === 'heading') at += 1
    else if (sections[at] !== undefined)
      sections[at]![token.type === 'code' ? 'code' : 'text'] += `${plainText([token])} `
  }
}

type Filling = { text: string; code: string }

const plainText = (tokens: readonly Tokens.Generic[]): string => tokens.map(textOf).join('')

const textOf = (token: Tokens.Generic): string => {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(' ')).join(' ')
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ')
  if (token.type === 'html') return ''
  if (token.tokens !== undefined) return plainText(token.tokens)
  return 'text' in token ? String(token.text) : ''
}

/** Escapes a text for HTML, for content and for quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
