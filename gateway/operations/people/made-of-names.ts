import { lettersOf, plain, readingsOf } from './plain-letters.ts'

/**
 * Whether a password consists only of names: their words in any order and number, joined or apart, with
 * look-alikes in place of letters, and with digits and signs wherever they are. One more word makes it a phrase
 * that cannot be guessed from them.
 */
export const isMadeOfNames = (password: string, names: readonly string[]): boolean => {
  const text = plain(password)
  if (!hasLetter(text)) return false
  const words = wordsOf(names)
  let states = setOf([{ part: '', read: 0, saysName: false }])
  for (const char of text) {
    const letters = lettersOf(char)
    states = setOf(
      [...states.values()].flatMap((state) => [
        // A character that is not a letter may stand for one, or for nothing, anywhere.
        ...(hasLetter(char) ? [] : [state]),
        ...letters.flatMap((letter) => after(state, letter, words)),
      ]),
    )
  }
  return states.has(keyOf({ part: '', read: 0, saysName: true }))
}

/** The word that is being read (empty between words), how far, and whether a name's word was completed. */
type State = { readonly part: string; readonly read: number; readonly saysName: boolean }

const keyOf = ({ part, read, saysName }: State): string => `${part} ${read} ${saysName}`

const setOf = (states: readonly State[]): ReadonlyMap<string, State> =>
  new Map(states.map((state) => [keyOf(state), state]))

const after = ({ part, read, saysName }: State, letter: string, words: readonly string[]): State[] =>
  (part === '' ? words : [part])
    .filter((begun) => begun[read] === letter)
    .map((begun) =>
      read + 1 === begun.length
        ? { part: '', read: 0, saysName: saysName || says(begun) }
        : { part: begun, read: read + 1, saysName },
    )

const hasLetter = (text: string): boolean => /\p{L}/u.test(text)

/** Whether a word counts as a name: fillers and the shortest words do not. */
const says = (part: string): boolean => part.length >= 3 && !fillers.has(part)

/** The words of names and the fillers, and each name in one piece. */
const wordsOf = (names: readonly string[]): readonly string[] => {
  const words = names.flatMap(splitName).flatMap((parts) => [
    ...parts.filter((part) => part.length >= 2),
    parts.join(''),
    // The name without the form of the company.
    parts.filter((part) => !fillers.has(part)).join(''),
  ])
  return [...new Set([...words, ...fillers])].filter((part) => part !== '')
}

/**
 * Splits a name at spaces and signs, and where a capital follows a small letter; consecutive single letters are
 * one part. Other characters are left out, or read as a letter.
 */
const splitName = (name: string): readonly (readonly string[])[] => {
  const parts = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(?<![\p{L}\d])(\p{L})[./ ]+(?=\p{L}(?![\p{L}\d]))/gu, '$1')
    .split(/[\s.,;:/&()'"_@+-]+/u)
    .filter(hasLetter)
    .map(plain)
  const readings = [0, 1].map((way) => parts.map((part) => readingsOf(part)[way]!))
  return [parts, ...readings].map((read) => read.map((part) => part.replace(/\P{L}+/gu, '')))
}

/** Forms of companies, ends of hosts, and particles: they may stand between names, and do not count as one. */
const fillers: ReadonlySet<string> = new Set([
  ...[
    'ltda',
    'limitada',
    'sa',
    'me',
    'mei',
    'epp',
    'eireli',
    'slu',
    'ss',
    'cia',
    'companhia',
    'inc',
    'ltd',
    'llc',
  ],
  ...['com', 'br', 'net', 'org', 'www'],
  ...['da', 'das', 'de', 'do', 'dos', 'e', 'and', 'of', 'the'],
])
