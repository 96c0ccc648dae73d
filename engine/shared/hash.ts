/** FNV-1a of a text in 32 bits, from a start of one's own or the standard one. */
export const fnv1a = (text: string, start = 0x811c9dc5): number => {
  let hash = start
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  return hash
}
