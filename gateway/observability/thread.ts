import { constants, PerformanceObserver, performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { Histogram, type Registry } from 'prom-client'
import { sampledCounter, sampledGauge } from './sampled.ts'

/** Registers metrics of this thread: event loop, garbage collection, heap. */
export const watchThread = (registers: Registry[], worker: string): void => {
  const lag = new Histogram({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'How late a timer fires that is due every 50 ms, by worker.',
    labelNames: ['worker'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  }).labels(worker)
  let last = performance.now()
  setInterval(() => {
    const atMs = performance.now()
    lag.observe(Math.max(0, atMs - last - lagEveryMs) / 1000)
    last = atMs
  }, lagEveryMs).unref()

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

const lagEveryMs = 50

/** Missing from Node's types. */
type Collection = { readonly duration: number; readonly detail: { readonly kind: number } }

const kinds = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
])
