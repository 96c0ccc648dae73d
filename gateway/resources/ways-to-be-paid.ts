import { methods } from '../../engine/payments/methods/index.ts'

/** The rails that bring money in, as a sentence lists them: `PIX, boleto, card and crypto`. */
export const waysToBePaid = (language: 'en' | 'pt'): readonly string[] => [
  ...new Set(
    Object.values(methods).map(({ names, railNames = names }) => {
      const name = railNames[language]
      // Abbreviations keep their capitals.
      return name === name.toUpperCase() ? name : name.toLowerCase()
    }),
  ),
]

/** Joins words as prose does: `a, b and c`. */
export const joinWords = (words: readonly string[], language: 'en' | 'pt'): string =>
  `${words.slice(0, -1).join(', ')}${language === 'en' ? ' and ' : ' e '}${words.at(-1)}`
