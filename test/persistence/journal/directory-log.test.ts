import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import { openFactLog } from '../../../persistence/journal/fact-log.ts'

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'directory-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}
const pin = (shard: number): DirectoryFact => ({ type: 'ShardPinned', shard, node: 'a' })

t.test(
  'facts that are asked for at once are decided one after the other, each on those before',
  async (t) => {
    const path = folder(t)
    const log = openFactLog<DirectoryFact>(path)
    const known: DirectoryFact[] = []
    log.follow(async (fact) => {
      // Workers take their time to know it.
      await new Promise(setImmediate)
      known.push(fact)
    })
    await Promise.all(
      Array.from({ length: 10 }, () => log.append(() => (known.length >= 3 ? null : pin(known.length)))),
    )
    t.strictSame(known, [pin(0), pin(1), pin(2)])
    await t.rejects(
      log.append(() => {
        throw new Error('no more')
      }),
      /^no more$/,
    )
    await log.append(() => pin(3))
    await log.close()
    const again = openFactLog<DirectoryFact>(path)
    t.teardown(again.close)
    t.strictSame(
      again.follow(async () => undefined),
      [0, 1, 2, 3].map(pin),
    )
  },
)
