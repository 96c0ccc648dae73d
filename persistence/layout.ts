import { assert } from '../engine/shared/assert.ts'

/**
 * How values become bytes, field by field: texts are gathered into one string that is encoded at once, which is what
 * makes it fast, and everything else is numbers beside it. A layout is what the stored bytes mean, so it only grows at
 * its end: new words, new kinds. What changes otherwise is a new layout under a new version (see `codec.ts`).
 */
export type Layout<Value> = {
  readonly write: (value: Value) => void
  readonly read: () => Value
}

/** One value as bytes: the length of its numbers and of its texts, then both, then its blobs. */
export const encode = <Value>(layout: Layout<Value>, value: Value): Buffer => {
  valueNumber += 1
  numbersAt = 0
  texts = ''
  blobs = []
  layout.write(value)
  const textBytes = Buffer.byteLength(texts)
  const blobBytes = blobs.reduce((sum, { length }) => sum + length, 0)
  const bytes = Buffer.allocUnsafe(headBytes + numbersAt + textBytes + blobBytes)
  bytes.writeUInt32LE(numbersAt, 0)
  bytes.writeUInt32LE(textBytes, 4)
  numbers.copy(bytes, headBytes, 0, numbersAt)
  let end = headBytes + numbersAt
  end += bytes.write(texts, end)
  for (const blob of blobs) {
    bytes.set(blob, end)
    end += blob.length
  }
  return bytes
}

export const decode = <Value>(layout: Layout<Value>, bytes: Buffer): Value => {
  const numbersEnd = headBytes + bytes.readUInt32LE(0)
  const textsEnd = numbersEnd + bytes.readUInt32LE(4)
  assert(textsEnd <= bytes.length, 'a stored value is whole')
  source = bytes
  sourceView = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  sourceAt = headBytes
  texts = bytes.toString('utf8', numbersEnd, textsEnd)
  textsAt = 0
  blobsAt = textsEnd
  const value = layout.read()
  assert(sourceAt === numbersEnd && textsAt === texts.length, 'a stored value is read to its end')
  return value
}

const headBytes = 8

// Of the one value that is being written or read: both are synchronous.
let valueNumber = 0
let numbers = Buffer.alloc(4096)
let numbersView = new DataView(numbers.buffer, numbers.byteOffset, numbers.length)
let numbersAt = 0
let texts = ''
let textsAt = 0
let blobs: Uint8Array[] = []
let blobsAt = 0
let source: Buffer = numbers
let sourceView: DataView = numbersView
let sourceAt = 0

const bytesOfNumberMax = 9

/** Below 252 a byte; otherwise a byte that names the width, and the number: 16 or 32 bits, or a double. */
const writeNumber = (value: number): void => {
  if (numbersAt + bytesOfNumberMax > numbers.length) growNumbers()
  if (value >= 0 && value <= 0xffffffff && value === Math.floor(value) && !Object.is(value, -0)) {
    if (value < wide16) {
      numbersView.setUint8(numbersAt, value)
      numbersAt += 1
    } else if (value <= 0xffff) {
      numbersView.setUint8(numbersAt, wide16)
      numbersView.setUint16(numbersAt + 1, value, true)
      numbersAt += 3
    } else {
      numbersView.setUint8(numbersAt, wide32)
      numbersView.setUint32(numbersAt + 1, value, true)
      numbersAt += 5
    }
  } else {
    numbersView.setUint8(numbersAt, double)
    numbersView.setFloat64(numbersAt + 1, value, true)
    numbersAt += 9
  }
}

const wide16 = 252
const wide32 = 253
const double = 254

const readNumber = (): number => {
  const first = sourceView.getUint8(sourceAt)
  sourceAt += 1
  if (first < wide16) return first
  const at = sourceAt
  if (first === wide16) {
    sourceAt += 2
    return sourceView.getUint16(at, true)
  }
  if (first === wide32) {
    sourceAt += 4
    return sourceView.getUint32(at, true)
  }
  assert(first === double, 'a stored number has a known width')
  sourceAt += 8
  return sourceView.getFloat64(at, true)
}

const growNumbers = (): void => {
  const larger = Buffer.alloc(2 * numbers.length)
  numbers.copy(larger)
  numbers = larger
  numbersView = new DataView(numbers.buffer, numbers.byteOffset, numbers.length)
}

const writeText = (value: string): void => {
  writeNumber(value.length)
  texts += value
}

const readText = (): string => {
  const length = readNumber()
  textsAt += length
  return texts.slice(textsAt - length, textsAt)
}

/** Any finite number. */
export const number = <Value extends number>(): Layout<Value> =>
  ({ write: writeNumber, read: readNumber }) as unknown as Layout<Value>

/** Any well-formed text. */
export const text = <Value extends string>(): Layout<Value> =>
  ({ write: writeText, read: readText }) as unknown as Layout<Value>

export const flag: Layout<boolean> = {
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
    const length = readNumber()
    blobsAt += length
    assert(blobsAt <= source.length, 'a stored blob is whole')
    return new Uint8Array(source.subarray(blobsAt - length, blobsAt))
  },
}

/** Whatever JSON can say: for values whose shape is the merchant's, or that are rare. */
export const json = <Value>(): Layout<Value> => ({
  write: (value) => writeText(JSON.stringify(value)),
  read: () => JSON.parse(readText()) as Value,
})

/** One of a closed set of words, as its place in the list: new words go to the end. */
export const word = <Word extends string>(...words: readonly Word[]): Layout<Word> => {
  const places = new Map(words.map((word, place) => [word, place]))
  return {
    write: (value) => {
      const place = places.get(value)
      assert(place !== undefined, `${value} is a word of its layout`)
      writeNumber(place)
    },
    read: () => known(words, readNumber()),
  }
}

export const nullable = <Value>(layout: Layout<Value>): Layout<Value | null> => ({
  write: (value) => {
    writeNumber(value === null ? 0 : 1)
    if (value !== null) layout.write(value)
  },
  read: () => (readNumber() === 0 ? null : layout.read()),
})

/** A text that is often the same as the one before it in the same place: then it is stored once. */
export const again = <Value extends string>(): Layout<Value> => {
  let last = ''
  let lastOf = 0
  const remember = (value: string): void => {
    last = value
    lastOf = valueNumber
  }
  return {
    write: (value) => {
      const same = lastOf === valueNumber && value === last
      writeNumber(same ? 1 : 0)
      if (!same) writeText(value)
      remember(value)
    },
    read: () => {
      const value = readNumber() === 1 ? last : readText()
      remember(value)
      return value as Value
    },
  }
}

/**
 * Values that may be absent: one number says which of them are there, a bit for each in the order in which they stand here,
 * and only those follow. So what is absent costs nothing, also what came later.
 */
export const optional = <Value extends object>(
  fields: Fields<Value>,
): { readonly write: (value: Optional<Value>) => void; readonly read: () => Partial<Value> } => {
  const layouts = Object.entries(fields) as [keyof Value, Layout<unknown>][]
  return {
    write: (value) => {
      let present = 0
      layouts.forEach(([name], bit) => {
        if (value[name] !== undefined) present |= 1 << bit
      })
      writeNumber(present)
      if (present !== 0)
        for (const [name, layout] of layouts) if (value[name] !== undefined) layout.write(value[name])
    },
    read: () => {
      const present = readNumber()
      assert(present < 1 << layouts.length, 'stored bytes name something that this program knows')
      if (present === 0) return none
      const value: { -readonly [Name in keyof Value]?: Value[Name] } = {}
      layouts.forEach(([name, layout], bit) => {
        if ((present & (1 << bit)) !== 0) value[name] = layout.read() as Value[typeof name]
      })
      return value
    },
  }
}

const none = Object.freeze({})

type Optional<Value> = { readonly [Name in keyof Value]?: Value[Name] | undefined }

export const list = <Value>(layout: Layout<Value>): Layout<readonly Value[]> => ({
  write: (values) => {
    writeNumber(values.length)
    for (const value of values) layout.write(value)
  },
  read: () => Array.from({ length: readNumber() }, layout.read),
})

/**
 * An object, its fields in the order in which they stand here, after those that are always the same and not stored. The two
 * functions are put together as text, because a loop over names would look every property up by name: an entry took
 * 7 µs with it, 5 without. With a copy of what is constant a webhook's delivery took a fifth more processor time, all in all.
 */
export const record = <Value extends object>(
  fields: Fields<Value>,
  constants: Partial<Value> = {},
): Layout<Value> => {
  const names = Object.keys(fields)
  const constantNames = Object.keys(constants)
  assert(
    [...names, ...constantNames].every((name) => /^\w+$/.test(name)),
    'the fields of a layout are plain names',
  )
  const writes = names.map((name, n) => `p${n}.write(value.${name})`).join('\n')
  const reads = [
    ...constantNames.map((name, n) => `${name}: c${n}`),
    ...names.map((name, n) => `${name}: p${n}.read()`),
  ].join(', ')
  const build = new Function(
    ...names.map((_, n) => `p${n}`),
    ...constantNames.map((_, n) => `c${n}`),
    `return { write: (value) => { ${writes} }, read: () => ({ ${reads} }) }`,
  )
  return build(...Object.values(fields), ...Object.values(constants)) as Layout<Value>
}

export type Fields<Value> = { readonly [Name in keyof Value]-?: Layout<Value[Name]> }

const known = <Value>(values: readonly Value[], place: number): Value => {
  const value = values[place]
  assert(value !== undefined, 'stored bytes name something that this program knows')
  return value
}

/** An object of one kind among several, for `variants`. */
export type Variant<Value extends { readonly type: string }> = Layout<Value> & {
  readonly type: Value['type']
}

/** A kind's fields, beside what follows from the kind alone and is not stored: its type at least. */
export const variant = <Value extends { readonly type: string }>(
  constants: Partial<Value> & { readonly type: Value['type'] },
  fields: object,
): Variant<Value> => {
  const { write, read } = record<object>(fields as Fields<object>, constants)
  return { type: constants.type, write: write as Layout<Value>['write'], read: read as () => Value }
}

/** What an earlier version wrote, as this one means it. Nothing is written like that any more. */
export const upcast = <Earlier, Value>(
  layout: Layout<Earlier>,
  read: (earlier: Earlier) => Value,
): Layout<Value> => ({
  write: () => assert(false, 'a layout of an earlier version is only read'),
  read: () => read(layout.read()),
})

/**
 * One of several kinds of object that `type` tells apart, as its place in the list: new kinds go to the end. A second layout
 * of a kind is the one that is written from then on.
 */
export const variants = <Value extends { readonly type: string }>(
  ...kinds: readonly Variant<Value>[]
): Layout<Value> => {
  const places = new Map(kinds.map(({ type }, place) => [type, place]))
  return {
    write: (value) => {
      const place = places.get(value.type)
      assert(place !== undefined, `${value.type} has a layout`)
      writeNumber(place)
      kinds[place]!.write(value)
    },
    read: () => known(kinds, readNumber()).read(),
  }
}
