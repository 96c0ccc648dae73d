import { refuseAs, refuseInvalid } from '../admin/refusal.ts'

/**
 * Refuses passwords that a guesser tries first (dashboard, section 1.3): what is left of them without case, look-alike signs, and digits and
 * signs at the ends, is a common word, one repeated unit, a run of the keyboard or the alphabet, or a name of the person.
 */
export const requireGoodPassword = async (password: string, names: readonly string[]): Promise<void> => {
  const { length } = [...password]
  if (length < passwordCharsMin || length > passwordCharsMax)
    refuseInvalid((say) => say.operations.passwordLength(passwordCharsMin, passwordCharsMax))
  const core = coreOf(password)
  const isGuessable =
    [password.toLowerCase(), core].some((text) => isRepeated(text) || isRun(text)) ||
    (core !== '' && (wordsOfNames(names).has(core) || (await commonWords()).has(core)))
  if (isGuessable) refuseAs('PASSWORD_TOO_COMMON')
}

export const passwordCharsMin = 12
export const passwordCharsMax = 128

/** Without case, without look-alikes, and without what is not a letter at either end. */
const coreOf = (password: string): string =>
  [...password.toLowerCase().replace(/^[\P{L}]+|[\P{L}]+$/gu, '')]
    .map((char) => lookAlikes[char] ?? char)
    .join('')

const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
}

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

/** Each word of the names, and all of them together. */
const wordsOfNames = (names: readonly string[]): ReadonlySet<string> => {
  const words = names
    .flatMap((name) => name.toLowerCase().split(/[^\p{L}]+/u))
    .filter((word) => word.length >= 4)
  return new Set([...words, ...names.map((name) => name.toLowerCase().replace(/[^\p{L}]+/gu, ''))])
}

let loaded: Promise<ReadonlySet<string>> | null = null

/** The words below some 49,000 leaked passwords. */
const commonWords = (): Promise<ReadonlySet<string>> => {
  loaded ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((word) => coreOf(String(word)))),
  )
  return loaded
}
