/** Numbers for the few texts that many rows share, in the order in which they came. */
export type Labels = {
  readonly numberOf: (label: string) => number
  readonly all: readonly string[]
}

export const newLabels = (known: readonly string[]): Labels => {
  const all = [...known]
  const numbers = new Map(all.map((label, number) => [label, number]))
  return {
    numberOf: (label) => {
      let number = numbers.get(label)
      if (number === undefined) {
        number = all.push(label) - 1
        numbers.set(label, number)
      }
      return number
    },
    all,
  }
}
