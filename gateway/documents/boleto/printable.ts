/**
 * A text as one line of the letters that the fonts built into every PDF reader have (WinAnsi: those of western Europe);
 * no font is embedded. Accents that are missing are left out and letters are put in the place of their look-alikes; what
 * has none becomes a question mark. White space and control characters become spaces.
 */
export const printable = (text: string): string =>
  Array.from(text.normalize('NFC'), printableCharacter).join('')

/** A text as the lines that its writer broke it into, printable. Empty ones are left out, for they only cost room. */
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
/** Marks on the letter before, and characters that steer others, such as the direction of writing. */
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
