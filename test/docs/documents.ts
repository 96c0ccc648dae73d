import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { docsFolder } from '../../gateway/docs/library.ts'
import type { languages } from '../../gateway/problems/language.ts'

/** A fenced block of a page: what a reader would type, save or see. */
export type Block = {
  readonly language: string
  /** The file that a reader saves it as; empty for commands and answers. */
  readonly fileName: string
  readonly text: string
  /** The line of the fence in the Markdown, from 1. */
  readonly line: number
  /** Why a test does not run it; null where it does. */
  readonly notRun: string | null
}

/** The Markdown files below `docs/` in one language, by slug. */
export const slugsOf = (language: (typeof languages)[number]): readonly string[] =>
  readdirSync(join(docsFolder, language))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort()

export const readDocument = (path: string): string => readFileSync(join(docsFolder, path), 'utf8')

/** The blocks of a page in order. `<!-- not run: reason -->` above a fence says why nobody runs it. */
export const blocksOf = (markdown: string): readonly Block[] => {
  const blocks: Block[] = []
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const fence = /^```(\S*)(?:\s+(\S+))?\s*$/.exec(lines[at]!)
    if (fence === null) continue
    const end = lines.indexOf('```', at + 1)
    if (end < 0) throw new Error(`line ${at + 1}: a fence that never ends`)
    const before = lines.slice(0, at).findLast((line) => line.trim() !== '') ?? ''
    const notRun = /^<!-- not run: (.+) -->$/.exec(before.trim())?.[1] ?? null
    const text = lines.slice(at + 1, end).join('\n')
    blocks.push({ language: fence[1]!, fileName: fence[2] ?? '', text, line: at + 1, notRun })
    at = end
  }
  return blocks
}
