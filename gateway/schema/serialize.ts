import type { TSchema } from 'typebox'
import { assert } from '../../engine/shared/assert.ts'

/**
 * Makes the function that writes answers of one schema as JSON in UTF-8: exactly what the OpenAPI document shows.
 * It is compiled: the constant parts of an answer are single runs of bytes between two values. It writes bytes,
 * because a string of a hundred parts is copied twice more on its way to the wire, and is garbage then.
 */
export const serializer = (schema: TSchema): Serialize => {
  const known = serializers.get(schema)
  if (known !== undefined) return known
  const made = compiled(schema)
  serializers.set(schema, made)
  return made
}

type Serialize = (value: object) => Buffer

/** Several routes share a schema. */
const serializers = new WeakMap<TSchema, Serialize>()

/** JSON Schema, as far as answers use it. */
type Shape = {
  readonly type: string | readonly string[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: Shape
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly format?: string
}

/** A constant text, or a JavaScript statement that writes a value. */
type Piece = { readonly text: string } | { readonly code: string }

/** The program under construction that writes answers of a schema. */
type Program = {
  readonly functions: string[]
  readonly constants: Uint8Array[]
}

const compiled = (schema: TSchema): Serialize => {
  const program: Program = { functions: [], constants: [] }
  const write = writerOf(program, piecesOf(program, schema as unknown as Shape, 'v'))
  const { functions, constants } = program
  const names = constants.map((_, n) => `k${n}`)
  const code = `'use strict'\n${functions.join('\n')}\nreturn ${write}`
  const make = new Function('constant', 'plain', 'quoted', 'any', 'listed', ...names, code)
  const writeValue = make(constant, plain, quoted, any, listed, ...constants) as (value: object) => void
  return (value) => {
    start = at
    writeValue(value)
    return chunk.subarray(start, at) as Buffer
  }
}

/** A function that writes an object of this shape; returns its name. */
const writerOf = (program: Program, pieces: readonly Piece[]): string => {
  const name = `write${program.functions.length}`
  program.functions.push(`const ${name} = (v) => { ${codeOf(program, pieces)} }`)
  return name
}

/** JavaScript that writes pieces, with constants next to each other as one. */
const codeOf = (program: Program, pieces: readonly Piece[]): string => {
  const statements: string[] = []
  let text = ''
  const endText = (): void => {
    if (text === '') return
    statements.push(`constant(k${program.constants.length})`)
    program.constants.push(Buffer.from(text))
    text = ''
  }
  for (const piece of pieces) {
    if ('text' in piece) text += piece.text
    else {
      endText()
      statements.push(piece.code)
    }
  }
  endText()
  return statements.join('; ')
}

const piecesOfObject = (program: Program, { properties = {}, required = [] }: Shape): Piece[] => {
  const pieces = Object.entries(properties).flatMap(([name, shape], n): Piece[] => {
    const value = `v[${JSON.stringify(name)}]`
    const member = [{ text: `,${JSON.stringify(name)}:` }, ...piecesOf(program, shape, value)]
    if (required.includes(name)) return member
    assert(n > 0, 'the first property of an answer is not optional')
    return [{ code: `if (${value} !== undefined) { ${codeOf(program, member)} }` }]
  })
  const [first, ...others] = pieces
  const opening = first === undefined ? '{' : `{${(first as { readonly text: string }).text.slice(1)}`
  return [{ text: opening }, ...others, { text: '}' }]
}

/** The pieces of a value that is not null. */
const piecesOfValue = (program: Program, shape: Shape, type: string, value: string): Piece[] => {
  switch (type) {
    case 'string':
      return isPlain(shape)
        ? [{ text: '"' }, { code: `plain(${value})` }, { text: '"' }]
        : [{ code: `quoted(${value})` }]
    case 'integer':
    case 'number':
    case 'boolean':
      return [{ code: `plain(String(${value}))` }]
    case 'array':
      return [{ code: `listed(${value}, ${writerOf(program, piecesOf(program, shape.items!, 'v'))})` }]
    default:
      assert(type === 'object', `answers have no ${type}`)
      return [
        {
          code:
            shape.additionalProperties === true
              ? `any(JSON.stringify(${value}))`
              : `${writerOf(program, piecesOfObject(program, shape))}(${value})`,
        },
      ]
  }
}

const piecesOf = (program: Program, shape: Shape, value: string): Piece[] => {
  const types = [shape.type].flat()
  const type = types.find((type) => type !== 'null')!
  const pieces = piecesOfValue(program, shape, type, value)
  return types.length === 1
    ? pieces
    : [{ code: `if (${value} === null) plain('null'); else { ${codeOf(program, pieces)} }` }]
}

/** Whether a text of this shape holds no character that JSON escapes, so that it is not searched for one. */
const isPlain = ({ pattern = '', enum: words, format = '' }: Shape): boolean =>
  words !== undefined || plainFormats.has(format) || plainPattern.test(pattern)

/** Times (RFC 3339), and base64 (RFC 2397). */
const plainFormats: ReadonlySet<string> = new Set(['date', 'date-time', 'data-uri'])

/** Letters, digits, underscores and hyphens, of any number: ids and codes. */
const plainPattern = /^\^[\w[\](){}|?+*,-]+\$$/

/** Many answers share a chunk of memory. None is overwritten, because an answer may wait, or be cached. */
const chunkBytes = 64 * 1024
let chunk = Buffer.allocUnsafeSlow(chunkBytes)
/** Where the answer being written begins, and its next byte. */
let start = 0
let at = 0

/** Makes room for more bytes: an answer that does not fit moves to a new chunk. */
const makeRoom = (bytes: number): void => {
  if (at + bytes <= chunk.length) return
  const written = at - start
  const next = Buffer.allocUnsafeSlow(Math.max(chunkBytes, 2 * (written + bytes)))
  chunk.copy(next, 0, start, at)
  chunk = next
  start = 0
  at = written
}

const constant = (bytes: Uint8Array): void => {
  makeRoom(bytes.length)
  chunk.set(bytes, at)
  at += bytes.length
}

/** Writes a text that is ASCII, and has nothing that JSON escapes. */
const plain = (text: string): void => {
  const { length } = text
  makeRoom(length)
  if (length > loopCharsMax) {
    at += chunk.write(text, at, 'latin1')
    return
  }
  const to = chunk
  const from = at
  for (let n = 0; n < length; n++) to[from + n] = text.charCodeAt(n)
  at = from + length
}

/** A call into native code takes as long as writing so many characters one by one. */
const loopCharsMax = 64

const quoted = (text: string): void => {
  const { length } = text
  makeRoom(length + 2)
  if (length > loopCharsMax && !needsCare.test(text)) {
    chunk[at] = quote
    chunk.write(text, at + 1, 'latin1')
    chunk[at + length + 1] = quote
    at += length + 2
    return
  }
  const to = chunk
  const from = at + 1
  for (let n = 0; n < length; n++) {
    const code = text.charCodeAt(n)
    if (isPlainCode[code] !== 1) {
      any(JSON.stringify(text))
      return
    }
    to[from + n] = code
  }
  to[at] = quote
  to[from + length] = quote
  at = from + length + 1
}

const quote = 0x22

/** Characters that JSON escapes, or that take more than one byte. */
const needsCare = /[^\x20\x21\x23-\x5b\x5d-\x7e]/
const isPlainCode = Uint8Array.from({ length: 0x80 }, (_, code) =>
  needsCare.test(String.fromCharCode(code)) ? 0 : 1,
)

const any = (text: string): void => {
  makeRoom(3 * text.length)
  at += chunk.write(text, at)
}

const listed = (items: readonly unknown[], write: (item: unknown) => void): void => {
  plain('[')
  for (let n = 0; n < items.length; n++) {
    if (n > 0) plain(',')
    write(items[n])
  }
  plain(']')
}
