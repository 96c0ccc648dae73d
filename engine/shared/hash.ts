/** 32-bit FNV-1a of a text, from the standard offset or a given one. */
export const fnv1a = (text: string, start = 0x811c9dc5): number => {
  let hash = start
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  return hash
}
