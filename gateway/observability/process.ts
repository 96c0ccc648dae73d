import { statfsSync } from 'node:fs'
import { Gauge, Registry } from 'prom-client'
import { version } from '../base/version.ts'
import { connectionMetrics, type ShownConnection } from './connection-metrics.ts'
import { descriptorsMax, descriptorsOpen } from './descriptors.ts'
import type { MetricSources } from './metrics.ts'
import { sampledCounter, sampledGauge } from './sampled.ts'
import { watchThread } from './thread.ts'

/**
 * The metrics of the whole process: its identity and resources, under the names that Prometheus client libraries share (Writing
 * client libraries, Process metrics). File descriptors are known only on Linux.
 */
export const openProcessMetrics = (options: {
  readonly dataDir: string
  /** Null means the data directory. */
  readonly archiveDir: string | null
  readonly transport: string
  readonly connections: () => readonly ShownConnection[]
  readonly every: MetricSources['every']
}): Registry => {
  const registry = new Registry()
  const registers = [registry]
  const gauge = sampledGauge.bind(null, registers)
  new Gauge({
    name: 'payments_build_info',
    help: 'What runs: always 1.',
    labelNames: ['version', 'node', 'transport'],
    registers,
  }).set({ version, node: process.versions.node, transport: options.transport }, 1)
  sampledCounter(
    registers,
    'process_cpu_seconds_total',
    'Processor time of all threads, user and system.',
    () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  )
  const startedAtMs = Date.now() - process.uptime() * 1000
  gauge('process_start_time_seconds', 'When the process started, since the epoch.', () => startedAtMs / 1000)
  gauge('process_resident_memory_bytes', 'Memory that is in use, of all threads.', () =>
    process.memoryUsage.rss(),
  )
  gauge('process_open_fds', 'Open file descriptors.', descriptorsOpen)
  gauge('process_max_fds', 'As many as may be open.', descriptorsMax)
  const { dataDir, archiveDir } = options
  const disk = (path: string, blocks: 'blocks' | 'bavail') => (): number => {
    try {
      const found = statfsSync(path)
      return found[blocks] * found.bsize
    } catch {
      // The disk of an archive may be away.
      return Number.NaN
    }
  }
  gauge('payments_disk_size_bytes', 'The file system of the data directory.', disk(dataDir, 'blocks'))
  gauge('payments_disk_free_bytes', 'What is free of it for the service.', disk(dataDir, 'bavail'))
  const archive = archiveDir ?? dataDir
  gauge('payments_archive_disk_size_bytes', 'The file system of the archive.', disk(archive, 'blocks'))
  gauge('payments_archive_disk_free_bytes', 'What is free of it for the service.', disk(archive, 'bavail'))
  connectionMetrics(registers, options.connections)
  watchThread(registers, 'main', options.every)
  return registry
}
