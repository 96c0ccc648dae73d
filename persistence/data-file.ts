import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * What is wrong with the structure of an LMDB data file; null if nothing is. It is read page by page with ordinary reads: LMDB maps the
 * file and trusts it, so that a wrong page number or length ends the process by a signal, and a wrong list of free pages lets the next
 * commit overwrite live data. What the values say is not looked at.
 *
 * The format is data version 2 of liblmdb as lmdb-js builds it (`MDB_page_header`, `MDB_node`, `MDB_meta`, `MDB_db`, and its lists of
 * free blocks). All numbers are little-endian.
 */
export const damageOf = (file: string): string | null => {
  const fd = openSync(file, 'r')
  const read = (position: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length)
    return bytes.subarray(0, readSync(fd, bytes, 0, length, position))
  }
  try {
    checkFile(read, fstatSync(fd).size)
    return null
  } catch (error) {
    if (error instanceof Damage) return error.message
    throw error
  } finally {
    closeSync(fd)
  }
}

type Read = (position: number, length: number) => Buffer

const Damage = class extends Error {}

const require = (isSound: boolean, damage: string): void => {
  if (!isSound) throw new Damage(damage)
}

const pageHeadBytes = 24
const nodeHeadBytes = 8
const metaBytes = 144
const treeBytes = 48
const metaMagic = 0xbeefc0de
const dataVersion = 2
const noPage = 2n ** 64n - 1n
const pageFlag = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const
const nodeFlag = { big: 1, tree: 2 } as const
/** No tree of fewer than 2^32 pages is deeper. */
const depthMax = 32

/** A B+ tree (`MDB_db`): the list of free pages, the main database, or a named one. */
type Tree = {
  readonly depth: number
  readonly branches: number
  readonly leaves: number
  readonly overflows: number
  readonly entries: number
  readonly root: bigint
}

type Meta = {
  readonly transaction: number
  readonly lastPage: number
  readonly free: Tree
  readonly main: Tree
}

type Compare = (a: Buffer, b: Buffer) => number

const checkFile = (read: Read, bytes: number): void => {
  const start = read(0, pageHeadBytes + metaBytes)
  require(start.length === pageHeadBytes + metaBytes, 'it is shorter than a page')
  const pageSize = start.readUInt32LE(pageHeadBytes + 24)
  require([4096, 8192, 16_384, 32_768, 65_536].includes(pageSize), 'its first page is damaged')
  require(bytes >= 2 * pageSize, 'it is shorter than its first pages')
  const metas = [0, 1].map((page) => metaOf(read(page * pageSize, pageSize), page, pageSize))
  const [a, b] = metas as [Meta, Meta]
  // They are written in turns, one by each commit.
  require(Math.abs(a.transaction - b.transaction) <= 1, 'its first two pages are not of two commits in a row')
  const { lastPage, free, main } = a.transaction > b.transaction ? a : b
  /** Whether each page belongs to a tree. */
  const isUsed = new Uint8Array(lastPage + 1)

  /** Marks pages as used, each once. Returns the number of the first. */
  const take = (page: bigint, count: number): number => {
    require(page >= 2n && page + BigInt(count) - 1n <= BigInt(lastPage), 'it refers to a page outside of it')
    const first = Number(page)
    require((first + count) * pageSize <= bytes, 'it is shorter than it was')
    for (let each = first; each < first + count; each++) {
      require(isUsed[each] === 0, `its page ${each} is referred to twice`)
      isUsed[each] = 1
    }
    return first
  }

  /** Calls back with each value that lies within a leaf. */
  const walk = (tree: Tree, compare: Compare, onValue: (value: Buffer, isTree: boolean) => void): void => {
    const found = { branches: 0, leaves: 0, overflows: 0, entries: 0 }
    let greatest: Buffer | null = null

    /** Keys ascend, those of branches among those of leaves: otherwise an entry that is there is not found. */
    const ascend = (key: Buffer, damage: string): void => {
      require(greatest === null || compare(greatest, key) <= 0, damage)
      greatest = key
    }

    const visit = (page: bigint, depth: number): void => {
      const at = take(page, 1)
      const damage = `its page ${at} is damaged`
      const bytes = read(at * pageSize, pageSize)
      const lower = bytes.readUInt16LE(20)
      const upper = bytes.readUInt16LE(22)
      const isBranch = depth > 1
      require(number(bytes, 0) === at, damage)
      require(bytes.readUInt16LE(18) === (isBranch ? pageFlag.branch : pageFlag.leaf), damage)
      require(lower % 2 === 0 && lower <= upper && pageHeadBytes + upper <= pageSize, damage)
      const count = lower / 2
      require(count >= (isBranch ? 2 : 1), damage)
      found[isBranch ? 'branches' : 'leaves'] += 1
      for (let n = 0; n < count; n++) {
        const node = pageHeadBytes + bytes.readUInt16LE(pageHeadBytes + 2 * n)
        require(node >= pageHeadBytes + upper && node + nodeHeadBytes <= pageSize, damage)
        const value = node + nodeHeadBytes + bytes.readUInt16LE(node + 6)
        require(value <= pageSize, damage)
        // The first node of a branch is for everything smaller, and has no key.
        if (!isBranch || n > 0) ascend(bytes.subarray(node + nodeHeadBytes, value), damage)
        if (isBranch) visit(childOf(bytes, node), depth - 1)
        else checkValue(bytes, node, value, damage)
      }
    }

    const checkValue = (bytes: Buffer, node: number, value: number, damage: string): void => {
      const size = bytes.readUInt32LE(node)
      const flags = bytes.readUInt16LE(node + 4)
      found.entries += 1
      if (flags === nodeFlag.big) {
        require(value + 24 <= pageSize, damage)
        const count = Math.floor((pageHeadBytes - 1 + size) / pageSize) + 1
        require(number(bytes, value + 16) === count, damage)
        const first = take(bytes.readBigUInt64LE(value), count)
        const head = read(first * pageSize, pageHeadBytes)
        const isRun = number(head, 0) === first && head.readUInt16LE(18) === pageFlag.overflow
        require(isRun && head.readUInt32LE(20) === count, `its page ${first} is damaged`)
        found.overflows += count
        return
      }
      const isTree = flags === nodeFlag.tree
      require((isTree ? size === treeBytes : flags === 0) && value + size <= pageSize, damage)
      onValue(bytes.subarray(value, value + size), isTree)
    }

    require(tree.root === noPage
      ? tree.depth === 0
      : tree.depth >= 1 && tree.depth <= depthMax, 'a tree has another depth')
    if (tree.root !== noPage) visit(tree.root, tree.depth)
    for (const [name, count] of Object.entries(found))
      require(tree[name as keyof typeof found] === count, `it does not have the ${name} that it counts`)
  }

  walk(main, compareBytes, (value, isTree) => {
    if (isTree) walk(treeAt(value, 0), compareBytes, () => undefined)
  })
  const freed: Buffer[] = []
  walk(free, compareNumbers, (value) => void freed.push(value))
  for (const list of freed) {
    for (const [page, length] of freeBlocks(list)) {
      require(page >= 2n && page + length - 1n <= BigInt(lastPage), damagedFreeList)
      for (let each = Number(page); each < Number(page + length); each++)
        require(isUsed[each] === 0, damagedFreeList)
    }
  }
}

const metaOf = (bytes: Buffer, page: number, pageSize: number): Meta => {
  const at = pageHeadBytes
  const damage = `its page ${page} is damaged`
  const lastPage = number(bytes, at + 120)
  const transaction = number(bytes, at + 128)
  const mapBytes = number(bytes, at + 16)
  require(number(bytes, 0) === page && bytes.readUInt16LE(18) === pageFlag.meta, damage)
  require(bytes.readUInt32LE(at) === metaMagic && bytes.readUInt32LE(at + 4) === dataVersion, damage)
  require(number(bytes, at + 8) === 0 && bytes.readUInt32LE(at + 24) === pageSize, damage)
  require(lastPage >= 1 && mapBytes >= (lastPage + 1) * pageSize && mapBytes < 2 ** 46, damage)
  require(transaction <= 1 || transaction % 2 === page, damage)
  return { transaction, lastPage, free: treeAt(bytes, at + 24), main: treeAt(bytes, at + 72) }
}

const treeAt = (bytes: Buffer, at: number): Tree => ({
  depth: bytes.readUInt16LE(at + 6),
  branches: number(bytes, at + 8),
  leaves: number(bytes, at + 16),
  overflows: number(bytes, at + 24),
  entries: number(bytes, at + 32),
  root: bytes.readBigUInt64LE(at + 40),
})

/** The page below a node of a branch: 48 bits. */
const childOf = (bytes: Buffer, node: number): bigint =>
  BigInt(bytes.readUInt32LE(node)) + (BigInt(bytes.readUInt16LE(node + 4)) << 32n)

const damagedFreeList = 'its list of free pages is damaged'

/** The blocks of a list of free pages: a count, then pages, each block of several behind its negative length. */
function* freeBlocks(list: Buffer): Generator<readonly [page: bigint, length: bigint]> {
  require(list.length >= 8 && list.length % 8 === 0, damagedFreeList)
  const count = number(list, 0)
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

/** Inexact beyond 2^53, which no count or page number reaches. */
const number = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at))

const compareBytes: Compare = (a, b) => a.compare(b)
const compareNumbers: Compare = (a, b) =>
  a.length === 8 && b.length === 8 ? Number(a.readBigUInt64LE() - b.readBigUInt64LE()) : 1
