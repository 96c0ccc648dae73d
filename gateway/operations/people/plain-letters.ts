/** Without case and accents: the letters alone, and other characters as they are. */
export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** A text with its look-alikes read as the letters that they stand for, in each way in which all of them can be. */
export const readingsOf = (text: string): readonly string[] =>
  [0, 1].map((way) => [...text].map((char) => lettersOf(char)[way] ?? lettersOf(char)[0] ?? char).join(''))

/** The letters that a character can stand for: itself, where it is one. */
export const lettersOf = (char: string): readonly string[] =>
  /\p{L}/u.test(char) ? [char] : (lookAlikes[char] ?? [])

const lookAlikes: Readonly<Record<string, readonly string[]>> = {
  '0': ['o'],
  '1': ['i', 'l'],
  '2': ['z'],
  '3': ['e'],
  '4': ['a'],
  '5': ['s'],
  '6': ['g', 'b'],
  '7': ['t'],
  '8': ['b'],
  '9': ['g'],
  '@': ['a'],
  '€': ['e'],
  $: ['s'],
  '!': ['i', 'l'],
  '|': ['l', 'i'],
  '+': ['t'],
}
