import { join } from 'node:path'
import { ownLog } from '../../persistence/cluster/shard-log.ts'
import { entryLayout } from '../../persistence/codec/entry.ts'
import { openJournal } from '../../persistence/journal/journal.ts'
import type { ShardHostOptions } from '../../persistence/shard/running-shard.ts'
import { institution, seeded } from '../engine/world.ts'
import { noWebhooks } from './no-webhooks.ts'

/** The options of a shard without webhooks and providers, over a journal in its folder, at a time that stands still. */
export const quietHost = (path: string): ShardHostOptions => ({
  number: 0,
  path,
  realNow: () => Date.UTC(2026, 10, 20, 12),
  entropy: seeded(7),
  institution,
  stream: noWebhooks,
  hasSubscribers: () => false,
  render: () => ({ body: new Uint8Array(), objectId: '' }),
  openLog: (path) =>
    ownLog(openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })),
  onProviderCall: () => undefined,
  onDue: () => undefined,
  onTrouble: () => undefined,
})
