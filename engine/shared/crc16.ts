/**
 * CRC-16/CCITT-FALSE of a text's UTF-8 bytes, as four upper-case hex digits: polynomial 0x1021, initial value 0xFFFF,
 * nothing reflected, no final xor (EMV QRCPS-MPM, data object 63).
 */
export const crc16 = (text: string): string => {
  let crc = 0xffff
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) return hex(crcOfUtf8(text))
    crc = step(crc, code)
  }
  return hex(crc)
}

const crcOfUtf8 = (text: string): number => {
  let crc = 0xffff
  for (const character of text) {
    for (const byte of utf8(character.codePointAt(0)!)) crc = step(crc, byte)
  }
  return crc
}

const utf8 = (code: number): readonly number[] => {
  const tail = (shift: number) => 0x80 | ((code >> shift) & 0x3f)
  if (code < 0x80) return [code]
  if (code < 0x800) return [0xc0 | (code >> 6), tail(0)]
  if (code < 0x10000) return [0xe0 | (code >> 12), tail(6), tail(0)]
  return [0xf0 | (code >> 18), tail(12), tail(6), tail(0)]
}

const step = (crc: number, byte: number): number => ((crc << 8) & 0xffff) ^ table[(crc >> 8) ^ byte]!

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)
  return crc
})

const hex = (crc: number): string => crc.toString(16).toUpperCase().padStart(4, '0')
