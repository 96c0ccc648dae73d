import type { PaymentRail } from '../../engine/shared/rail.ts'

/** What the ways of being paid are called where a sentence lists them, by language: a rail that is forgotten does not compile. */
export const railWords: Readonly<Record<'en' | 'pt', Readonly<Record<PaymentRail, string>>>> = {
  en: { PIX: 'PIX', BOLETO: 'boletos', CARD: 'tokenized cards', CRYPTO: 'stablecoins' },
  pt: { PIX: 'PIX', BOLETO: 'boletos', CARD: 'cartões tokenizados', CRYPTO: 'stablecoins' },
}

/** A list as prose has it: `a, b and c`. */
export const listed = (words: readonly string[], language: 'en' | 'pt' = 'en'): string =>
  `${words.slice(0, -1).join(', ')}${language === 'en' ? ' and ' : ' e '}${words.at(-1)}`
