/** The first number from `low` to `high` from which on a condition holds; `high` when it holds for none before. */
export const firstWhere = (low: number, high: number, holds: (n: number) => boolean): number => {
  let from = low
  for (let to = high; from < to; ) {
    const middle = Math.floor((from + to) / 2)
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}
