import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DamagedPage, openPagedFile } from './data-file/pages.ts'

/**
 * Beside the data file of an environment that was closed in order lies a mark with the last transaction in it. A start that finds it need
 * not read the head of every value: nothing was written since, and the writes before it were flushed. After a crash the
 * mark is another transaction's, or missing.
 */
export const markClosed = (path: string): void => {
  const transaction = transactionIn(path)
  if (transaction === null) return
  try {
    writeFileSync(markOf(path), String(transaction))
  } catch {
    // On a disk that is full or read-only the next start reads more.
  }
}

/** Whether an environment was closed in order and has not been written since. */
export const wasClosed = (path: string): boolean => {
  const mark = markOf(path)
  return existsSync(mark) && readFileSync(mark, 'utf8') === String(transactionIn(path))
}

const markOf = (path: string): string => join(path, 'closed')

/** The newest transaction of a data file; null where there is none, or its first pages are damaged. */
const transactionIn = (path: string): number | null => {
  const file = join(path, 'data.mdb')
  if (!existsSync(file)) return null
  try {
    const pages = openPagedFile(file)
    try {
      return pages.meta().transaction
    } finally {
      pages.close()
    }
  } catch (error) {
    if (error instanceof DamagedPage) return null
    throw error
  }
}
