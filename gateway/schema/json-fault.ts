/** A place in a text. Lines and columns count from 1; columns are characters, as in editors. */
export type TextPosition = { readonly line: number; readonly column: number }

/**
 * Where a text stops being JSON (RFC 8259): at the first token that does not fit, or at the end if something is missing. Null for
 * valid JSON. The engine's own parser reports this only sometimes, and quotes the text.
 */
export const jsonFault = (text: string): TextPosition | null => {
  const at = faultAt(text)
  if (at === null) return null
  const before = text.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 }
}

/** What may come next: a value, a value or the end of an empty list, a key, a key or the end of an empty object, and so on. */
type Expected = 'VALUE' | 'VALUE_OR_END' | 'KEY' | 'KEY_OR_END' | 'COLON' | 'COMMA_OR_END'

const faultAt = (text: string): number | null => {
  /** The closing character of each open container. A body may open 32,000 of them, so this is not recursive. */
  const open: string[] = []
  let expected: Expected = 'VALUE'
  let at = 0
  for (;;) {
    at += matchAt(whiteSpace, text, at)
    const isWhole = expected === 'COMMA_OR_END' && open.length === 0
    if (at === text.length) return isWhole ? null : at
    if (isWhole) return at
    const character = text[at]!
    if (expected === 'COLON') {
      if (character !== ':') return at
      expected = 'VALUE'
      at += 1
    } else if (character === open.at(-1) && mayEnd[expected]) {
      open.pop()
      expected = 'COMMA_OR_END'
      at += 1
    } else if (expected === 'COMMA_OR_END') {
      if (character !== ',') return at
      expected = open.at(-1) === '}' ? 'KEY' : 'VALUE'
      at += 1
    } else if (expected === 'KEY' || expected === 'KEY_OR_END') {
      const length = matchAt(string, text, at)
      if (length === 0) return faultInString(text, at)
      expected = 'COLON'
      at += length
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']')
      expected = character === '{' ? 'KEY_OR_END' : 'VALUE_OR_END'
      at += 1
    } else {
      const length = matchAt(character === '"' ? string : scalar, text, at)
      if (length === 0) return faultInString(text, at)
      expected = 'COMMA_OR_END'
      at += length
    }
  }
}

const mayEnd: Readonly<Partial<Record<Expected, true>>> = {
  VALUE_OR_END: true,
  KEY_OR_END: true,
  COMMA_OR_END: true,
}

const whiteSpace = /[ \t\n\r]*/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const stringStart = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y
const string = new RegExp(`${stringStart.source}"`, 'y')

/** Inside a string the fault is at the invalid character, elsewhere at the token itself. */
const faultInString = (text: string, at: number): number => at + matchAt(stringStart, text, at)

/** The length of the token that starts here; 0 if there is none. */
const matchAt = (token: RegExp, text: string, at: number): number => {
  token.lastIndex = at
  return token.exec(text)?.[0].length ?? 0
}
