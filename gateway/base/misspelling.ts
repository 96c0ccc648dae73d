/**
 * Whether `text` was probably meant to be `name`: it differs in case or underscores, has a letter or two wrong, missing, added or
 * swapped, or shares its leading words (`TLS_CERT` for `TLS_CERT_FILE`).
 */
export const isMisspelling = (text: string, name: string): boolean => {
  const written = text.toUpperCase()
  if (written.includes('_') && name.startsWith(`${written}_`)) return true
  // A further word makes it the variable of something else: `KEEP_ALIVE_TIMEOUT`.
  if (name.includes('_') && written.startsWith(name) && written[name.length] !== '_') return true
  const [left, right] = [withoutUnderscores(written), withoutUnderscores(name)]
  const edits = toleratedEdits(Math.min(left.length, right.length))
  // Each edit changes the length by one at most. Each start compares every variable with every setting.
  return Math.abs(left.length - right.length) <= edits && editDistance(left, right) <= edits
}

/** With two edits, short names match others: `HOME` and `HOST`, `SSL_CERT_FILE` and `TLS_CERT_FILE`. */
const toleratedEdits = (length: number): number => (length < 12 ? 1 : 2)

const withoutUnderscores = (name: string): string => name.replaceAll('_', '')

/** The optimal string alignment distance: edits between two texts, where swapping neighbours counts as one. */
export const editDistance = (left: string, right: string): number => {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const differs = left[row - 1] === right[column - 1] ? 0 : 1
      const isExchange =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current[column] = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + differs,
        isExchange ? beforePrevious[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.length]!
}
