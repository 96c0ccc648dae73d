import { join } from 'node:path'
import type { Test } from 'tap'
import { openStoredDirectory } from '../../persistence/home/data-directory.ts'
import { verifyStoredDirectory } from '../../persistence/verify/verify.ts'
import { type Scope, type Service, startService } from './service.ts'

/** Kills it with -9, looks at what is on its disk, and starts it again. */
export const killAndRestart = async (
  t: Scope & Pick<Test, 'strictSame'>,
  { dataDir, kill }: Service,
  env: Record<string, string>,
  title: string,
): Promise<Service> => {
  await kill('SIGKILL')
  t.strictSame(await problemsIn(dataDir), [], `${title}: states, ledger and columns agree`)
  return startService(t, { dataDir, env })
}

/**
 * What `payments verify` says of a data directory whose service has ended. It is read from the disk in this process: the command would take a
 * process of its own, which `test/e2e/verify.test.ts` starts.
 */
export const problemsIn = async (dataDir: string): Promise<readonly string[]> => {
  const data = await openStoredDirectory(dataDir, 'STOPPED')
  try {
    const { problems } = await verifyStoredDirectory(data, join(dataDir, 'master.key'))
    return problems.map(({ text }) => text)
  } finally {
    await data.release()
  }
}
