/**
 * Whether `text` was probably meant to be `name`: with other case or underscores, with a letter or two that are wrong,
 * missing, added or exchanged, or as its beginning or continuation by whole words (`TLS_CERT` for `TLS_CERT_FILE`).
 */
export const isMisspelling = (text: string, name: string): boolean => {
  const written = text.toUpperCase()
  if (written.includes('_') && name.startsWith(`${written}_`)) return true
  if (name.includes('_') && written.startsWith(name)) return true
  const [left, right] = [withoutUnderscores(written), withoutUnderscores(name)]
  return distance(left, right) <= toleratedEdits(Math.min(left.length, right.length))
}

/** Two edits make other words of all but long names: `HOME` and `HOST`, `SSL_CERT_FILE` and `TLS_CERT_FILE`. */
const toleratedEdits = (length: number): number => (length < 12 ? 1 : 2)

const withoutUnderscores = (name: string): string => name.replaceAll('_', '')

/** Edits between two texts, two exchanged neighbours counting as one: the optimal string alignment distance. */
const distance = (left: string, right: string): number => {
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
