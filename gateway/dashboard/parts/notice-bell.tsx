import { useEffect } from 'preact/hooks'
import { t } from '../core/language.ts'
import { onNotice } from '../core/live.ts'
import { useGet } from '../core/query.ts'
import { pathTo } from '../core/router.ts'
import { Icon } from './icons.tsx'

/** How many notices are unread, kept current; it leads to them. */
export const NoticeBell = () => {
  const { data, poll } = useGet('/v1/notifications', {
    query: { unread: 'true', pageSize: 1 },
    isBackground: true,
  })
  useEffect(() => onNotice(poll))
  const total = data?.pagination.total ?? 0
  const name = total === 0 ? t.nav.notices : t.notices.count(total)
  return (
    <a class="button quiet icon-only bell" href={pathTo('avisos')} aria-label={name} title={name}>
      <Icon name="bell" size={18} />
      {total > 0 && (
        <span class="bell-mark" aria-hidden="true" data-count={total > 99 ? '99+' : String(total)} />
      )}
    </a>
  )
}
