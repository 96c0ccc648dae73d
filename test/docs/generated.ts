import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { docsFolder } from '../../gateway/docs/library.ts'
import { type Language, languages } from '../../gateway/problems/language.ts'

/** Parts of pages that follow from the code, by the name in `<!-- generated: name -->`. */
export type Generators = Readonly<Record<string, (language: Language) => string>>

/**
 * A page with its generated parts as they should be. A part on one line is written into its sentence, but not where a line begins:
 * Markdown takes all of such a line for HTML.
 */
export const withGenerated = (markdown: string, language: Language, generators: Generators): string =>
  markdown.replace(/(<!-- generated: (\S+) -->)[\s\S]*?(<!-- end -->)/g, (found, begin, name, end) => {
    const generate = generators[name]
    if (generate === undefined) throw new Error(`nothing generates ${name}`)
    if (/^<!-- generated: \S+ -->[^\n]/m.test(markdown)) throw new Error(`${name} begins a line`)
    if (!found.includes('\n')) return `${begin}${generate(language)}${end}`
    return `${begin}\n\n${generate(language).trim()}\n\n${end}`
  })

/** The pages whose generated parts are not what the code says; `mend` writes them. */
export const stalePages = (generators: Generators, mend = false): string[] =>
  languages.flatMap((language) =>
    readdirSync(join(docsFolder, language)).flatMap((name) => {
      const path = join(docsFolder, language, name)
      const written = readFileSync(path, 'utf8')
      const wanted = withGenerated(written, language, generators)
      if (wanted === written) return []
      if (mend) writeFileSync(path, wanted)
      return [`${language}/${name}`]
    }),
  )

/** A table in Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map(
      (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`,
    )
    .join('\n')
