import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * The pages of an LMDB data file, read one by one with ordinary reads: LMDB maps the file and trusts it, so that a
 * wrong page number or length ends the process by a signal. These functions check each page before they use it,
 * and `DamagedPage` says what is wrong.
 *
 * The format is data version 2 of liblmdb as lmdb-js builds it (`MDB_page_header`, `MDB_node`, `MDB_meta`,
 * `MDB_db`). All numbers are little-endian.
 */
export type Pages = {
  readonly pageSize: number
  readonly fileBytes: () => number
  /** The state of the file at its newest commit. */
  readonly meta: () => Meta
  /** A branch or leaf of a tree, read into these bytes, where they are given, which the next page takes. */
  readonly page: (at: number, isBranch: boolean, into?: Buffer) => TreePage
  /** Throws when these pages do not hold one value. */
  readonly requireRun: (run: PageRun) => void
  readonly valueIn: (node: LeafNode) => Buffer
  readonly close: () => void
}

/** Bytes of a data file are not what LMDB writes. */
export class DamagedPage extends Error {
  /** The page; null where no single one is damaged. */
  readonly page: number | null

  constructor(damage: string, page: number | null = null) {
    super(damage)
    this.page = page
  }
}

/** Throws `DamagedPage` without a page number unless the condition holds. */
export const require = (isSound: boolean, damage: string): void => {
  if (!isSound) throw new DamagedPage(damage)
}

/** A B+ tree (`MDB_db`): the list of free pages, the main database, or a named one. */
export type Tree = {
  readonly depth: number
  readonly branches: number
  readonly leaves: number
  readonly overflows: number
  readonly entries: number
  readonly root: bigint
}

export type Meta = {
  readonly transaction: number
  readonly lastPage: number
  readonly free: Tree
  readonly main: Tree
  /** Whether lmdb-js also records the newest flushed commit, in the middle of the first page. */
  readonly hasFlushed: boolean
}

export type TreePage = {
  readonly at: number
  /** The number of nodes. */
  readonly count: number
  readonly bytes: Buffer
  /** The offset behind which all nodes lie. */
  readonly lowest: number
}

export type LeafNode = {
  readonly key: Buffer
  /** The bytes in the leaf: the value, or the place of its pages. */
  readonly value: Buffer
  readonly isTree: boolean
  /** A long value's pages; null where it lies within the leaf. */
  readonly run: PageRun | null
}

/** Successive pages with one long value. */
export type PageRun = { readonly first: bigint; readonly count: number; readonly bytes: number }

const pageHeadBytes = 24
const nodeHeadBytes = 8
const metaBytes = 144
const treeBytes = 48
const metaMagic = 0xbeefc0de
const dataVersion = 2
const noPage = 2n ** 64n - 1n
const pageFlag = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const
const nodeFlag = { big: 1, tree: 2 } as const
/** `MDB_OVERLAPPINGSYNC`, as lmdb-js marks commits that are flushed later. */
const flushedLater = 0x1000
/** No tree of fewer than 2^32 pages is deeper. */
const depthMax = 32

/** Opens a data file for reading. Throws `DamagedPage` when it does not begin as one; errors of the file system pass. */
export const openPagedFile = (file: string): Pages => {
  const fd = openSync(file, 'r')
  const read = (position: number, length: number, into?: Buffer): Buffer => {
    const bytes = into ?? Buffer.allocUnsafe(length)
    try {
      const taken = readSync(fd, bytes, 0, length, position)
      return taken === bytes.length ? bytes : bytes.subarray(0, taken)
    } catch (error) {
      // A sector that the disk cannot read is a damage, too.
      throw new DamagedPage(`it cannot be read at byte ${position}: ${(error as Error).message}`)
    }
  }
  try {
    const start = read(0, pageHeadBytes + metaBytes)
    require(start.length === pageHeadBytes + metaBytes, 'it is shorter than a page')
    const pageSize = start.readUInt32LE(pageHeadBytes + 24)
    require([4096, 8192, 16_384, 32_768, 65_536].includes(pageSize), 'its first page is damaged')
    return pagesOf(
      read,
      pageSize,
      () => fstatSync(fd).size,
      () => closeSync(fd),
    )
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

const pagesOf = (
  read: (position: number, length: number, into?: Buffer) => Buffer,
  pageSize: number,
  fileBytes: () => number,
  close: () => void,
): Pages => {
  const meta = (): Meta => {
    for (let tries = 1; ; tries++) {
      try {
        return newestMeta()
      } catch (error) {
        // A writer may have been replacing the meta page.
        if (tries === 3) throw error
      }
    }
  }

  /** The beginning of the file as two reads in a row have it: one alone may see half of a write. */
  const settledRead = (length: number): Buffer => {
    let before = read(0, length)
    for (let tries = 0; tries < 10; tries++) {
      const bytes = read(0, length)
      if (bytes.equals(before)) break
      before = bytes
    }
    return before
  }

  const newestMeta = (): Meta => {
    const bytes = settledRead(2 * pageSize)
    require(bytes.length === 2 * pageSize, 'it is shorter than its first pages')
    const [a, b] = [0, 1].map((page) => metaOf(bytes.subarray(page * pageSize), page, pageSize)) as [
      Meta,
      Meta,
    ]
    // Commits write the two meta pages in turns.
    require(Math.abs(a.transaction - b.transaction) <=
      1, 'its first two pages are not of two commits in a row')
    const newest = a.transaction > b.transaction ? a : b
    if (newest.hasFlushed) requireFlushed(bytes.subarray(pageSize >> 1), newest)
    return newest
  }

  const page = (at: number, isBranch: boolean, into?: Buffer): TreePage => {
    const bytes = read(at * pageSize, pageSize, into)
    require(bytes.length === pageSize, shorter)
    const lower = bytes.readUInt16LE(20)
    const upper = bytes.readUInt16LE(22)
    const isSound =
      uint64At(bytes, 0) === at &&
      bytes.readUInt16LE(18) === (isBranch ? pageFlag.branch : pageFlag.leaf) &&
      lower % 2 === 0 &&
      lower <= upper &&
      pageHeadBytes + upper <= pageSize &&
      lower / 2 >= (isBranch ? 2 : 1)
    if (!isSound) throw damagedPage(at)
    return { at, count: lower / 2, bytes, lowest: pageHeadBytes + upper }
  }

  const requireRun = ({ first, count }: PageRun): void => {
    const head = read(Number(first) * pageSize, pageHeadBytes)
    require(head.length === pageHeadBytes, shorter)
    const isSound =
      uint64At(head, 0) === Number(first) &&
      head.readUInt16LE(18) === pageFlag.overflow &&
      head.readUInt32LE(20) === count
    if (!isSound) throw damagedPage(Number(first))
  }

  const valueIn = ({ value, run }: LeafNode): Buffer => {
    if (run === null) return value
    // Otherwise a damaged length would allocate more memory than the file has bytes.
    require((Number(run.first) + run.count) * pageSize <= fileBytes(), shorter)
    requireRun(run)
    return read(Number(run.first) * pageSize + pageHeadBytes, run.bytes)
  }

  return { pageSize, fileBytes, meta, page, requireRun, valueIn, close }
}

const shorter = 'it is shorter than it was'

/** The error for a page. */
export const damagedPage = (page: number): DamagedPage => new DamagedPage(`its page ${page} is damaged`, page)

const metaOf = (bytes: Buffer, page: number, pageSize: number): Meta => {
  const at = pageHeadBytes
  const lastPage = uint64At(bytes, at + 120)
  const transaction = uint64At(bytes, at + 128)
  const mapBytes = uint64At(bytes, at + 16)
  const isSound =
    uint64At(bytes, 0) === page &&
    bytes.readUInt16LE(18) === pageFlag.meta &&
    bytes.readUInt32LE(at) === metaMagic &&
    bytes.readUInt32LE(at + 4) === dataVersion &&
    uint64At(bytes, at + 8) === 0 &&
    bytes.readUInt32LE(at + 24) === pageSize &&
    lastPage >= 1 &&
    mapBytes >= (lastPage + 1) * pageSize &&
    mapBytes < 2 ** 46 &&
    (transaction <= 1 || transaction % 2 === page)
  if (!isSound) throw damagedPage(page)
  const hasFlushed = (bytes.readUInt16LE(at + 28) & flushedLater) !== 0
  return { transaction, lastPage, free: treeAt(bytes, at + 24), main: treeAt(bytes, at + 72), hasFlushed }
}

/** Checks the flushed commit to which LMDB returns after a power cut: the newest of all, or an earlier one. */
const requireFlushed = (half: Buffer, newest: Meta): void => {
  const at = pageHeadBytes
  const transaction = uint64At(half, at + 128)
  const isNewest =
    uint64At(half, at + 120) === newest.lastPage &&
    isSame(treeAt(half, at + 24), newest.free) &&
    isSame(treeAt(half, at + 72), newest.main)
  if (transaction > newest.transaction || (transaction === newest.transaction && !isNewest))
    throw damagedPage(0)
}

const isSame = (a: Tree, b: Tree): boolean =>
  Object.entries(a).every(([name, value]) => b[name as keyof Tree] === value)

/** The tree that a value of the main database describes, or a meta page. */
export const treeAt = (bytes: Buffer, at = 0): Tree => {
  const tree = {
    depth: bytes.readUInt16LE(at + 6),
    branches: uint64At(bytes, at + 8),
    leaves: uint64At(bytes, at + 16),
    overflows: uint64At(bytes, at + 24),
    entries: uint64At(bytes, at + 32),
    root: bytes.readBigUInt64LE(at + 40),
  }
  return tree
}

/** The root page of a tree; null for a tree without entries. */
export const rootOf = ({ root, depth }: Tree): bigint | null => {
  if (root === noPage) require(depth === 0, damagedDepth)
  else require(depth >= 1 && depth <= depthMax, damagedDepth)
  return root === noPage ? null : root
}

const damagedDepth = 'a tree has another depth'

/** A branch node's key and child page (48 bits). The first node covers all smaller keys; its own means nothing. */
export const branchNode = (page: TreePage, n: number): { readonly key: Buffer; readonly child: bigint } => {
  const { key, at } = nodeOf(page, n)
  const { bytes } = page
  return { key, child: BigInt(bytes.readUInt32LE(at)) + (BigInt(bytes.readUInt16LE(at + 4)) << 32n) }
}

/** A node of a leaf: an entry. */
export const leafNode = (page: TreePage, n: number): LeafNode => {
  const { key, at, valueAt } = nodeOf(page, n)
  const { bytes } = page
  const size = bytes.readUInt32LE(at)
  const flags = bytes.readUInt16LE(at + 4)
  const isBig = flags === nodeFlag.big
  const isTree = flags === nodeFlag.tree
  const end = valueAt + (isBig ? runBytes : size)
  const isSound = end <= bytes.length && (isBig || (isTree ? size === treeBytes : flags === 0))
  if (!isSound) throw damagedPage(page.at)
  const value = bytes.subarray(valueAt, end)
  if (!isBig) return { key, value, isTree, run: null }
  const count = Math.floor((pageHeadBytes - 1 + size) / bytes.length) + 1
  if (uint64At(value, 16) !== count) throw damagedPage(page.at)
  return { key, value, isTree, run: { first: value.readBigUInt64LE(), count, bytes: size } }
}

/** A leaf's reference to a long value: the first page at byte 0, the number of pages at byte 16. */
const runBytes = 24

const nodeOf = (
  { at: page, bytes, lowest }: TreePage,
  n: number,
): { readonly key: Buffer; readonly at: number; readonly valueAt: number } => {
  const at = pageHeadBytes + bytes.readUInt16LE(pageHeadBytes + 2 * n)
  if (at < lowest || at + nodeHeadBytes > bytes.length) throw damagedPage(page)
  const valueAt = at + nodeHeadBytes + bytes.readUInt16LE(at + 6)
  if (valueAt > bytes.length) throw damagedPage(page)
  return { key: bytes.subarray(at + nodeHeadBytes, valueAt), at, valueAt }
}

/** An unsigned 64-bit number; inexact beyond 2^53, which no count or page number reaches. */
export const uint64At = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at))
