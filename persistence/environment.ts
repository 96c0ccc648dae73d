import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Whether there is an LMDB environment; opening a missing one would create it. */
export const hasEnvironment = (path: string): boolean => existsSync(join(path, 'data.mdb'))
