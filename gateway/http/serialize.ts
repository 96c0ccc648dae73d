import type { TSchema } from 'typebox'
import { assert } from '../../engine/shared/assert.ts'

/**
 * Makes the function that writes answers of one schema as JSON: exactly what the OpenAPI document shows. It is compiled: what is
 * constant of an answer is one text between two values.
 */
export const serializer = (schema: TSchema): Serialize => {
  const known = serializers.get(schema)
  if (known !== undefined) return known
  const made = compiled(schema)
  serializers.set(schema, made)
  return made
}

type Serialize = (value: object) => string

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

/** A constant text, or JavaScript whose value becomes text. */
type Piece = { readonly text: string } | { readonly code: string }

const compiled = (schema: TSchema): Serialize => {
  const functions: string[] = []

  /** A function that writes an object of this shape; returns its name. */
  const writerOf = (pieces: readonly Piece[]): string => {
    const name = `write${functions.length}`
    functions.push(`const ${name} = (v) => ${sumOf(pieces)}`)
    return name
  }

  const piecesOfObject = ({ properties = {}, required = [] }: Shape): Piece[] => {
    const pieces = Object.entries(properties).flatMap(([name, shape], n): Piece[] => {
      const value = `v[${JSON.stringify(name)}]`
      const member = [{ text: `,${JSON.stringify(name)}:` }, ...piecesOf(shape, value)]
      if (required.includes(name)) return member
      assert(n > 0, 'the first property of an answer is not optional')
      return [{ code: `(${value} === undefined ? '' : ${sumOf(member)})` }]
    })
    const [first, ...others] = pieces
    const opening = first === undefined ? '{' : `{${(first as { readonly text: string }).text.slice(1)}`
    return [{ text: opening }, ...others, { text: '}' }]
  }

  /** The pieces of a value that is not null. */
  const piecesOfValue = (shape: Shape, type: string, value: string): Piece[] => {
    switch (type) {
      case 'string':
        return isPlain(shape)
          ? [{ text: '"' }, { code: value }, { text: '"' }]
          : [{ code: `quoted(${value})` }]
      case 'integer':
      case 'number':
      case 'boolean':
        return [{ code: value }]
      case 'array':
        return [{ code: `listed(${value}, ${writerOf(piecesOf(shape.items!, 'v'))})` }]
      default:
        assert(type === 'object', `answers have no ${type}`)
        return [
          {
            code:
              shape.additionalProperties === true
                ? `JSON.stringify(${value})`
                : `${writerOf(piecesOfObject(shape))}(${value})`,
          },
        ]
    }
  }

  const piecesOf = (shape: Shape, value: string): Piece[] => {
    const types = [shape.type].flat()
    const type = types.find((type) => type !== 'null')!
    const pieces = piecesOfValue(shape, type, value)
    return types.length === 1 ? pieces : [{ code: `(${value} === null ? 'null' : ${sumOf(pieces)})` }]
  }

  const write = writerOf(piecesOf(schema as unknown as Shape, 'v'))
  const program = `'use strict'\n${functions.join('\n')}\nreturn ${write}`
  return new Function('quoted', 'listed', program)(quoted, listed) as Serialize
}

/** JavaScript that puts pieces together, with constants next to each other as one. */
const sumOf = (pieces: readonly Piece[]): string => {
  const terms: string[] = []
  let text = ''
  const endText = (): void => {
    if (text !== '' || terms.length === 0) terms.push(JSON.stringify(text))
    text = ''
  }
  for (const piece of pieces) {
    if ('text' in piece) text += piece.text
    else {
      endText()
      terms.push(piece.code)
    }
  }
  if (text !== '') endText()
  return terms.join(' + ')
}

/** Whether a text of this shape holds no character that JSON escapes, so that it is not searched for one. */
const isPlain = ({ pattern = '', enum: words, format = '' }: Shape): boolean =>
  words !== undefined || plainFormats.has(format) || plainPattern.test(pattern)

/** Times (RFC 3339), and base64 (RFC 2397). */
const plainFormats: ReadonlySet<string> = new Set(['date', 'date-time', 'data-uri'])

/** Letters, digits, underscores and hyphens, of any number: ids and codes. */
const plainPattern = /^\^[\w[\](){}|?+*,-]+\$$/

const quoted = (text: string): string => {
  // JSON.stringify takes as long as looking at forty characters.
  if (text.length > 40) return mustEscape.test(text) ? JSON.stringify(text) : `"${text}"`
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n)
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff))
      return JSON.stringify(text)
  }
  return `"${text}"`
}

const mustEscape = /[\u0000-\u001f"\\\ud800-\udfff]/

const listed = (items: readonly unknown[], write: (item: unknown) => string): string => {
  let text = '['
  for (let n = 0; n < items.length; n++) text += n === 0 ? write(items[n]) : `,${write(items[n])}`
  return `${text}]`
}
