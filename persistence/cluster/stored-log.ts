import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Whether a shard's folder holds what a node has of a cluster's log. */
export const hasReplica = (path: string): boolean => existsSync(join(path, 'log'))
