import type { Test } from 'tap'
import { type Block, blocksOf, readDocument } from '../../docs/documents.ts'
import { difference } from '../../docs/run-blocks.ts'
import type { TestNode } from '../cluster.ts'
import type { Machines } from './machines.ts'

/** A section of the page of runbooks: its prose, and its blocks in order. */
export type Runbook = { readonly prose: string; readonly blocks: readonly Block[] }

/** The page in English; another test holds the blocks of the other language against it. */
export const runbookOf = (heading: string): Runbook => {
  const page = readDocument('en/runbooks.md')
  const [, text] = page.split(new RegExp(`^#+ ${heading}\n`, 'm'))
  if (text === undefined) throw new Error(`the page has no ${heading}`)
  // A first line of a block is no heading.
  const end = text.search(/^#+ (?!on )/m)
  const section = end < 0 ? text : text.slice(0, end)
  return { prose: section.replace(/^```[\s\S]*?^```/gm, ''), blocks: blocksOf(section) }
}

/** What a log, an alert or an answer says, as the page has it; throws where the page does not. */
export const said = ({ prose }: Runbook, text: string): string => {
  if (!prose.replace(/\s+/g, ' ').includes(text)) throw new Error(`the page does not say: ${text}`)
  return text
}

/** Resolves when the log of a node's present life has what the page says that it has. */
export const sees = async (runbook: Runbook, { service }: TestNode, text: string): Promise<void> =>
  service!.logged(said(runbook, text))

/**
 * Types the blocks of a runbook in order. What only looks is typed until it shows what the page shows; what it is preceded by has happened once.
 */
export const walk = async (t: Test, machines: Machines, { blocks }: Runbook, from = 0): Promise<void> => {
  for (const [n, block] of blocks.entries()) {
    if (n < from || block.language !== 'sh') continue
    const shown = blocks[n + 1]?.language === 'sh' ? undefined : blocks[n + 1]
    const isLook = shown !== undefined && looks(block)
    // What was started just before refuses connections.
    const type = (): Promise<string> =>
      isLook ? machines.type(block).catch((error: Error) => error.message) : machines.type(block)
    let printed = await type()
    while (isLook && unlike(shown, printed) !== null) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      printed = await type()
    }
    if (shown !== undefined) t.equal(unlike(shown, printed), null, block.text)
  }
}

/** Whether a block changes nothing. */
const looks = ({ text }: Block): boolean =>
  text
    .split('\n')
    .slice(1)
    .every((line) => /^(npx payments cluster status|curl) /.test(line))

/** Where a machine is busy or away an answer may be no JSON yet. */
const unlike = (shown: Block, printed: string): string | null => {
  try {
    return difference(shown, printed)
  } catch {
    return `printed: ${printed}`
  }
}
