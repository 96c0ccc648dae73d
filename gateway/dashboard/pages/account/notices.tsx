import { useEffect } from 'preact/hooks'
import { api, dataOf } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { onNotice } from '../../core/live.ts'
import { refresh, useAction } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { Button, Empty, Moment, Page, Trouble } from '../../parts/basics.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { noticeText } from '../../parts/notice-text.ts'
import { pageOf } from '../../parts/page-of.ts'

/** Notices: what happened that a person should know. */
export const Notices = () => {
  const query = useList('/v1/notifications', ['unread'])
  useEffect(() => onNotice(query.poll))
  const read = useAction(async (ids?: string[]) => {
    await dataOf(api.POST('/v1/notifications/read', { body: ids === undefined ? {} : { ids } }))
    refresh('/v1/notifications')
  })
  return (
    <Page
      title={t.nav.notices}
      lead={t.notices.lead}
      actions={
        <>
          <a class="button" href={pathTo('eu')}>
            {t.me.mails}
          </a>
          <Button icon="check" isBusy={read.isBusy} onClick={() => void read.run()}>
            {t.notices.readAll}
          </Button>
        </>
      }
    >
      <Trouble of={read.problem} />
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
            cell: (notice) => {
              const { id, kind, readAt, count, objectId } = notice
              const page = objectId === null ? null : pageOf(objectId)
              return (
                <>
                  {readAt === null ? (
                    <strong>
                      <span class="visually-hidden">{t.notices.isUnread} </span>
                      {t.noticeKind[kind]}
                    </strong>
                  ) : (
                    t.noticeKind[kind]
                  )}
                  {count > 1 && <span class="muted"> × {count}</span>}
                  <small class="sub">{noticeText(notice)}</small>
                  {page && (
                    <a href={pathTo(page)} onClick={() => readAt === null && void read.run([id])}>
                      {t.common.open}
                    </a>
                  )}
                </>
              )
            },
          },
          {
            id: 'at',
            title: t.audit.at,
            align: 'end',
            cell: ({ createdAt }) => <Moment at={createdAt} />,
          },
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
