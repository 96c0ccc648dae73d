import { constants, PerformanceObserver, performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { Histogram, type Registry } from 'prom-client'
import { sampledCounter, sampledGauge } from './sampled.ts'

/** Registers metrics of this thread: event loop, garbage collection, heap. */
export const watchThread = (
  registers: Registry[],
  worker: string,
  every: (periodMs: () => number, run: (lateMs: number) => void) => void,
): void => {
  const lag = new Histogram({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'How late a timer fires, by worker: it is due every 50 ms, and every half a second where there is next to nothing to do.',
    labelNames: ['worker'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  }).labels(worker)
  let last = performance.eventLoopUtilization()
  const lagEveryMs = (): number => {
    const before = last
    last = performance.eventLoopUtilization()
    return performance.eventLoopUtilization(last, before).utilization < idleBelow
      ? lagEveryIdleMs
      : lagEveryBusyMs
  }
  every(lagEveryMs, (lateMs) => lag.observe(lateMs / 1000))

  sampledCounter(
    registers,
    'nodejs_eventloop_active_seconds_total',
    'How long the event loop had something to do, by worker: its rate is the utilization.',
    () => performance.eventLoopUtilization().active / 1000,
    { worker },
  )

  const collections = new Histogram({
    name: 'nodejs_gc_duration_seconds',
    help: 'Garbage collections, by worker and kind.',
    labelNames: ['worker', 'kind'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5],
    registers,
  })
  new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries() as unknown as Collection[])
      collections.observe({ worker, kind: kinds.get(detail.kind) ?? 'other' }, duration / 1000)
  }).observe({ entryTypes: ['gc'] })

  const heap = (name: string, help: string, of: keyof ReturnType<typeof getHeapStatistics>): void =>
    sampledGauge(registers, name, help, () => getHeapStatistics()[of], { worker })
  heap('nodejs_heap_used_bytes', 'Of the heap what is in use, by worker.', 'used_heap_size')
  heap('nodejs_heap_limit_bytes', 'What a heap may grow to, by worker.', 'heap_size_limit')
  sampledGauge(
    registers,
    'nodejs_array_buffers_bytes',
    'Array buffers beside the heap, by worker: above all the columns of what the shards remember.',
    () => process.memoryUsage().arrayBuffers,
    { worker },
  )
}

const lagEveryBusyMs = 50
const lagEveryIdleMs = 500
/** An idle service would spend a third of its processor time on this timer. */
const idleBelow = 0.05

/** Missing from Node's types. */
type Collection = { readonly duration: number; readonly detail: { readonly kind: number } }

const kinds = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
])
