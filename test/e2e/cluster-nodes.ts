import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { newDataDir, oneWorker, type Service, startService } from './service.ts'

/** The settings of a node in a cluster of its test’s own. */
export const clusterEnv = (url: string, node: string) => ({
  NATS_URL: url,
  CLUSTER: 'test',
  CLUSTER_REPLICAS: '1',
  NODE_ID: node,
  ...oneWorker,
})

/** A second node, with the master key of the first. */
export const joinNode = (t: Test, first: Service, env: Record<string, string>): Promise<Service> => {
  const dataDir = newDataDir(t)
  copyFileSync(join(first.dataDir, 'master.key'), join(dataDir, 'master.key'))
  return startService(t, { dataDir, env })
}
