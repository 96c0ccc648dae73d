/** What a medium can show: which characters, and what stands for one that nothing resembles. */
export type Alphabet = { readonly has: (character: string) => boolean; readonly unknown: string }

/**
 * Writes a text in one line of an alphabet: letters lose the accents that it lacks, or become those that resemble them, white space and
 * control characters become spaces, and emoji disappear with the space around them. An alphabet has at least printable ASCII.
 */
export const foldLetters = (text: string, alphabet: Alphabet): string =>
  Array.from(withoutEmoji(text.normalize('NFC')), (character) => writtenIn(alphabet, character)).join('')

const writtenIn = (alphabet: Alphabet, character: string): string => {
  if (alphabet.has(character)) return character
  if (isSpace.test(character)) return ' '
  const letters = Array.from(lookAlike(character) ?? character.normalize('NFKD'), (letter) =>
    alphabet.has(letter) ? letter : (lookAlike(letter) ?? (isInvisible.test(letter) ? '' : null)),
  )
  return letters.includes(null) ? alphabet.unknown : letters.join('')
}

const isSpace = /^[\p{Z}\p{Cc}]$/u
/** Combining marks, modifiers that follow a letter, and format characters such as those for the direction of writing. */
const isInvisible = /^[\p{M}\p{Cf}\p{Lm}\p{Sk}]$/u

const withoutEmoji = (text: string): string => {
  const left = text.replace(emoji, (run, at: number) => {
    const isAfterSpace = at === 0 || /\s/.test(text[at - 1]!)
    return !isAfterSpace && /\s$/.test(run) ? ' ' : ''
  })
  return left === text ? text : left.trimEnd()
}

/** Pictures, with what colours and joins them, in a row. Three signs are as much letters as pictures. */
const emoji =
  /(?:(?![©®™])[\p{Extended_Pictographic}\p{Regional_Indicator}][\p{M}\p{Cf}\p{Emoji_Modifier}]*\s*)+/gu

const lookAlike = (character: string): string | undefined =>
  Object.hasOwn(lookAlikes, character) ? lookAlikes[character] : undefined

/** For letters and signs that Unicode does not take apart. In ASCII, so that every alphabet has them. */
const lookAlikes: Readonly<Record<string, string>> = {
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  ß: 'ss',
  ẞ: 'SS',
  Ð: 'D',
  ð: 'd',
  Þ: 'TH',
  þ: 'th',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  Ŧ: 'T',
  ŧ: 't',
  ı: 'i',
  ĸ: 'k',
  Ŋ: 'N',
  ŋ: 'n',
  Ə: 'E',
  ə: 'e',
  ƒ: 'f',
  ẜ: 's',
  ẝ: 's',
  ẟ: 'd',
  Ỻ: 'LL',
  ỻ: 'll',
  Ỽ: 'V',
  ỽ: 'v',
  Ỿ: 'Y',
  ỿ: 'y',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '•': '-',
  '·': '',
  '⁄': '/',
  '×': 'x',
  '‘': "'",
  '’': "'",
  '‚': ',',
  '‹': "'",
  '›': "'",
  ʼ: "'",
  '´': "'",
  '′': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '″': '"',
  '€': 'EUR',
  '¨': '',
  '¯': '',
  '¸': '',
  '©': '',
  '®': '',
}
