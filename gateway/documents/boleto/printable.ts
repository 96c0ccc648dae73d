/**
 * Turns a text into one line of letters of the fonts that every PDF reader has built in (WinAnsi: those of western Europe),
 * because no font is embedded. Accents that are missing are dropped, letters are replaced by look-alikes, and the rest by
 * question marks. White space and control characters become spaces.
 */
export const printable = (text: string): string =>
  Array.from(text.normalize('NFC'), printableCharacter).join('')

/** The lines of a text, each printable. Empty ones are left out, because they only take room. */
export const printableParagraphs = (text: string | null): readonly string[] =>
  (text ?? '')
    .split(/[\r\n\u2028\u2029]/)
    .map((line) => printable(line).trim().replace(/ +/g, ' '))
    .filter((line) => line !== '')

const printableCharacter = (character: string): string => {
  if (isPlain.test(character) || winAnsi.has(character)) return character
  if (isSpace.test(character)) return ' '
  if (isInvisible.test(character)) return ''
  return replacements[character] ?? withoutMarks(character)
}

const withoutMarks = (character: string): string => {
  const base = character.normalize('NFKD').replace(/\p{M}/gu, '')
  const letters = Array.from(base, (letter) => replacements[letter] ?? letter)
  return letters.every((letter) => isPlain.test(letter) || winAnsi.has(letter)) ? letters.join('') : '?'
}

const isPlain = /^[ -~¡-¬®-ÿ]*$/
const isSpace = /^[\p{Z}\p{Cc}]$/u
/** Combining marks, and format characters such as those for the direction of writing. */
const isInvisible = /^[\p{M}\p{Cf}]$/u

/** What WinAnsi has beyond ISO 8859-1. */
const winAnsi = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ')

const replacements: Readonly<Record<string, string>> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ħ: 'h',
  Ħ: 'H',
  ŧ: 't',
  Ŧ: 'T',
  ı: 'i',
  ŋ: 'n',
  Ŋ: 'N',
  ə: 'e',
  Ə: 'E',
  ẞ: 'SS',
  '‐': '-',
  '‒': '-',
  '―': '—',
  '−': '-',
  '⁄': '/',
  '′': "'",
  '″': '"',
  ʼ: '’',
}
