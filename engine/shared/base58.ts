const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Bytes in Base58; each zero at the beginning is a 1. */
export const base58 = (bytes: Uint8Array): string => {
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  for (; value > 0n; value /= 58n) text = alphabet[Number(value % 58n)]! + text
  return '1'.repeat(leading(bytes, 0)) + text
}

/** The bytes of a Base58 text; null if it has any other character. */
export const readBase58 = (text: string): Uint8Array | null => {
  let value = 0n
  for (const char of text) {
    const digit = alphabet.indexOf(char)
    if (digit === -1) return null
    value = value * 58n + BigInt(digit)
  }
  const bytes: number[] = []
  for (; value > 0n; value /= 256n) bytes.unshift(Number(value % 256n))
  return Uint8Array.from([...Array<number>(leading([...text], '1')).fill(0), ...bytes])
}

const leading = <Item>(items: ArrayLike<Item>, item: Item): number => {
  let count = 0
  while (count < items.length && items[count] === item) count++
  return count
}
