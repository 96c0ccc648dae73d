import { Counter, type Registry } from 'prom-client'

/**
 * A counter that is turned into a metric only when that is read: adding to one of prom-client with labels takes 0.4 µs. Gives the tallies of its
 * labels, each of which is to be kept and counted up.
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
