import type { Registry } from 'prom-client'

/**
 * A histogram of durations, counted in typed arrays: one addition for an observation, and Prometheus's form of it is made when it is
 * read. A label's values are few, or it would grow without end.
 */
export type Durations<Labels extends string> = {
  /** The series with these labels: look it up once, and keep it. */
  readonly of: (labels: Readonly<Record<Labels, string>>) => Observed
}

export type Observed = { readonly observe: (ms: number) => void }

/** Registers a histogram with these upper bounds, in seconds. */
export const durations = <Labels extends string = never>(
  registry: Registry,
  {
    name,
    help,
    buckets,
  }: { readonly name: string; readonly help: string; readonly buckets: readonly number[] },
): Durations<Labels> => {
  const bounds = Float64Array.from(buckets, (seconds) => seconds * 1000)
  const series: Series[] = []

  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: series.flatMap((one) => valuesOf(name, buckets, one)),
  })
  // prom-client takes any object with these members for a metric.
  registry.registerMetric({ name, get } as never)

  return {
    of: (labels) => {
      const counts = new Float64Array(bounds.length + 1)
      const one: Series = { labels, counts, sumMs: 0 }
      series.push(one)
      return {
        observe: (ms) => {
          let bucket = 0
          while (bucket < bounds.length && ms > bounds[bucket]!) bucket += 1
          counts[bucket]! += 1
          one.sumMs += ms
        },
      }
    },
  }
}

type Series = {
  readonly labels: Readonly<Record<string, string>>
  /** How many observations each bucket has; the last is without a bound. */
  readonly counts: Float64Array
  sumMs: number
}

/** The samples of a series: each bucket counts those before it, too. */
const valuesOf = (name: string, buckets: readonly number[], { labels, counts, sumMs }: Series) => {
  let count = 0
  const cumulated = [...buckets, '+Inf'].map((le, n) => {
    count += counts[n]!
    return { labels: { ...labels, le }, value: count, metricName: `${name}_bucket` }
  })
  return [
    ...cumulated,
    { labels, value: sumMs / 1000, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ]
}
