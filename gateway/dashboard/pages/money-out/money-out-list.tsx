import type { ComponentChildren } from 'preact'
import { downloadPath, type Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Empty, LinkButton, Page, Tabs } from '../../parts/basics.tsx'
import { dialect } from '../../parts/buttons.tsx'
import type { Filter } from '../../parts/filter.ts'
import { optionsOf } from '../../parts/labels.tsx'
import { List, listQuery } from '../../parts/list-page.tsx'
import { NewRows } from '../../parts/new-rows.tsx'
import type { MoneyOut, MoneyOutKind } from './kinds.ts'

/** The status with a tab of its own: payments that wait for approval. */
export const inbox = 'PENDING_APPROVAL'

/** The list of one kind of money out, with its approval inbox, its export, and a link to create one. */
export const MoneyOutList = <Row extends MoneyOut>({
  kind: { path, page, newPage, permission, news, statuses, ...kind },
  lead,
  narrowing,
  textOf,
  filterBy,
  children,
  ...list
}: Pick<Parameters<typeof List<Row>>[0], 'query' | 'columns' | 'keyOf' | 'hrefOf' | 'nameOf'> & {
  kind: MoneyOutKind
  lead?: string
  narrowing: readonly string[]
  textOf: (status: MoneyOut['status']) => string
  filterBy: readonly Filter[]
  /** Below the list. */
  children?: ComponentChildren
}) => {
  const texts = kind.texts()
  const { filters } = list.query
  const { page: _, pageSize: __, asOf: ___, ...exported } = listQuery(filters, narrowing)
  const create = can(permission) && (
    <LinkButton tone="main" icon="plus" href={pathTo(newPage)} data-key="n">
      {texts.create}
    </LinkButton>
  )
  return (
    <Page
      title={texts.title}
      {...(lead !== undefined && { lead })}
      actions={
        <>
          {can('transactions.export') && (
            <LinkButton
              icon="download"
              href={downloadPath(`${path}/export`, { ...exported, ...dialect() })}
              download
            >
              {t.common.csv}
            </LinkButton>
          )}
          {create}
        </>
      }
    >
      <Tabs
        label={texts.title}
        current={filters.get('status') === inbox ? inbox : 'all'}
        of={[
          { id: 'all', text: t.approvals.all, href: pathTo(page) },
          { id: inbox, text: t.approvals.inbox, href: pathTo(`${page}?status=${inbox}`) },
        ]}
      />
      <List
        {...list}
        label={texts.title}
        search={texts.search}
        above={<NewRows kinds={news} prefixes={[path]} />}
        filterBy={[
          { kind: 'period' },
          { kind: 'choices', name: 'status', title: t.common.status, options: optionsOf(statuses, textOf) },
          ...filterBy,
        ]}
        empty={
          <Empty icon="send" title={texts.none} actions={create}>
            {texts.noneText}
          </Empty>
        }
      />
      {children}
    </Page>
  )
}

/** The cell of a status, with how many have approved, or why it failed. */
export const StatusCell = ({
  of: { status, approvals },
  label,
  failure,
}: {
  of: Pick<Schemas['Transfer'], 'approvals'> & { readonly status: string }
  label: ComponentChildren
  failure: string | null
}) => (
  <>
    {label}
    {status === inbox && <small class="sub">{t.approvals.count(approvals.given, approvals.required)}</small>}
    {failure && <small class="sub">{failure}</small>}
  </>
)
