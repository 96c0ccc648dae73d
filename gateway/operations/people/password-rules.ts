import { refuseAs, refuseInvalid } from '../../problems/refusal.ts'
import { isMadeOfNames } from './made-of-names.ts'
import { lettersOf, plain, readingsOf } from './plain-letters.ts'

/**
 * Refuses passwords that a guesser tries first (dashboard, section 1.3): what is left of them without case, accents, look-alike signs, and
 * digits and signs at the ends, is a common word, one repeated unit, a run of the keyboard or the alphabet, or made of names that others
 * know of the person.
 */
export const requireGoodPassword = async (password: string, names: readonly string[]): Promise<void> => {
  const { length } = [...password]
  if (length < passwordCharsMin || length > passwordCharsMax)
    refuseInvalid((say) => say.operations.passwordLength(passwordCharsMin, passwordCharsMax))
  const cores = coresOf(password)
  const isGuessable =
    [password.toLowerCase(), ...cores].some((text) => isRepeated(text) || isRun(text)) ||
    isMadeOfNames(password, names) ||
    (await hasCommonWord(cores))
  if (isGuessable) refuseAs('PASSWORD_TOO_COMMON')
}

export const passwordCharsMin = 12
export const passwordCharsMax = 128

/** A password from its first to its last letter; the nearest sign at either end may stand for a letter. */
const coresOf = (password: string): readonly string[] => {
  const text = plain(password)
  const inner = withoutEnds(text)
  if (inner === '') return []
  const start = text.indexOf(inner)
  const end = start + inner.length
  const isSign = (char: string): boolean => lettersOf(char).length > 0
  return [
    inner,
    ...[text.charAt(start - 1)].filter(isSign).map((sign) => sign + inner),
    ...[text.charAt(end)].filter(isSign).map((sign) => inner + sign),
  ].flatMap(readingsOf)
}

const withoutEnds = (text: string): string => text.replace(/^\P{L}+|\P{L}+$/gu, '')

/** One unit of up to four characters, over and over. */
const isRepeated = (text: string): boolean => /^(.{1,4}?)\1{2,}.{0,3}$/u.test(text)

const forwards = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '0123456789012345678901234567890',
]
const runs = [...forwards, ...forwards.map((run) => [...run].reverse().join(''))]

const isRun = (text: string): boolean => text !== '' && runs.some((run) => run.includes(text))

const hasCommonWord = async (cores: readonly string[]): Promise<boolean> => {
  const words = await commonWords()
  return cores.some((core) => words.has(core))
}

let loaded: Promise<ReadonlySet<string>> | null = null

/** The words behind some 49,000 leaked passwords, read in the same way. */
const commonWords = (): Promise<ReadonlySet<string>> => {
  loaded ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(
        dictionary['passwords-common'].flatMap((entry) => readingsOf(withoutEnds(plain(String(entry))))),
      ),
  )
  return loaded
}
