import type { ShownView } from './route.ts'

/**
 * Keeps the bytes of a route's answers, each beside the state that it shows, which is immutable: they leave memory with it. What is read
 * again, as a charge that a shop waits for, need not be written again.
 */
export const newKeptAnswers = (write: (answer: object) => Buffer): ((view: ShownView) => Buffer) => {
  const kept = new WeakMap<object, { readonly shows: readonly unknown[]; readonly bytes: Buffer }>()
  return ({ shows, bodyOf }) => {
    const [state] = shows
    const known = kept.get(state)
    if (known !== undefined && isSame(known.shows, shows)) return known.bytes
    const written = write(bodyOf())
    // A view would keep all the memory that it is a part of.
    const bytes = Buffer.allocUnsafeSlow(written.length)
    written.copy(bytes)
    kept.set(state, { shows, bytes })
    return bytes
  }
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean => {
  if (a.length !== b.length) return false
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false
  return true
}
