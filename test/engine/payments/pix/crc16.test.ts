import { readFileSync } from 'node:fs'
import t from 'tap'
import { crc16 } from '../../../../engine/shared/crc16.ts'

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../../../test/vectors/crc16.json', import.meta.url), 'utf8'),
) as { vectors: { id: string; input: string; crc: string }[] }

t.test('every vector has the CRC that was published or computed for it', async (t) => {
  for (const { id, input, crc } of vectors) t.equal(crc16(input), crc, id)
})

t.test(
  'texts of any script are summed over their UTF-8 bytes, bit by bit as the definition says',
  async (t) => {
    for (const text of [
      'JOÃO',
      'AÇÃO é €5',
      '漢字',
      '😀 6304',
      'a\u0000b',
      '\u007f\u0080\u07ff\u0800\uffff',
    ]) {
      t.equal(crc16(text), bitByBit(text), text)
    }
  },
)

const bitByBit = (text: string): string => {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    for (let bit = 7; bit >= 0; bit--) {
      const carry = ((crc >> 15) ^ (byte >> bit)) & 1
      crc = ((crc << 1) & 0xffff) ^ (carry * 0x1021)
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
