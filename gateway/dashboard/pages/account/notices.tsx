import { api, dataOf } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import type { Notice } from '../../core/people-paths.ts'
import { refresh, useAction } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { Button, Empty, Moment, Page } from '../../parts/basics.tsx'
import { List, useList } from '../../parts/list-page.tsx'

/** Notices: what happened that a person should know. */
export const Notices = () => {
  const query = useList<Notice>('/v1/notifications', ['unread'])
  const read = useAction(async () => {
    await dataOf(api.POST('/v1/notifications/read', { body: {} }))
    refresh('/v1/notifications')
  })
  return (
    <Page
      title={t.nav.notices}
      lead={t.notices.lead}
      actions={
        <Button icon="check" isBusy={read.isBusy} onClick={() => void read.run()}>
          {t.notices.readAll}
        </Button>
      }
    >
      <List
        label={t.nav.notices}
        query={query}
        keyOf={({ id }) => id}
        filterBy={[
          {
            kind: 'choices',
            name: 'unread',
            title: t.notices.unread,
            isSingle: true,
            options: [{ value: 'true', text: t.common.yes }],
          },
        ]}
        columns={[
          {
            id: 'title',
            title: t.notices.what,
            cell: ({ title, text, readAt, objectId }) => (
              <>
                {readAt === null ? <strong>{title}</strong> : title}
                <small class="sub">{text}</small>
                {objectId && pageOf(objectId) && <a href={pathTo(pageOf(objectId)!)}>{t.common.open}</a>}
              </>
            ),
          },
          {
            id: 'kind',
            title: t.notices.kind,
            from: 'wide',
            cell: ({ kind }) => (t.noticeKind as Readonly<Record<string, string>>)[kind] ?? kind,
          },
          { id: 'at', title: t.audit.at, align: 'end', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        empty={
          <Empty icon="bell" title={t.notices.none}>
            {t.notices.noneText}
          </Empty>
        }
      />
    </Page>
  )
}

/** The page of an object by its id. */
export const pageOf = (id: string): string | null => {
  const page = pagesByPrefix[id.slice(0, 4)]
  return page === undefined ? null : `${page}/${id}`
}

const pagesByPrefix: Readonly<Record<string, string>> = {
  txn_: 'transacoes',
  cus_: 'clientes',
  sub_: 'assinaturas',
  inv_: 'faturas',
  pln_: 'planos',
  dlv_: 'entregas',
  whk_: 'webhooks',
  tkt_: 'suporte',
}
