/** The sum of all values. */
export const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0)
