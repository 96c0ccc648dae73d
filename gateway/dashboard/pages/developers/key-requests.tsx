import type { Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { Copy, Empty, Page } from '../../parts/basics.tsx'
import { instant } from '../../parts/facts.tsx'
import { choices, textFilter } from '../../parts/filter.ts'
import { List, useList } from '../../parts/list-page.tsx'
import { Noted } from '../../parts/table.tsx'

/** One key: the newest requests of the program that has it, and how they were answered. */
export const KeyPage = ({ id }: { id: string }) => {
  const name = useGet('/v1/keys').data?.data.find((key) => key.id === id)?.name
  const query = useList('/v1/keys/{id}/requests', ['statusClass', 'path'], {}, { id })
  const back = { href: pathTo('chaves'), text: t.nav.keys }
  return (
    <Page title={name ?? t.apiKeys.one} lead={t.apiKeys.requestsLead} back={back}>
      <List
        label={t.apiKeys.requests}
        query={query}
        filterBy={[
          choices(
            'statusClass',
            t.common.status,
            ['2xx', '4xx', '5xx'].map((value) => ({ value, text: value })),
          ),
          textFilter('path', t.apiKeys.path),
        ]}
        columns={[
          ['status', t.common.status, (row) => <Answer of={row} />],
          ['path', t.apiKeys.request, (row) => <Sent of={row} />],
          ['duration', t.apiKeys.duration, ({ durationMs }) => t.apiKeys.ms(durationMs), 'end', 'medium'],
          ['id', t.apiKeys.requestId, (row) => <Copy text={row.id} isShort />, 'wide'],
          // To the second: a program sends many in a minute.
          ['at', t.apiKeys.at, ({ at }) => instant(at, 'exact'), 'end', 'when'],
        ]}
        empty={<Empty icon="key" title={t.apiKeys.noRequests} text={t.apiKeys.noRequestsText} />}
      />
    </Page>
  )
}

type KeyRequest = Schemas['KeyRequest']

const Answer = ({ of: { status, code } }: { of: KeyRequest }) => (
  <Noted note={code && <code>{code}</code>}>
    <span class={status < 400 ? undefined : 'warn-text'}>{status}</span>
  </Noted>
)

const Sent = ({ of: { method, path } }: { of: KeyRequest }) => (
  <>
    <strong>{method}</strong> <code>{path ?? t.apiKeys.unknownPath}</code>
  </>
)
