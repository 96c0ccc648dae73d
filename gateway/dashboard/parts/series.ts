/** A series over the days of a chart. */
export type Series = {
  readonly id: string
  readonly name: string
  readonly values: readonly (number | null)[]
}
