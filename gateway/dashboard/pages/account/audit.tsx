import { useState } from 'preact/hooks'
import type { components } from '#generated/api'
import { api, dataOf, downloadPath } from '../../core/api.ts'
import { count } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useAction } from '../../core/query.ts'
import { Badge, Button, Copy, Empty, LinkButton, Moment, Page, Trouble } from '../../parts/basics.tsx'
import { List, listQuery, useList } from '../../parts/list-page.tsx'

type AuditEntry = components['schemas']['AuditEntry']
type AuditCheck = components['schemas']['AuditCheck']

const narrowing = ['actor', 'action', 'objectId', 'from', 'to']

/** Who did what, when and from where, in a chain that shows whether an entry was changed. */
export const Audit = () => {
  const query = useList('/v1/audit', narrowing)
  const [verified, setVerified] = useState<AuditCheck | null>(null)
  const verify = useAction(async () => setVerified(await dataOf(api.GET('/v1/audit/verify'))))
  return (
    <Page
      title={t.nav.audit}
      lead={t.audit.lead}
      actions={
        <>
          <Button icon="shield" isBusy={verify.isBusy} onClick={() => void verify.run()}>
            {t.audit.verify}
          </Button>
          <LinkButton
            icon="download"
            download
            href={downloadPath('/v1/audit/export', listQuery(query.filters, narrowing))}
          >
            {t.common.csv}
          </LinkButton>
        </>
      }
    >
      <Trouble of={verify.problem} />
      {verified && (
        <p role="status" class={verified.valid ? 'notice-line calm' : 'notice-line'}>
          <strong>
            {verified.brokenAt === null
              ? t.audit.valid(count(verified.entries))
              : t.audit.invalid(count(verified.brokenAt.position))}
          </strong>
          {verified.headHash && <Copy text={verified.headHash} isShort />}
        </p>
      )}
      <List
        label={t.nav.audit}
        query={query}
        keyOf={({ id }) => id}
        filterBy={[
          { kind: 'period' },
          { kind: 'text', name: 'actor', title: t.audit.actor, hint: t.audit.actorHint },
          { kind: 'text', name: 'action', title: t.audit.action, hint: t.audit.actionHint },
          { kind: 'text', name: 'objectId', title: t.deliveries.object },
        ]}
        columns={[
          { id: 'at', title: t.audit.at, cell: ({ at }) => <Moment at={at} /> },
          {
            id: 'actor',
            title: t.audit.actor,
            cell: ({ actor, ip }) => (
              <>
                {nameOf(actor)}
                <small class="sub">{isErased(actor) ? actor.id : ip}</small>
              </>
            ),
          },
          {
            id: 'action',
            title: t.audit.action,
            cell: ({ action, object, result, code }) => (
              <>
                <code>{action}</code>{' '}
                {result === 'REFUSED' && <Badge tone="bad">{code ?? t.status.REFUSED}</Badge>}
                <small class="sub">{object?.id}</small>
              </>
            ),
          },
          {
            id: 'changes',
            title: t.audit.changes,
            from: 'medium',
            cell: ({ changes }) => (
              <ul class="changes">
                {changes.map(({ field, before, after }) => (
                  <li key={field}>
                    <code>{field}</code> {text(before)} → <strong>{text(after)}</strong>
                  </li>
                ))}
              </ul>
            ),
          },
          {
            id: 'request',
            title: 'requestId',
            from: 'wide',
            align: 'end',
            cell: ({ requestId }) => requestId && <Copy text={requestId} isShort />,
          },
        ]}
        empty={
          <Empty icon="shield" title={t.audit.none}>
            {t.audit.noneText}
          </Empty>
        }
      />
    </Page>
  )
}

/** The log keeps of them what they did, and their id. */
const isErased = ({ kind, id, name }: AuditEntry['actor']): boolean =>
  kind === 'PERSON' && id !== null && name === null

const nameOf = (actor: AuditEntry['actor']): string =>
  isErased(actor) ? t.erasedPerson : (actor.name ?? t.actor[actor.kind])

const text = (value: unknown): string => {
  if (value === null || value === undefined || value === '' || value === '[]') return '∅'
  if (typeof value !== 'string') return JSON.stringify(value)
  // Lists are written as JSON: of names, their names are enough.
  return /^\["[\w.,"-]*"\]$/.test(value) ? (JSON.parse(value) as string[]).join(', ') : value
}
