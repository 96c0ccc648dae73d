import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where a shard's folder holds what a node has of a cluster's log. */
export const logIn = (path: string): string => join(path, 'log')

/** Whether it does. */
export const hasReplica = (path: string): boolean => existsSync(logIn(path))
