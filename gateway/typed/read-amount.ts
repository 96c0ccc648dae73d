/** What was typed as an amount, in the currency's smallest unit; or why that is not clear. */
export type AmountReading =
  | { readonly units: string; readonly fault: null }
  | { readonly units: null; readonly fault: AmountFault }

/**
 * NOT_AN_AMOUNT: not a number as this language writes it. TOO_PRECISE: more decimals than the currency has. AMBIGUOUS: thousands here,
 * decimals elsewhere.
 */
export type AmountFault = 'NOT_AN_AMOUNT' | 'TOO_PRECISE' | 'AMBIGUOUS'

const marks = {
  'pt-BR': { point: ',', group: '.' },
  en: { point: '.', group: ',' },
} as const

/**
 * Reads an amount as the page's language writes it: the comma is decimal in Portuguese and groups in threes in English, the point the
 * other way round. Nothing else is guessed: a thousandfold mistake would be a payment.
 */
export const readAmount = (
  typed: string,
  currency: string,
  decimals: number,
  language: keyof typeof marks,
): AmountReading => {
  const { point, group } = marks[language]
  const symbol = currency === 'BRL' ? 'R$' : currency
  const text = typed.trim()
  const number = text.toUpperCase().startsWith(symbol) ? text.slice(symbol.length).trim() : text
  const [whole = '', fraction, ...more] = number.split(point)
  const [first = '', ...groups] = whole.split(group)
  const isWhole = groups.length === 0 ? /^(0|[1-9]\d*)$/.test(first) : /^[1-9]\d{0,2}$/.test(first)
  const isNumber =
    isWhole &&
    groups.every((digits) => /^\d{3}$/.test(digits)) &&
    /^\d+$/.test(fraction ?? '0') &&
    more.length === 0
  if (!isNumber) return { units: null, fault: 'NOT_AN_AMOUNT' }
  if (fraction !== undefined && fraction.length > decimals) return { units: null, fault: 'TOO_PRECISE' }
  // "1.234" of a stablecoin is a thousand to one reader, and little more than one to another.
  if (groups.length === 1 && fraction === undefined && decimals > 2)
    return { units: null, fault: 'AMBIGUOUS' }
  const units = BigInt(first + groups.join('') + (fraction ?? '').padEnd(decimals, '0'))
  return { units: units.toString(), fault: null }
}
