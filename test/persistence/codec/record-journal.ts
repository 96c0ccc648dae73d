import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packBatch } from '../../../persistence/codec/codec.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { everyKind } from './every-kind.ts'
import { fixtures, plain, type Recorded, statesOf } from './recorded.ts'

/**
 * Records the life in which every fact occurs, as this program writes it. A recording is never made again: a new kind of
 * fact, or a new layout of one, has a new file, whose name is given.
 */
const [name] = process.argv.slice(2)
if (name === undefined || !/^[\w-]+$/.test(name)) throw new Error('give the recording a name')
const entries = await everyKind()
const recorded: Recorded = {
  batch: packBatch(entryLayout, entries).toString('base64'),
  entries: plain(entries) as unknown as Recorded['entries'],
  states: statesOf(entries),
}
writeFileSync(join(fixtures, `journal-${name}.json.gz`), gzipSync(JSON.stringify(recorded), { level: 9 }), {
  flag: 'wx',
})
