import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packBatch } from '../../../persistence/codec/codec.ts'
import { entryLayoutWith } from '../../../persistence/codec/entry.ts'
import { everyKind } from './every-kind.ts'
import { fixtures, plain, type RecordedSealed } from './recorded.ts'

/** Records the life in which every fact occurs, sealed with a key that is recorded beside it. Never made again, as `record-journal.ts`. */
const [name] = process.argv.slice(2)
if (name === undefined || !/^[\w-]+$/.test(name)) throw new Error('give the recording a name')
const entries = await everyKind()
const key = { number: 7, bytes: randomBytes(32) }
const layout = entryLayoutWith({ toSeal: () => key, toOpen: () => key.bytes })
const recorded: RecordedSealed = {
  key: { number: key.number, base64: key.bytes.toString('base64') },
  batch: packBatch(layout, entries).toString('base64'),
  entries: plain(entries) as unknown as RecordedSealed['entries'],
}
writeFileSync(join(fixtures, `sealed-${name}.json.gz`), gzipSync(JSON.stringify(recorded), { level: 9 }), {
  flag: 'wx',
})
