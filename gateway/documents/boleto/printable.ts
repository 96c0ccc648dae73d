import { type Alphabet, foldLetters } from '../../../engine/shared/fold-letters.ts'

/**
 * Turns a text into one line of letters of the fonts that every PDF reader has built in (WinAnsi: those of western Europe),
 * because no font is embedded. What has no look-alike becomes a question mark.
 */
export const printable = (text: string): string => foldLetters(text, winAnsi)

/** The lines of a text, each printable. Empty ones are left out, because they only take room. */
export const printableParagraphs = (text: string | null): readonly string[] =>
  (text ?? '')
    .split(/[\r\n\u2028\u2029]/)
    .map((line) => printable(line).trim().replace(/ +/g, ' '))
    .filter((line) => line !== '')

const winAnsi: Alphabet = {
  has: (character) => isLatin1.test(character) || beyondLatin1.has(character),
  unknown: '?',
}

const isLatin1 = /^[ -~¡-¬®-ÿ]*$/

/** What WinAnsi has beyond ISO 8859-1. */
const beyondLatin1 = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ')
