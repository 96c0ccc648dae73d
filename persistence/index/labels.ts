/** Numbers for the few texts that many rows share, in the order in which they came. */
export type Labels = { readonly all: string[]; readonly numbers: Map<string, number> }

export const newLabels = (known: readonly string[]): Labels => ({
  all: [...known],
  numbers: new Map(known.map((label, number) => [label, number])),
})

export const labelNumber = ({ all, numbers }: Labels, label: string): number => {
  let number = numbers.get(label)
  if (number === undefined) {
    number = all.push(label) - 1
    numbers.set(label, number)
  }
  return number
}
