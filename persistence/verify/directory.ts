import { join } from 'node:path'
import type { Directory, DirectoryFact } from '../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../engine/companies/evolve.ts'
import { newProgressReporter } from '../base/progress.ts'
import { continues, readRecord } from '../cluster/directory-record.ts'
import { text } from '../codec/layout.ts'
import type { StoredDirectory } from '../home/data-directory.ts'
import { type Finding, finding, todoOf } from './finding.ts'
import type { ReadJournal } from './journal.ts'
import { openReadLog, verifyLog } from './log.ts'

/** Reads and replays the journal of companies, keys and endpoints. */
export const verifyDirectory = async ({
  path,
  manifest,
  isInUse,
}: StoredDirectory): Promise<{
  readonly directory: Directory | null
  readonly problems: readonly Finding[]
}> => {
  const { home, id } = manifest
  const place = {
    path: join(path, 'directory'),
    identity: `${id} directory`,
    kind: home === null ? 'OWN' : 'FOLLOWED',
    isInUse,
  } as const
  const log = openReadLog(place, text())
  if ('text' in log) return { directory: null, problems: [log] }
  try {
    const quiet = newProgressReporter(() => undefined)
    const { problems, isWhole } = await verifyLog(log, quiet)
    if (!isWhole) return { directory: null, problems }
    const { directory, trouble } = replayed(log.journal, home !== null)
    if (trouble === null) return { directory, problems }
    return { directory: null, problems: [...problems, finding(`${trouble}; ${todoOf(null)}`)] }
  } finally {
    log.source.close()
  }
}

const replayed = ({ path, replay }: ReadJournal<string>, isOfCluster: boolean) => {
  const directory: Directory = newDirectory()
  let previous: string | null = null
  for (const { sequence, record } of replay(0)) {
    try {
      if (isOfCluster && !continues(readRecord(record), previous))
        throw new Error('it does not follow on the one before it')
      evolveDirectory(directory, factOf(record, isOfCluster))
      previous = record
    } catch (error) {
      const trouble = `${path} cannot be replayed at record ${sequence}: ${(error as Error).message}`
      return { directory, trouble }
    }
  }
  return { directory, trouble: null }
}

const factOf = (text: string, isOfCluster: boolean): DirectoryFact =>
  isOfCluster ? readRecord(text).fact : (JSON.parse(text) as DirectoryFact)
