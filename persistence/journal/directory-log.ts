import type { DirectoryFact } from '../../engine/companies/directory.ts'
import type { FactLog } from './fact-log.ts'

/**
 * The facts about companies, keys, endpoints and people, in order: on this node's disk, and in a cluster the same on every
 * node.
 */
export type DirectoryLog = FactLog<DirectoryFact>
