/** Numbers for the few texts that many rows share, in order of appearance. */
export type Labels = { readonly all: string[]; readonly numbers: Map<string, number> }

/** Labels that a snapshot holds already. */
export const newLabels = (known: readonly string[]): Labels => ({
  all: [...known],
  numbers: new Map(known.map((label, number) => [label, number])),
})

/** The number of a label, new if needed. */
export const labelNumber = ({ all, numbers }: Labels, label: string): number => {
  let number = numbers.get(label)
  if (number === undefined) {
    number = all.push(label) - 1
    numbers.set(label, number)
  }
  return number
}
