import { firstWrittenVersion } from '../../engine/companies/directory.ts'
import { UpgradeUnfinished } from '../../engine/kernel/unavailable.ts'
import { assert } from '../../engine/shared/assert.ts'
import {
  keyNumberOf,
  openPart,
  type PersonalKey,
  sealedBytesOf,
  sealPart,
  startOfPart,
} from './sealed-part.ts'

/**
 * How values become bytes, field by field. Texts are gathered into one string that is encoded at once, which makes it
 * fast; everything else is numbers next to it. A layout defines what stored bytes mean: fields are in the order listed,
 * words and kinds are stored as tags. Later fields are added with `since`, and later kinds and words with their
 * version, so that bytes of every version stay readable, and an earlier version can be written for nodes that read no
 * other.
 */
export type Layout<Value> = {
  readonly write: (value: Value) => void
  readonly read: () => Value
}

/**
 * The version byte of stored data: the newest version that introduced a field (`since`). The number is repeated
 * here because threads and commands load different layouts, and read what each other wrote.
 */
export let codecVersion = 14

/** The version byte of what has no fields: texts, JSON and MessagePack, whose form has not changed since. */
export const plainVersion = 13

/**
 * A value as bytes: the lengths of its numbers and texts, then both, then its blobs, then what is sealed of it. An
 * earlier version leaves out what came later, and throws `UpgradeUnfinished` where that cannot be left out.
 */
export const encode = <Value>(layout: Layout<Value>, value: Value, version = codecVersion): Buffer =>
  Buffer.from(encodeAll(layout, [value], version).bytes)

/** Values as bytes, one after the other, with the end of each. The bytes are valid until the next call. */
export const encodeAll = <Value>(
  layout: Layout<Value>,
  values: readonly Value[],
  version = codecVersion,
): { readonly bytes: Buffer; readonly ends: readonly number[] } => {
  targetVersion = version
  let end = 0
  const ends = values.map((value) => {
    end = encodeAt(end, layout, value)
    return end
  })
  return { bytes: encoded.subarray(0, end), ends }
}

/** Encodes a value behind those before it; returns where it ends. */
const encodeAt = <Value>(start: number, layout: Layout<Value>, value: Value): number => {
  valueNumber += 1
  numbersAt = 0
  texts = ''
  blobs = []
  sealingKey = null
  layout.write(value)
  const sealed = sealingKey === null ? null : sealPersonal(sealingKey)
  const utf8Bytes = Buffer.byteLength(texts)
  const isLatin1 = utf8Bytes === texts.length || latin1Only.test(texts)
  const textBytes = isLatin1 ? texts.length : utf8Bytes
  const blobBytes = blobs.reduce((sum, { length }) => sum + length, 0)
  let end = start + headBytes + numbersAt
  const ends = end + textBytes + blobBytes + (sealed === null ? 0 : sealed.length)
  if (ends > encoded.length) growEncoded(ends)
  encoded.writeUInt32LE(numbersAt, start)
  encoded.writeUInt32LE(packedLengths(textBytes, isLatin1, sealed !== null), start + 4)
  numbers.copy(encoded, start + headBytes, 0, numbersAt)
  end += encoded.write(texts, end, isLatin1 ? 'latin1' : 'utf8')
  for (const blob of blobs) {
    encoded.set(blob, end)
    end += blob.length
  }
  if (sealed !== null) encoded.set(sealed, end)
  return ends
}

/** The length of texts, whether they are Latin-1, and whether something behind them is sealed, in 32 bits. */
const packedLengths = (textBytes: number, isLatin1: boolean, isSealed: boolean): number => {
  assert(textBytes < sealedFlag / 2, 'the texts of a value have a length that can be stored')
  return textBytes * 2 + (isLatin1 ? 1 : 0) + (isSealed ? sealedFlag : 0)
}

const growEncoded = (bytes: number): void => {
  const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * encoded.length))
  encoded.copy(larger)
  encoded = larger
}

/** The value in the bytes from `start` to `end`, as written under that version. */
export const decode = <Value>(
  layout: Layout<Value>,
  bytes: Buffer,
  version = codecVersion,
  start = 0,
  end = bytes.length,
): Value => {
  const numbersStart = start + headBytes
  assert(numbersStart <= end, 'a stored value is whole')
  const numbersEnd = numbersStart + bytes.readUInt32LE(start)
  const packed = bytes.readUInt32LE(start + 4)
  const isSealed = packed >= sealedFlag
  const lengthAndLatin1 = packed % sealedFlag
  const textsEnd = numbersEnd + (lengthAndLatin1 >>> 1)
  const plainEnd = isSealed ? startOfPart(bytes, textsEnd, end) : end
  assert(textsEnd <= plainEnd, 'a stored value is whole')
  sealedAt = isSealed ? plainEnd : 0
  sealedEnd = end
  isOpened = false
  isForgotten = false
  keyToOpen = noKey
  source = bytes
  blobSource = bytes
  sourceAt = numbersStart
  sourceVersion = version
  // Decoded UTF-8 takes two bytes a character in memory, even if each fits in one, and so does every response that
  // contains a part of it.
  texts = bytes.toString((lengthAndLatin1 & 1) === 1 ? 'latin1' : 'utf8', numbersEnd, textsEnd)
  textsAt = 0
  blobsAt = textsEnd
  const value = layout.read()
  assert(
    sourceAt === numbersEnd && textsAt === texts.length && blobsAt === plainEnd,
    'a stored value is read to its end',
  )
  assert(sealedAt === 0 || isPersonalRead(), 'what is sealed of a stored value is read to its end')
  return value
}

const headBytes = 8
/** The top bit of a value's second number. */
const sealedFlag = 2 ** 31
const latin1Only = /^[\0-\xff]*$/

// Writing and reading are synchronous, so there is only one value at a time.
let encoded = Buffer.allocUnsafeSlow(64 * 1024)
let valueNumber = 0
let targetVersion = codecVersion
let numbers = Buffer.alloc(4096)
let numbersAt = 0
let texts = ''
let textsAt = 0
let blobs: Uint8Array[] = []
let blobsAt = 0
let blobSource: Buffer = numbers
let source: Buffer = numbers
let sourceAt = 0
let sourceVersion = codecVersion

const bytesOfNumberMax = 10

/**
 * A byte below 250, or a byte naming the form and then the number: 16, 32 or 48 bits, a double, or a negative one's
 * magnitude.
 */
const writeNumber = (value: number): void => {
  if (numbersAt + bytesOfNumberMax > numbers.length) growNumbers()
  if (value >= 0 && value < wide16 && (value | 0) === value && !Object.is(value, -0)) {
    numbers[numbersAt++] = value
  } else if (Number.isSafeInteger(value) && Math.abs(value) <= integerMax && value !== 0) {
    if (value < 0) numbers[numbersAt++] = negative
    writeInteger(Math.abs(value))
  } else {
    numbers[numbersAt] = double
    numbers.writeDoubleLE(value, numbersAt + 1)
    numbersAt += 9
  }
}

const writeInteger = (value: number): void => {
  if (value < wide16) {
    numbers[numbersAt++] = value
  } else if (value <= 0xffff) {
    numbers[numbersAt] = wide16
    numbers[numbersAt + 1] = value
    numbers[numbersAt + 2] = value >>> 8
    numbersAt += 3
  } else if (value <= 0xffffffff) {
    numbers[numbersAt] = wide32
    writeUint32(value, numbersAt + 1)
    numbersAt += 5
  } else {
    numbers[numbersAt] = wide48
    writeUint32(value % 0x100000000, numbersAt + 1)
    const high = (value / 0x100000000) | 0
    numbers[numbersAt + 5] = high
    numbers[numbersAt + 6] = high >>> 8
    numbersAt += 7
  }
}

const writeUint32 = (value: number, at: number): void => {
  numbers[at] = value
  numbers[at + 1] = value >>> 8
  numbers[at + 2] = value >>> 16
  numbers[at + 3] = value >>> 24
}

const wide16 = 250
const wide32 = 251
const wide48 = 252
const double = 253
const negative = 254
const integerMax = 2 ** 48 - 1

const readNumber = (): number => {
  const first = source[sourceAt]!
  sourceAt += 1
  return first < wide16 ? first : readWide(first)
}

const readWide = (form: number): number => {
  const at = sourceAt
  switch (form) {
    case wide16:
      sourceAt = at + 2
      return source[at]! | (source[at + 1]! << 8)
    case wide32:
      sourceAt = at + 4
      return readUint32(at)
    case wide48:
      sourceAt = at + 6
      return readUint32(at) + (source[at + 4]! | (source[at + 5]! << 8)) * 0x100000000
    case double:
      sourceAt = at + 8
      return source.readDoubleLE(at)
    default:
      assert(form === negative, 'a stored number has a known form')
      return -readNumber()
  }
}

const readUint32 = (at: number): number =>
  (source[at]! | (source[at + 1]! << 8) | (source[at + 2]! << 16) | (source[at + 3]! << 24)) >>> 0

const growNumbers = (): void => {
  const larger = Buffer.alloc(2 * numbers.length)
  numbers.copy(larger)
  numbers = larger
}

const writeText = (value: string): void => {
  writeNumber(value.length)
  texts += value
}

const readText = (): string => {
  const start = textsAt
  textsAt = start + readNumber()
  return texts.slice(start, textsAt)
}

// What is personal is apart: these change places with `texts`, `blobs` and where they are read, while a part of the
// value that is personal is written or read.
let sealingKey: PersonalKey | null = null
let apartTexts = ''
let apartBlobs: Uint8Array[] = []
const noKey = (): null => null
let keyToOpen: (number: number) => Uint8Array | null = noKey
let sealedAt = 0
let sealedEnd = 0
let isOpened = false
let isForgotten = false
let apartTextsAt = 0
let apartBlobSource: Buffer = numbers
let apartBlobsAt = 0

/** Which keys seal and open what is personal. */
export type PersonalKeys<Value> = {
  /** The key to seal a value's personal texts with; null leaves them as they are. */
  readonly toSeal: (value: Value) => PersonalKey | null
  /** The key of this number; null if it was destroyed or is not at hand. Throws for a key that is not known. */
  readonly toOpen: (number: number) => Uint8Array | null
}

/** A layout of values whose personal parts are sealed and opened with keys. */
export const withPersonalKeys = <Value>(
  { write, read }: Layout<Value>,
  { toSeal, toOpen }: PersonalKeys<Value>,
): Layout<Value> => ({
  write: (value) => {
    sealingKey = toSeal(value)
    apartTexts = ''
    apartBlobs = []
    write(value)
  },
  read: () => {
    keyToOpen = toOpen
    return read()
  },
})

/**
 * A part of a value whose texts and blobs are sealed where the value has a key (`withPersonalKeys`), and which reads as
 * `forgotten` once that is destroyed. Its numbers, lengths and tags stay readable. It has no text that repeats another.
 */
export const personal = <Value>({ write, read }: Layout<Value>, forgotten: Value): Layout<Value> => ({
  write: (value) => {
    if (sealingKey === null) return write(value)
    swapWritten()
    write(value)
    swapWritten()
  },
  read: () => {
    if (sealedAt === 0) return read()
    if (!isOpened) openPersonal()
    swapRead()
    const value = read()
    swapRead()
    return isForgotten ? forgotten : value
  },
})

/**
 * Any JSON value of which a part is personal: where the value has a key, it is stored whole apart, and as `forgottenOf`
 * leaves it beside the other texts, which is what it reads as once the key is destroyed.
 */
export const personalJson = <Value>(forgottenOf: (value: Value) => Value): Layout<Value> => {
  const plain = json<Value>()
  const whole = personal<Value | null>(json(), null)
  return {
    write: (value) => {
      plain.write(sealingKey === null ? value : forgottenOf(value))
      if (sealingKey !== null) whole.write(value)
    },
    read: () => {
      const value = plain.read()
      return sealedAt === 0 ? value : (whole.read() ?? value)
    },
  }
}

const swapWritten = (): void => {
  const [otherTexts, otherBlobs] = [texts, blobs]
  texts = apartTexts
  blobs = apartBlobs
  apartTexts = otherTexts
  apartBlobs = otherBlobs
}

const swapRead = (): void => {
  const [otherTexts, otherTextsAt, otherBlobSource, otherBlobsAt] = [texts, textsAt, blobSource, blobsAt]
  texts = apartTexts
  textsAt = apartTextsAt
  blobSource = apartBlobSource
  blobsAt = apartBlobsAt
  apartTexts = otherTexts
  apartTextsAt = otherTextsAt
  apartBlobSource = otherBlobSource
  apartBlobsAt = otherBlobsAt
}

/** Seals what is apart: the length of its texts, those, and its blobs; null if there is nothing. */
const sealPersonal = (key: PersonalKey): Buffer | null => {
  const encodedTexts = Buffer.from(apartTexts)
  const head = Buffer.allocUnsafe(4)
  head.writeUInt32LE(encodedTexts.length)
  const plain = Buffer.concat([head, encodedTexts, ...apartBlobs])
  return plain.length === head.length ? null : sealPart(key, plain)
}

const openPersonal = (): void => {
  isOpened = true
  const key = keyToOpen(keyNumberOf(source, sealedAt))
  isForgotten = key === null
  apartTextsAt = 0
  if (key === null) {
    // Text of any length that is JSON, too: what is read of it is dropped.
    const bytes = sealedBytesOf(sealedAt, sealedEnd)
    apartTexts = '1'.repeat(bytes)
    apartBlobSource = Buffer.alloc(bytes)
    apartBlobsAt = 0
  } else {
    apartBlobSource = openPart(source, sealedAt, sealedEnd, key)
    apartBlobsAt = 4 + apartBlobSource.readUInt32LE(0)
    apartTexts = apartBlobSource.toString('utf8', 4, apartBlobsAt)
  }
}

const isPersonalRead = (): boolean =>
  isForgotten || (isOpened && apartTextsAt === apartTexts.length && apartBlobsAt === apartBlobSource.length)

/** Any finite number. */
export const number = <Value extends number>(): Layout<Value> =>
  ({ write: writeNumber, read: readNumber }) as unknown as Layout<Value>

/** Any well-formed text. */
export const text = <Value extends string>(): Layout<Value> =>
  ({ write: writeText, read: readText }) as unknown as Layout<Value>

export const bool: Layout<boolean> = {
  write: (value) => writeNumber(value ? 1 : 0),
  read: () => readNumber() === 1,
}

/** Bytes as they are. */
export const blob: Layout<Uint8Array> = {
  write: (value) => {
    writeNumber(value.length)
    blobs.push(value)
  },
  read: () => {
    const start = blobsAt
    blobsAt = start + readNumber()
    assert(blobsAt <= blobSource.length, 'a stored blob is whole')
    // A copy, so that a decoded value does not keep the whole batch in memory.
    const { buffer, byteOffset } = blobSource
    return new Uint8Array(buffer.slice(byteOffset + start, byteOffset + blobsAt))
  },
}

/**
 * Any JSON value, for data that merchants shape or that is rare. Members added later are read from `missing` when the
 * bytes lack them, in objects within it, too.
 */
export const json = <Value>(missing?: Missing<Value>): Layout<Value> => ({
  write: (value) => writeText(JSON.stringify(value)),
  read: () => completed(JSON.parse(readText()), missing) as Value,
})

/** Defaults for some members of a value, at any depth. */
export type Missing<Value> = Value extends object
  ? { readonly [Name in keyof Value]?: Missing<Value[Name]> }
  : Value

const completed = (value: unknown, missing: unknown): unknown => {
  if (!isPlainObject(value) || !isPlainObject(missing)) return value
  const whole: { [name: string]: unknown } = { ...missing, ...value }
  for (const name of Object.keys(missing)) whole[name] = completed(whole[name], missing[name])
  return whole
}

const isPlainObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * One of a closed set of words, stored as its tag. A word keeps its tag for ever, and tags are not reused. A word added
 * later has its version in `later`.
 */
export const enumeration = <Word extends string>(
  tags: Readonly<Record<Word, number>>,
  later?: Readonly<Partial<Record<Word, number>>>,
): Layout<Word> => {
  const tagOf = new Map(Object.entries<number>(tags))
  const wordOf = byTag(Object.entries<number>(tags).map(([value, tag]) => [tag, value as Word]))
  const versionOf = new Map(Object.entries<number>((later ?? {}) as Readonly<Record<string, number>>))
  for (const version of versionOf.values()) raiseTo(version)
  const write = (value: Word): void => writeNumber(tagOf.get(value) ?? unknownWord(value))
  return {
    write:
      versionOf.size === 0
        ? write
        : (value) => {
            requireWritten(value, versionOf.get(value))
            write(value)
          },
    read: () => wordOf[readNumber()] ?? unknownTag(),
  }
}

const raiseTo = (version: number): void => {
  codecVersion = Math.max(codecVersion, version)
}

const requireWritten = (name: string, since = 0): void => {
  if (targetVersion < since) throw newerThanWritten(name, since, targetVersion)
}

/** The error for something that came with a later version than is written. */
export const newerThanWritten = (name: string, since: number, written: number): UpgradeUnfinished =>
  new UpgradeUnfinished(
    `${name} is of version ${since}, and the cluster writes ${written}: finish the upgrade with payments cluster finalize`,
  )

/** A layout for reading only, which converts older values to today's. */
export const readThrough = <Stored, Now>(
  { read }: Pick<Layout<Stored>, 'read'>,
  meaningOf: (stored: Stored) => Now,
): Pick<Layout<Now>, 'read'> => ({ read: () => meaningOf(read()) })

/** An enumeration that may grow: a word without a tag is stored as text after tag 0. */
export const openEnumeration = <Word extends string>(
  tags: Readonly<Partial<Record<Word, number>>>,
): Layout<Word> => {
  const tagOf = new Map(Object.entries<number>(tags as Readonly<Record<string, number>>))
  const wordOf = byTag([...tagOf].map(([value, tag]) => [tag, value as Word]))
  assert(wordOf[0] === undefined, 'tag 0 stands for words without one')
  return {
    write: (value) => {
      const tag = tagOf.get(value) ?? 0
      writeNumber(tag)
      if (tag === 0) writeText(value)
    },
    read: () => {
      const tag = readNumber()
      return tag === 0 ? (readText() as Word) : (wordOf[tag] ?? unknownTag())
    },
  }
}

/**
 * One of several kinds of object, distinguished by a member, stored as the kind's tag and its layout's bytes.
 * `older` tags are read and never written.
 */
export const oneOf = <Name extends string, Value extends Readonly<Record<Name, string>>>(
  name: Name,
  kinds: Readonly<Record<string, readonly [tag: number, Layout<Value>]>>,
  older: readonly (readonly [tag: number, Pick<Layout<Value>, 'read'>])[] = [],
): Layout<Value> => {
  const definitionOf = new Map(Object.entries(kinds))
  const layoutOf = byTag<Pick<Layout<Value>, 'read'>>([...Object.values(kinds), ...older])
  return {
    write: (value) => {
      const [tag, layout] = definitionOf.get(value[name]) ?? unknownWord(value[name])
      writeNumber(tag)
      layout.write(value)
    },
    read: () => (layoutOf[readNumber()] ?? unknownTag()).read(),
  }
}

/** The meaning of each tag. Throws when a tag is used twice or is not a byte. */
const byTag = <Value>(tagged: readonly (readonly [tag: number, Value])[]): readonly (Value | undefined)[] => {
  const values: (Value | undefined)[] = []
  for (const [tag, value] of tagged) {
    assert(Number.isInteger(tag) && tag >= 0 && tag < wide16, `${tag} can be a tag`)
    assert(values[tag] === undefined, `tag ${tag} is given once`)
    values[tag] = value
  }
  return values
}

const unknownWord = (value: string): never => {
  assert(false, `${value} has a tag`)
}

const unknownTag = (): never => {
  assert(false, 'stored bytes name something that this program knows')
}

/** A value or null. */
export const nullable = <Value>(layout: Layout<Value>): Layout<Value | null> => ({
  write: (value) => {
    writeNumber(value === null ? 0 : 1)
    if (value !== null) layout.write(value)
  },
  read: () => (readNumber() === 0 ? null : layout.read()),
})

/** A text that often repeats the previous one in the same place, which is then stored once. */
export const repeatedText = <Value extends string>(): Layout<Value> => {
  let last = ''
  let lastNumber = 0
  return {
    write: (value) => {
      const isSame = lastNumber === valueNumber && value === last
      writeNumber(isSame ? 1 : 0)
      if (isSame) return
      writeText(value)
      last = value
      lastNumber = valueNumber
    },
    read: () => {
      if (readNumber() === 0) last = readText()
      return last as Value
    },
  }
}

/** A list of values, stored as its length and each value. */
export const list = <Value>(layout: Layout<Value>): Layout<readonly Value[]> => ({
  write: (values) => {
    writeNumber(values.length)
    for (const value of values) layout.write(value)
  },
  read: () => {
    const values: Value[] = []
    for (let left = readNumber(); left > 0; left--) values.push(layout.read())
    return values
  },
})

/** A field added in a version: older bytes lack it and read as `missing`. */
export const since = <Value>(version: number, layout: Layout<Value>, missing: Value): Layout<Value> => {
  raiseTo(version)
  const write = (value: Value): void => {
    if (targetVersion >= version) layout.write(value)
  }
  return {
    ...layout,
    // Earlier versions are not written any more, and fields of those need no look.
    write: version > firstWrittenVersion ? write : layout.write,
    read: () => (sourceVersion < version ? missing : layout.read()),
  }
}

/** A kind added in a version: where an earlier one is written, it is refused by its name. */
export const introducedIn = <Value>(version: number, name: string, layout: Layout<Value>): Layout<Value> => {
  raiseTo(version)
  return {
    ...layout,
    write: (value) => {
      requireWritten(name, version)
      layout.write(value)
    },
  }
}

/** An optional member: absent when written, absent when read. */
export const optional = <Value>({ write, read }: Layout<Value>): Layout<Value | undefined> => ({
  ...absent,
  write: (value) => {
    writeNumber(value === undefined ? 0 : 1)
    if (value !== undefined) write(value)
  },
  read: () => (readNumber() === 0 ? undefined : read()),
})

const absent = { isOptional: true }

export type Fields<Value> = { readonly [Name in keyof Value]-?: Layout<Value[Name]> }

/**
 * An object: its fields in the order listed, and constants that are not stored. The two functions are generated as
 * source text, so that each record has its own code and makes objects of one shape. With loops shared by all records a
 * charge took 2.0 µs to write and 2.0 to read, instead of 1.4 and 0.6.
 */
export const record = <Value extends object>(
  fields: Fields<Value>,
  constants: Partial<Value> = {},
): Layout<Value> => {
  const names = Object.keys(fields)
  const layouts = Object.values<object>(fields)
  const constantNames = Object.keys(constants)
  assert(
    [...names, ...constantNames].every((name) => /^\w+$/.test(name)),
    'the fields of a layout are plain names',
  )
  const writes = names.map((name, n) => `l${n}.write(value.${name})`)
  const members = constantNames.map((name, n) => `${name}: c${n}`)
  const additions: string[] = []
  names.forEach((name, n) => {
    if (!('isOptional' in layouts[n]!)) {
      assert(additions.length === 0, `${name} stands before the members that may be absent`)
      members.push(`${name}: l${n}.read()`)
    } else additions.push(`const v${n} = l${n}.read(); if (v${n} !== undefined) value.${name} = v${n}`)
  })
  const build = new Function(
    ...names.map((_, n) => `l${n}`),
    ...constantNames.map((_, n) => `c${n}`),
    `return {
      write: (value) => { ${writes.join('; ')} },
      read: () => { const value = { ${members.join(', ')} }; ${additions.join('; ')}; return value },
    }`,
  )
  return build(...layouts, ...Object.values(constants)) as Layout<Value>
}
