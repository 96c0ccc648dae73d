import { useEffect } from 'preact/hooks'
import { post, type Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { onNotice } from '../../core/live.ts'
import { refresh, useAction } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { Empty, Page, Trouble } from '../../parts/basics.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { choices } from '../../parts/filter.ts'
import { List, useList } from '../../parts/list-page.tsx'
import { noticeText } from '../../parts/notice-text.ts'
import { pageOf } from '../../parts/page-of.ts'
import { momentColumn } from '../../parts/table.tsx'

/** Notices: what happened that a person should know. */
export const Notices = () => {
  const query = useList('/v1/notifications', ['unread'])
  useEffect(() => onNotice(query.poll))
  const read = useAction(async (ids?: string[]) => {
    await post('/v1/notifications/read', { body: ids === undefined ? {} : { ids } })
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
          <ActionButton of={read} icon="check" text={t.notices.readAll} />
        </>
      }
    >
      <Trouble of={read.problem} />
      <List
        label={t.nav.notices}
        query={query}
        filterBy={[choices('unread', t.notices.unread, [{ value: 'true', text: t.common.yes }], true)]}
        columns={[
          [
            'title',
            t.notices.what,
            (notice) => <Summary of={notice} onRead={() => void read.run([notice.id])} />,
          ],
          momentColumn('createdAt', t.common.when, 'end'),
        ]}
        empty={<Empty icon="bell" title={t.notices.none} text={t.notices.noneText} />}
      />
    </Page>
  )
}

const Summary = ({ of, onRead }: { of: Schemas['Notice']; onRead: () => void }) => {
  const { kind, readAt, count, objectId } = of
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
      <small class="sub">{noticeText(of)}</small>
      {page && (
        <a href={pathTo(page)} onClick={() => readAt === null && onRead()}>
          {t.common.open}
        </a>
      )}
    </>
  )
}
