import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The path of a node's copy of a cluster's log within a shard's folder. */
export const logIn = (path: string): string => join(path, 'log')

/** Whether a shard's folder has a copy of a cluster's log. */
export const hasReplica = (path: string): boolean => existsSync(logIn(path))
