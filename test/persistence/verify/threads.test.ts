import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openStoredDirectory } from '../../../persistence/home/data-directory.ts'
import { verifyStoredDirectory } from '../../../persistence/verify/verify.ts'
import { copyOf, makeStoredDirectory } from '../stored-directory.ts'

const pageBytes = 4096

t.test('shards that are checked in threads are as those that are checked one after the other', async (t) => {
  const whole = await makeStoredDirectory(t)
  const damaged = copyOf(t, whole)
  const file = join(damaged, 'shards/01/journal/data.mdb')
  const bytes = readFileSync(file)
  // More than one page: any single one may be free, and is then read by no one.
  for (let page = pageBytes * Math.ceil(bytes.length / pageBytes / 2); page < bytes.length; page += pageBytes)
    bytes.fill(7, page + 100, page + pageBytes)
  writeFileSync(file, bytes)
  for (const path of [whole, damaged]) {
    const data = await openStoredDirectory(path, 'LOOK')
    const reports = [1, 2].map((threads) =>
      verifyStoredDirectory(data, join(path, 'master.key'), () => undefined, { threads }),
    )
    const [expected, found] = await Promise.all(reports)
    // First what a thread says that could not do it.
    t.strictSame(found!.problems, expected!.problems)
    t.strictSame(found, expected)
    t.equal(found!.problems.length > 0, path === damaged)
    t.ok(found!.entries > 80)
    await data.release()
  }
})
