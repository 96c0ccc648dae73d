import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { wasClosed } from '../../../persistence/disk/closed-mark.ts'
import { requireUndamaged } from '../../../persistence/disk/damage.ts'
import { openEnvironment } from '../../../persistence/disk/environment.ts'
import { closeRewritten, markForRewriting } from '../../../persistence/disk/rewritten.ts'

const options = { maxDbs: 2, database: 'meta', key: 'position' } as const

const openAt = (path: string) => {
  const root = openEnvironment<string>({ path, maxDbs: options.maxDbs })
  const db = root.openDB<Buffer, string>({ name: options.database, encoding: 'binary' })
  return { db, close: () => closeRewritten(root, path, options) }
}

t.test('a marked environment has nothing but what is in use once it is closed', async (t) => {
  const path = join(t.testdir(), 'state')
  const holds = (text: string): boolean => readFileSync(join(path, 'data.mdb')).includes(text)
  const first = openAt(path)
  await first.db.put('position', Buffer.from('kept'))
  await first.db.put('gone', Buffer.from('Zacarias'.repeat(100)))
  await first.db.remove('gone')
  await first.close()
  t.ok(holds('Zacarias'), 'as LMDB leaves it')

  const second = openAt(path)
  markForRewriting(path)
  // What a process left that was killed while it copied.
  mkdirSync(join(path, 'next'))
  writeFileSync(join(path, 'next', 'data.mdb'), 'half')
  await second.close()
  t.notOk(holds('Zacarias'))
  t.notOk(existsSync(join(path, 'next')))
  t.ok(wasClosed(path))
  requireUndamaged(path)

  const third = openAt(path)
  t.equal(String(third.db.get('position')), 'kept')
  await third.db.put('gone', Buffer.from('Yolanda'.repeat(100)))
  await third.db.remove('gone')
  await third.close()
  t.ok(holds('Yolanda'), 'it is done once for each mark')
  requireUndamaged(path)
})
