import type { PaymentRail } from '../../engine/shared/rail.ts'

/** The names of the ways of being paid where a sentence lists them, by language: a rail that is forgotten does not compile. */
export const railWords: Readonly<Record<'en' | 'pt', Readonly<Record<PaymentRail, string>>>> = {
  en: { PIX: 'PIX', BOLETO: 'boletos', CARD: 'tokenized cards', CRYPTO: 'stablecoins' },
  pt: { PIX: 'PIX', BOLETO: 'boletos', CARD: 'cartões tokenizados', CRYPTO: 'stablecoins' },
}

/** Joins words as prose lists them: `a, b and c`. */
export const joinWords = (words: readonly string[], language: 'en' | 'pt' = 'en'): string =>
  `${words.slice(0, -1).join(', ')}${language === 'en' ? ' and ' : ' e '}${words.at(-1)}`
