import {
  branchNode,
  DamagedPage,
  damagedPage,
  type LeafNode,
  leafNode,
  type Meta,
  openPagedFile,
  type PageRun,
  type Pages,
  require,
  rootOf,
  type Tree,
  treeAt,
  uint64At,
} from './data-file/pages.ts'
import { rangesOf } from './data-file/ranges.ts'

/**
 * The first damage in the structure of an LMDB data file; null if there is none. LMDB must not map a damaged file:
 * a wrong page number or length ends the process by a signal, and a wrong list of free pages lets the next commit
 * overwrite live data. The values are not interpreted; `readsRuns` says whether the heads of those with pages of their own are read.
 */
export const damageOf = (file: string, readsRuns = true): string | null =>
  damagesOf(file, undefined, readsRuns)[0] ?? null

/**
 * All damages of an LMDB data file, in words. Pages below a damaged page cannot be checked. `onPage` receives the
 * progress: pages checked, of all pages.
 */
export const damagesOf = (
  file: string,
  onPage: (done: number, of: number) => void = () => undefined,
  readsRuns = true,
): readonly string[] => {
  const found = newFindings()
  found.within(() => {
    const pages = openPagedFile(file)
    try {
      found.within(() => checkFile(pages, pages.meta(), found, onPage, readsRuns))
    } finally {
      pages.close()
    }
  })
  return found.all()
}

/** Collects damages: those of pages by number, the others in words. */
const newFindings = () => {
  const pages: number[] = []
  const others = new Set<string>()
  return {
    /** Runs work that stops at its first damage, and records it. Returns whether there was none. */
    within: (work: () => void): boolean => {
      try {
        work()
        return true
      } catch (error) {
        if (!(error instanceof DamagedPage)) throw error
        if (error.page === null) others.add(error.message)
        else pages.push(error.page)
        return false
      }
    },
    all: (): readonly string[] => [
      ...rangesOf(pages).map(([first, last]) =>
        first === last ? damagedPage(first).message : `its pages ${first} to ${last} are damaged`,
      ),
      ...others,
    ],
  }
}

type Findings = ReturnType<typeof newFindings>
type Compare = (a: Buffer, b: Buffer) => number

const checkFile = (
  pages: Pages,
  { lastPage, free, main }: Meta,
  found: Findings,
  onPage: (done: number, of: number) => void,
  readsRuns: boolean,
): void => {
  const { pageSize } = pages
  const bytes = pages.fileBytes()
  /** Whether each page of the file belongs to a tree. */
  const isUsed = new Uint8Array(Math.min(lastPage, Math.floor(bytes / pageSize)) + 1)
  let taken = 0

  /** Marks pages as used, each once. Returns the number of the first. */
  const take = (page: bigint, count: number): number => {
    require(page >= 2n && page + BigInt(count) - 1n <= BigInt(lastPage), 'it refers to a page outside of it')
    const first = Number(page)
    require((first + count) * pageSize <= bytes, 'it is shorter than it was')
    for (let each = first; each < first + count; each++) {
      require(isUsed[each] === 0, `its page ${each} is referred to twice`)
      isUsed[each] = 1
    }
    taken += count
    onPage(taken, lastPage)
    return first
  }

  /** Checks every page of a tree, and passes each value that lies within a leaf to `onNode`. */
  const walk = (tree: Tree, compare: Compare, onNode: (node: LeafNode) => void): void => {
    const counts = { branches: 0, leaves: 0, overflows: 0, entries: 0 }
    let isSound = true
    let greatest: Buffer | null = null
    /** One leaf after the other: a large file has half a million. */
    const leaf = Buffer.allocUnsafe(pageSize)

    /** Requires ascending keys across branches and leaves: otherwise a lookup misses an existing entry. */
    const ascend = (key: Buffer, page: number): void => {
      const isAscending = greatest === null || compare(greatest, key) <= 0
      greatest = key
      if (!isAscending) throw damagedPage(page)
    }

    const attempt = (work: () => void): void => {
      isSound = found.within(work) && isSound
    }

    const visit = (position: bigint, depth: number): void => {
      const at = take(position, 1)
      const isBranch = depth > 1
      const page = pages.page(at, isBranch, isBranch ? undefined : leaf)
      counts[isBranch ? 'branches' : 'leaves'] += 1
      const visitNode = (n: number): void => {
        if (isBranch) {
          const { key, child } = branchNode(page, n)
          if (n > 0) ascend(key, at)
          visit(child, depth - 1)
          return
        }
        const node = leafNode(page, n)
        ascend(node.key, at)
        counts.entries += 1
        if (node.run === null) onNode(node)
        else takeRun(node.run)
      }
      // A damage ends an attempt; the next attempt continues behind it.
      for (let n = 0; n < page.count; ) {
        attempt(() => {
          while (n < page.count) visitNode(n++)
        })
      }
      // The next leaf takes the bytes of this one.
      if (!isBranch && greatest !== null) greatest = Buffer.from(greatest)
    }

    const takeRun = (run: PageRun): void => {
      take(run.first, run.count)
      counts.overflows += run.count
      if (readsRuns) pages.requireRun(run)
    }

    attempt(() => {
      const root = rootOf(tree)
      if (root !== null) visit(root, tree.depth)
    })
    if (!isSound) return
    for (const [name, count] of Object.entries(counts))
      found.within(() =>
        require(tree[name as keyof typeof counts] === count, `it does not have the ${name} that it counts`),
      )
  }

  walk(main, compareBytes, ({ value, isTree }) => {
    if (isTree) walk(treeAt(value), compareBytes, () => undefined)
  })
  const freed: Buffer[] = []
  walk(free, compareNumbers, ({ value }) => void freed.push(Buffer.from(value)))
  found.within(() => {
    for (const list of freed) {
      for (const [page, length] of freeBlocks(list)) {
        require(page >= 2n && page + length - 1n <= BigInt(lastPage), damagedFreeList)
        const end = Math.min(Number(page + length), isUsed.length)
        for (let each = Number(page); each < end; each++) require(isUsed[each] === 0, damagedFreeList)
      }
    }
  })
}

const damagedFreeList = 'its list of free pages is damaged'

/** The blocks of a list of free pages: a count, then pages; a block of several follows its negative length. */
function* freeBlocks(list: Buffer): Generator<readonly [page: bigint, length: bigint]> {
  require(list.length >= 8 && list.length % 8 === 0, damagedFreeList)
  const count = uint64At(list, 0)
  require(8 * (count + 1) <= list.length, damagedFreeList)
  for (let n = 1; n <= count; n++) {
    const page = list.readBigInt64LE(8 * n)
    if (page > 0n) yield [page, 1n]
    if (page >= 0n) continue
    n += 1
    require(n <= count, damagedFreeList)
    yield [list.readBigInt64LE(8 * n), -page]
  }
}

const compareBytes: Compare = (a, b) => a.compare(b)
const compareNumbers: Compare = (a, b) =>
  a.length === 8 && b.length === 8 ? Number(a.readBigUInt64LE() - b.readBigUInt64LE()) : 1
