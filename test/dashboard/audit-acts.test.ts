import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { openOperations } from '../../gateway/operator/operations.ts'
import { routes } from '../../gateway/routes/index.ts'
import { openDesk } from '../gateway/operations/people/desk.ts'

/** The audit log says each act in words, in both languages. What acts there are, the code says: routes, and the operations of the main thread. */

const built = resolve(import.meta.dirname, '../../gateway/dashboard')
const manifest = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8'))

/** Operations that only read, or that leave no entry: they begin something, or are about the service alone. */
const unrecorded = new Set([
  ...['company branding', 'company checklist', 'keys requests'],
  ...[
    'companies get',
    'companies list',
    'company get',
    'invitations read',
    'keys get',
    'keys list',
    'links list',
  ],
  ...['links show', 'connections get', 'connections list', 'connections providers'],
  ...['me sessions', 'me show', 'people list', 'session catch-up', 'session passkey-options'],
  ...['suspense list', 'suspense show', 'reconciliations list', 'reconciliations show'],
  ...['session show', 'team show', 'tickets list', 'tickets show', 'webhooks deliveries'],
  ...['webhooks failures', 'webhooks get', 'webhooks health', 'webhooks list', 'webhooks types'],
])

const audited = routes.filter(({ isAudited }) => isAudited).map(({ operationId }) => operationId)
const operations = [...Object.keys(openDesk().operations), ...Object.keys(openOperations({} as never))]
/** What the command line records of its own: an export in pieces. */
const ofOperators = ['export']
/** What the service does by itself, in time. */
const ofClock = ['payers forget']

for (const [file, name] of [
  ['audit-pt.ts', 'auditPt'],
  ['audit-en.ts', 'auditEn'],
] as const)
  t.test(`${name}: no act is shown by its name in the code`, async (t) => {
    const { acts, requested } = (await import(join(built, manifest[file])))[name] as {
      readonly acts: Readonly<Record<string, string>>
      readonly requested: Readonly<Record<string, string>>
    }
    t.ok(audited.length > 90, 'routes that are recorded')
    t.ok(operations.length > 60, 'operations of the main thread')
    const wanted = new Set(
      [...audited, ...operations, ...ofOperators, ...ofClock].filter((one) => !unrecorded.has(one)),
    )
    t.strictSame(
      [...wanted].filter((act) => !(act in acts)),
      [],
      'without a sentence',
    )
    t.strictSame(
      Object.keys(acts).filter((act) => !wanted.has(act)),
      [],
      'a sentence of nothing',
    )
    t.strictSame(
      Object.keys(requested).filter((act) => !(act in acts)),
      [],
      'a first half of nothing',
    )
    t.strictSame(
      [...unrecorded].filter((one) => !operations.includes(one)),
      [],
      'an exception for nothing',
    )
    for (const text of Object.values(acts)) t.match(text, /^[^|]+\|\S+/, 'said of what was done, and tried')
  })
