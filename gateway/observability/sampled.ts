import { Counter, Gauge, type Registry } from 'prom-client'

type Labels = Readonly<Record<string, string>>

/** Registers a counter of something that counts by itself: it is read when the metrics are. */
export const sampledCounter = (
  registers: Registry[],
  name: string,
  help: string,
  value: () => number,
  labels: Labels = {},
): void => {
  let reported = 0
  new Counter({
    name,
    help,
    labelNames: Object.keys(labels),
    registers,
    collect() {
      const sample = value()
      this.inc(labels, sample - reported)
      reported = sample
    },
  })
}

/** Registers a gauge that is read when the metrics are; it has no sample while its value is null. */
export const sampledGauge = (
  registers: Registry[],
  name: string,
  help: string,
  value: () => number | null,
  labels: Labels = {},
): void => {
  new Gauge({
    name,
    help,
    labelNames: Object.keys(labels),
    registers,
    collect() {
      const sample = value()
      if (sample === null) this.remove(labels)
      else this.set(labels, sample)
    },
  })
}
