/** Amounts of API Pix are text with two decimals; the simulator's books count whole centavos. */
export const toCents = (valor: string): number => {
  if (!/^\d{1,10}\.\d{2}$/.test(valor)) throw new Error(`${valor} is no amount of API Pix`)
  return Number(valor.replace('.', ''))
}

/** An amount as API Pix writes it. */
export const toValor = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
