import * as lmdb from 'lmdb'
import { firstWhere } from '../../base/bisect.ts'
import {
  branchNode,
  DamagedPage,
  type LeafNode,
  leafNode,
  openPagedFile,
  type Pages,
  rootOf,
  type Tree,
  type TreePage,
  treeAt,
} from './pages.ts'

/** Functions that lmdb exports and its types omit: they convert keys to the bytes that LMDB compares, and back. */
const { keyValueToBuffer, bufferToKeyValue } = lmdb as unknown as {
  readonly keyValueToBuffer: (key: string | number) => Buffer
  readonly bufferToKeyValue: (bytes: Buffer) => unknown
}

export type ReaderShelf = {
  /** Undefined when there is no readable value. */
  readonly get: (key: string | number) => Buffer | undefined
  /** The readable entries in order, from `start` on. */
  readonly entries: (start?: number) => Iterable<ReaderEntry>
  /** The last readable entry at or before a key. */
  readonly before: (key: number) => ReaderEntry | undefined
}

/** The key is null when it is not one that lmdb-js writes. */
export type ReaderEntry = { readonly key: string | number | null; readonly value: Buffer }

/**
 * Opens an LMDB data file without LMDB: nothing is mapped, locked or written, and damaged pages are skipped. The
 * reader sees one commit, which is whole as long as nothing is written, or a read transaction keeps its pages.
 * Throws `DamagedPage` when the file does not begin as an LMDB data file.
 */
export const openFileReader = (file: string) => {
  const pages = openPagedFile(file)
  let main: Tree = emptyTree
  /** Moves on to the newest commit. Throws `DamagedPage`. */
  const refresh = (): void => {
    main = pages.meta().main
  }
  const treeOf = (name: string): Tree => {
    // LMDB stores names as C does.
    const node = find(pages, main, Buffer.from(`${name}\0`))
    return node?.isTree ? treeAt(node.value) : emptyTree
  }
  /** A database by name, or the main one without a name; empty when it is missing or unreadable. */
  const shelf = (name?: string): ReaderShelf => {
    let read: { readonly main: Tree; readonly tree: Tree } | null = null
    const tree = (): Tree => {
      if (read?.main !== main) read = { main, tree: name === undefined ? main : treeOf(name) }
      return read.tree
    }
    return {
      get: (key) => {
        const node = find(pages, tree(), keyValueToBuffer(key))
        return node && valueIn(pages, node)
      },
      entries: (start) => entries(pages, tree(), start === undefined ? null : keyValueToBuffer(start)),
      before: (key) => before(pages, tree(), keyValueToBuffer(key)),
    }
  }
  try {
    refresh()
  } catch (error) {
    pages.close()
    throw error
  }
  return { refresh, shelf, close: pages.close }
}

const emptyTree: Tree = { depth: 0, branches: 0, leaves: 0, overflows: 0, entries: 0, root: 2n ** 64n - 1n }

const find = (pages: Pages, tree: Tree, key: Buffer): LeafNode | undefined =>
  readable(() => {
    let at = rootOf(tree)
    if (at === null) return undefined
    for (let { depth } = tree; depth > 1; depth--) {
      const page = pages.page(Number(at), true)
      at = branchNode(page, childFor(page, key)).child
    }
    const page = pages.page(Number(at), false)
    const n = firstFrom(page, key)
    const node = n < page.count ? leafNode(page, n) : undefined
    return node?.key.equals(key) ? node : undefined
  })

function* entries(pages: Pages, tree: Tree, start: Buffer | null): Generator<ReaderEntry> {
  /** No page is read twice: a damaged one may refer to those above it. */
  const seen = new Set<number>()

  function* visit(at: number, depth: number, from: Buffer | null): Generator<ReaderEntry> {
    if (seen.has(at)) return
    seen.add(at)
    const isBranch = depth > 1
    const page = readable(() => pages.page(at, isBranch))
    if (page === undefined) return
    const first = from === null ? 0 : (readable(() => (isBranch ? childFor : firstFrom)(page, from)) ?? 0)
    for (let n = first; n < page.count; n++) {
      if (isBranch) {
        const node = readable(() => branchNode(page, n))
        if (node !== undefined) yield* visit(Number(node.child), depth - 1, n === first ? from : null)
        continue
      }
      const entry = readable(() => entryOf(pages, leafNode(page, n)))
      if (entry !== undefined) yield entry
    }
  }

  const root = readable(() => rootOf(tree)) ?? null
  if (root !== null) yield* visit(Number(root), tree.depth, start)
}

const before = (pages: Pages, tree: Tree, key: Buffer): ReaderEntry | undefined => {
  const visit = (at: number, depth: number): ReaderEntry | undefined => {
    const isBranch = depth > 1
    const page = readable(() => pages.page(at, isBranch))
    if (page === undefined) return undefined
    const last =
      readable(() => (isBranch ? childFor(page, key) : firstAfter(page, key) - 1)) ?? page.count - 1
    for (let n = last; n >= 0; n--) {
      const found = readable(() =>
        isBranch ? visit(Number(branchNode(page, n).child), depth - 1) : entryOf(pages, leafNode(page, n)),
      )
      if (found !== undefined) return found
    }
    return undefined
  }
  const root = readable(() => rootOf(tree)) ?? null
  return root === null ? undefined : visit(Number(root), tree.depth)
}

/** The result of `work`; undefined when a damaged page stops it. */
const readable = <Value>(work: () => Value): Value | undefined => {
  try {
    return work()
  } catch (error) {
    if (error instanceof DamagedPage) return undefined
    throw error
  }
}

const entryOf = (pages: Pages, node: LeafNode): ReaderEntry => ({
  key: keyOf(node.key),
  value: pages.valueIn(node),
})

const valueIn = (pages: Pages, node: LeafNode): Buffer | undefined => readable(() => pages.valueIn(node))

const keyOf = (bytes: Buffer): string | number | null => {
  try {
    const key = bufferToKeyValue(bytes)
    return typeof key === 'string' || typeof key === 'number' ? key : null
  } catch {
    return null
  }
}

/** The number of the branch node whose subtree covers a key. */
const childFor = (page: TreePage, key: Buffer): number =>
  firstWhere(1, page.count, (n) => branchNode(page, n).key.compare(key) > 0) - 1

const firstFrom = (page: TreePage, key: Buffer): number =>
  firstWhere(0, page.count, (n) => leafNode(page, n).key.compare(key) >= 0)

const firstAfter = (page: TreePage, key: Buffer): number =>
  firstWhere(0, page.count, (n) => leafNode(page, n).key.compare(key) > 0)
