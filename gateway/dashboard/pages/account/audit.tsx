import { useState } from 'preact/hooks'
import { get, type Schemas } from '../../core/api.ts'
import { count } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useAction } from '../../core/query.ts'
import { Badge, Copy, Empty, Page, Trouble } from '../../parts/basics.tsx'
import { ActionButton, CsvButton } from '../../parts/buttons.tsx'
import { period, textFilter } from '../../parts/filter.ts'
import { statusText } from '../../parts/labels.tsx'
import { List, listQuery, useList } from '../../parts/list-page.tsx'
import { momentColumn } from '../../parts/table.tsx'

type Entry = Schemas['AuditEntry']

const narrowing = ['actor', 'action', 'objectId', 'from', 'to']

/** Who did what, when and from where, in a chain that shows whether an entry was changed. */
export const Audit = () => {
  const query = useList('/v1/audit', narrowing)
  const [verified, setVerified] = useState<Schemas['AuditCheck'] | null>(null)
  const verify = useAction(async () => setVerified(await get('/v1/audit/verify')))
  return (
    <Page
      title={t.nav.audit}
      lead={t.audit.lead}
      actions={
        <>
          <ActionButton of={verify} icon="shield" text={t.audit.verify} />
          <CsvButton path="/v1/audit/export" query={listQuery(query.filters, narrowing)} />
        </>
      }
    >
      <Trouble of={verify.problem} />
      {verified && <Verified of={verified} />}
      <List
        label={t.nav.audit}
        query={query}
        filterBy={[
          period,
          textFilter('actor', t.audit.actor, t.audit.actorHint),
          textFilter('action', t.audit.action, t.audit.actionHint),
          textFilter('objectId', t.deliveries.object),
        ]}
        columns={[
          momentColumn('at', t.audit.at),
          [
            'actor',
            t.audit.actor,
            ({ actor, ip }) => (
              <>
                {nameOf(actor)}
                <small class="sub">{isErased(actor) ? actor.id : ip}</small>
              </>
            ),
          ],
          [
            'action',
            t.audit.action,
            ({ action, object, result, code }) => (
              <>
                <code>{action}</code>{' '}
                {result === 'REFUSED' && <Badge tone="bad">{code ?? statusText('REFUSED', 'change')}</Badge>}
                <small class="sub">{object?.id}</small>
              </>
            ),
          ],
          ['changes', t.audit.changes, (entry) => <Changes of={entry} />, 'medium'],
          [
            'request',
            'requestId',
            ({ requestId }) => requestId && <Copy text={requestId} isShort />,
            'wide',
            'end',
          ],
        ]}
        empty={<Empty icon="shield" title={t.audit.none} text={t.audit.noneText} />}
      />
    </Page>
  )
}

const Verified = ({ of: { valid, entries, brokenAt, headHash } }: { of: Schemas['AuditCheck'] }) => (
  <p role="status" class={valid ? 'notice-line calm' : 'notice-line'}>
    <strong>
      {brokenAt === null ? t.audit.valid(count(entries)) : t.audit.invalid(count(brokenAt.position))}
    </strong>
    {headHash && <Copy text={headHash} isShort />}
  </p>
)

const Changes = ({ of: { changes } }: { of: Entry }) => (
  <ul class="changes">
    {changes.map(({ field, before, after }) => (
      <li key={field}>
        <code>{field}</code> {text(before)} → <strong>{text(after)}</strong>
      </li>
    ))}
  </ul>
)

/** The log keeps the id and the acts of an erased person, but not the name. */
const isErased = ({ kind, id, name }: Entry['actor']): boolean =>
  kind === 'PERSON' && id !== null && name === null

const nameOf = (actor: Entry['actor']): string =>
  isErased(actor) ? t.erasedPerson : (actor.name ?? t.actor[actor.kind])

const text = (value: unknown): string => {
  if (value === null || value === undefined || value === '' || value === '[]') return '∅'
  if (typeof value !== 'string') return JSON.stringify(value)
  // Lists arrive as JSON; a list of plain names is shown with commas.
  return /^\["[\w.,"-]*"\]$/.test(value) ? (JSON.parse(value) as string[]).join(', ') : value
}
