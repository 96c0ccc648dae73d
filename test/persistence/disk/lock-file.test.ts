import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { makeLockRoom } from '../../../persistence/disk/lock-file.ts'
import { newDataDir } from '../../e2e/service.ts'

t.test('a lock file that is a hole gets its room, and keeps what is in it', (t) => {
  const path = newDataDir(t)
  const file = join(path, 'lock.mdb')
  const isWhole = (): boolean => 512 * statSync(file).blocks >= statSync(file).size
  makeLockRoom(path)
  t.ok(isWhole())
  t.equal(statSync(file).size, 3 * 4096)
  rmSync(file)
  writeFileSync(file, 'readers')
  truncateSync(file, 20_000)
  t.notOk(isWhole())
  makeLockRoom(path)
  t.ok(isWhole())
  t.equal(statSync(file).size, 20_000)
  t.equal(readFileSync(file, 'latin1').replace(/\0+$/, ''), 'readers')
  t.end()
})
