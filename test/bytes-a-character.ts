import { serialize } from 'node:v8'

/** How many bytes V8 keeps a character of a text in: its serialization begins with a tag for one (`"`) or two (`c`), perhaps after padding. */
export const bytesACharacter = (text: string): 1 | 2 => {
  const tag = serialize(text)
    .subarray(2)
    .find((byte) => byte !== 0)
  if (tag === 0x22) return 1
  if (tag === 0x63) return 2
  throw new Error(`V8 writes texts in another way: ${tag}`)
}
