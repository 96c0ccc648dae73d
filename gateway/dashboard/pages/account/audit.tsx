import { useState } from 'preact/hooks'
import { get, type Schemas } from '../../core/api.ts'
import { count } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useAction, useGet } from '../../core/query.ts'
import { currentPlace } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Copy, Empty, Page, Trouble } from '../../parts/basics.tsx'
import { ActionButton, CsvButton } from '../../parts/buttons.tsx'
import { choices, nameOptions, period, textFilter } from '../../parts/filter.ts'
import { List, listQuery, useList } from '../../parts/list-page.tsx'
import { momentColumn } from '../../parts/table.tsx'
import type { AuditTexts } from '../../texts/audit-pt.ts'
import { Details } from './audit-details.tsx'
import { actText, Said } from './audit-sentence.tsx'
import { useAuditTexts } from './audit-texts.ts'

const narrowing = ['actor', 'action', 'objectId', 'from', 'to']

/** Who did what, when and from where, in a chain that shows whether an entry was changed. */
export const Audit = () => {
  const { say, ...texts } = useAuditTexts()
  return say === null ? <Page title={t.nav.audit} unread={texts} /> : <AuditLog say={say} />
}

const AuditLog = ({ say }: { say: AuditTexts }) => {
  const query = useList('/v1/audit', narrowing)
  const [verified, setVerified] = useState<Schemas['AuditCheck'] | null>(null)
  const verify = useAction(async () => setVerified(await get('/v1/audit/verify')))
  const objects = new Map((query.data?.objects ?? []).map((one) => [one.id, one]))
  const actors = useActors(say)
  return (
    <Page
      title={t.nav.audit}
      lead={say.lead}
      actions={
        <>
          <ActionButton of={verify} icon="shield" text={say.verify} />
          <CsvButton path="/v1/audit/export" query={listQuery(query.filters, narrowing)} />
        </>
      }
    >
      <Trouble of={verify.problem} />
      {verified && <Verified of={verified} say={say} />}
      <List
        label={t.nav.audit}
        query={query}
        filterBy={[
          choices('actor', say.actor, actors, true),
          choices('action', say.action, actOptions(say), true),
          period,
          textFilter('objectId', say.object, say.objectHint),
        ]}
        columns={[
          [
            'action',
            say.action,
            (entry) => {
              const object = entry.object && objects.get(entry.object.id)
              return (
                <>
                  <Said of={entry} about={object} say={say} />
                  <Details of={entry} about={object} say={say} />
                </>
              )
            },
          ],
          momentColumn('at', t.common.when, 'end'),
        ]}
        empty={<Empty icon="shield" title={say.none} text={say.noneText} />}
      />
    </Page>
  )
}

/** The actors to choose from: people, keys and the operator. */
const useActors = (say: AuditTexts) => {
  const team = useGet(can('team.read') ? '/v1/team' : null)
  const keys = useGet(can('keys.read') ? '/v1/keys' : null)
  return [
    ...(team.data?.members ?? []).map(({ personId, name }) => ({ value: personId, text: name })),
    ...nameOptions(keys.data?.data).map(({ value, text }) => ({ value, text: say.key(text) })),
    { value: 'OPERATOR', text: say.operator },
  ]
}

/** Every act in words, once: the command line does some of them under other names. */
const actOptions = (say: AuditTexts) => {
  const isSandbox = currentPlace()?.environment === 'SANDBOX'
  const byText = new Map<string, string>()
  for (const action of Object.keys(say.acts)) {
    if (!isSandbox && /Sandbox|^sandbox|^trigger/.test(action)) continue
    const text = actText(say, action, false)
    const title = text.slice(0, 1).toUpperCase() + text.slice(1)
    if (!byText.has(title)) byText.set(title, action)
  }
  return [...byText].map(([text, value]) => ({ value, text })).sort((a, b) => a.text.localeCompare(b.text))
}

const Verified = ({
  of: { valid, entries, brokenAt, headHash },
  say,
}: {
  of: Schemas['AuditCheck']
  say: AuditTexts
}) => (
  <p role="status" class={valid ? 'notice-line calm' : 'notice-line'}>
    <strong>{brokenAt === null ? say.valid(count(entries)) : say.invalid(count(brokenAt.position))}</strong>
    {headHash && <Copy text={headHash} isShort />}
  </p>
)
