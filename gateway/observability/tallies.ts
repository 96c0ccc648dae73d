import { Counter, type Registry } from 'prom-client'

/**
 * A counter whose metric is made only when it is read: adding to a prom-client counter with labels takes 0.4 µs.
 * The returned function makes the tally for some labels, which the caller keeps and counts up.
 */
export const talliedCounter = <Label extends string>(
  registers: Registry[],
  description: { readonly name: string; readonly help: string; readonly labelNames: readonly Label[] },
): ((labels: Readonly<Record<Label, string>>) => CountTally) => {
  const tallies: { readonly labels: Readonly<Record<Label, string>>; count: number }[] = []
  new Counter({
    ...description,
    registers,
    collect() {
      this.reset()
      for (const { labels, count } of tallies) this.inc(labels, count)
    },
  })
  return (labels) => {
    const tally = { labels, count: 0 }
    tallies.push(tally)
    return tally
  }
}

export type CountTally = { count: number }
