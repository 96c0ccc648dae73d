import { assert } from '../../../shared/assert.ts'

/** Five elements per digit, two of them wide (brazil.md 2.7). */
const patterns = ['00110', '10001', '01001', '11000', '00101', '10100', '01100', '00011', '10010', '01010']

/**
 * Interleaved 2 of 5: the elements from left to right, alternating bar and space, `1` for a wide one. The bars encode
 * the first digit of each pair, the spaces the second.
 */
export const interleavedElements = (digits: string): string => {
  assert(/^(\d\d)+$/.test(digits), 'interleaved 2 of 5 takes an even number of digits')
  let elements = '0000'
  for (let n = 0; n < digits.length; n += 2) {
    const bars = patterns[Number(digits[n])]!
    const spaces = patterns[Number(digits[n + 1])]!
    for (let k = 0; k < 5; k++) elements += bars[k]! + spaces[k]!
  }
  return `${elements}100`
}
