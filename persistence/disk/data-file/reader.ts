import * as lmdb from 'lmdb'
import { firstWhere } from '../../base/bisect.ts'
import {
  branchNode,
  DamagedPage,
  damagedPage,
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
  readonly entries: (start?: string | number) => Iterable<ReaderEntry>
  /** The last readable entry at or before a key. */
  readonly before: (key: number) => ReaderEntry | undefined
  /** The number of entries, and the bytes of its pages, as its tree counts them. */
  readonly size: () => { readonly entries: number; readonly bytes: number }
}

/** The key is null when it is not one that lmdb-js writes. */
export type ReaderEntry = { readonly key: string | number | null; readonly value: Buffer }

/** What becomes of damaged pages: whatever is not below them is read, or the first one throws `DamagedPage`. */
export type OnDamage = 'SKIP' | 'THROW'

/**
 * Opens an LMDB data file without LMDB: nothing is mapped, locked or written. The reader sees one commit, which is whole as long as
 * nothing is written, or a read transaction keeps its pages. Throws `DamagedPage` when the file does not begin as an LMDB data file.
 */
export const openFileReader = (file: string, onDamage: OnDamage = 'SKIP') => {
  const pages = openPagedFile(file)
  const readable = onDamage === 'SKIP' ? orSkip : orThrow
  const { find, entries, before, valueIn } = readsOf(pages, readable, onDamage === 'THROW')
  let main: Tree = emptyTree
  let transaction = 0
  /** Moves on to the newest commit. Throws `DamagedPage`. */
  const refresh = (): void => {
    const meta = pages.meta()
    main = meta.main
    transaction = meta.transaction
  }
  /**
   * Whether the pages of its commit are all there still: a commit overwrites no page of the one before it, to which LMDB returns after a
   * power cut.
   */
  const isCurrent = (): boolean => pages.meta().transaction <= transaction + 1
  const treeOf = (name: string): Tree => {
    // LMDB stores names as C does.
    const node = find(main, Buffer.from(`${name}\0`))
    if (node?.isTree === false && onDamage === 'THROW') throw new DamagedPage(`its ${name} is no database`)
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
        const node = find(tree(), keyValueToBuffer(key))
        return node && valueIn(node)
      },
      entries: (start) => entries(tree(), start === undefined ? null : keyValueToBuffer(start)),
      before: (key) => before(tree(), keyValueToBuffer(key)),
      size: () => {
        const { branches, leaves, overflows, entries } = tree()
        return { entries, bytes: (branches + leaves + overflows) * pages.pageSize }
      },
    }
  }
  try {
    refresh()
  } catch (error) {
    pages.close()
    throw error
  }
  return { refresh, isCurrent, shelf, close: pages.close }
}

const emptyTree: Tree = { depth: 0, branches: 0, leaves: 0, overflows: 0, entries: 0, root: 2n ** 64n - 1n }

/** Does work; what becomes of a damaged page in it is decided here. */
type Readable = <Value>(work: () => Value) => Value | undefined

/** Undefined where a damaged page stops the work. */
const orSkip: Readable = (work) => {
  try {
    return work()
  } catch (error) {
    if (error instanceof DamagedPage) return undefined
    throw error
  }
}

const orThrow: Readable = (work) => work()

const readsOf = (pages: Pages, readable: Readable, isStrict: boolean) => {
  const find = (tree: Tree, key: Buffer): LeafNode | undefined =>
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

  function* entries(tree: Tree, start: Buffer | null): Generator<ReaderEntry> {
    /** No page is read twice: a damaged one may refer to those above it. */
    const seen = new Set<number>()

    function* visit(at: number, depth: number, from: Buffer | null): Generator<ReaderEntry> {
      if (seen.has(at) && isStrict) throw damagedPage(at)
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
        if (entry?.key === null && isStrict) throw damagedPage(at)
        if (entry !== undefined) yield entry
      }
    }

    const root = readable(() => rootOf(tree)) ?? null
    if (root !== null) yield* visit(Number(root), tree.depth, start)
  }

  const before = (tree: Tree, key: Buffer): ReaderEntry | undefined => {
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

  const valueIn = (node: LeafNode): Buffer | undefined => readable(() => pages.valueIn(node))

  return { find, entries, before, valueIn }
}

const entryOf = (pages: Pages, node: LeafNode): ReaderEntry => ({
  key: keyOf(node.key),
  value: pages.valueIn(node),
})

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
