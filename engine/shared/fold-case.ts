/** Removes case and accents, for searches in names and e-mail addresses. */
export const foldCase = (text: string): string =>
  // Nearly all addresses and most names need no decomposition, which takes ten times as long.
  isAscii(text) ? text.toLowerCase() : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const isAscii = (text: string): boolean => {
  for (let n = 0; n < text.length; n++) if (text.charCodeAt(n) > 127) return false
  return true
}
