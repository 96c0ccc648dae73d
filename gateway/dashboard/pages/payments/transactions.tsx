import { downloadPath, type Schemas } from '../../core/api.ts'
import { count } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Amount, Empty, Figure, LinkButton, Moment, Page } from '../../parts/basics.tsx'
import type { Filter, FilterOption } from '../../parts/filters.tsx'
import { MethodLabel, Status } from '../../parts/labels.tsx'
import { List, listQuery, useList } from '../../parts/list-page.tsx'
import { NewRows } from '../../parts/new-rows.tsx'
import type { Column } from '../../parts/table.tsx'

type Transaction = Schemas['Transaction']

/** What the list can be narrowed by, as the API names it. */
const narrowing = [
  'from',
  'to',
  'status',
  'method',
  'origin',
  'product',
  'kind',
  'providerId',
  'minAmount',
  'maxAmount',
  'customer',
  'customerId',
  'id',
  'externalId',
  'q',
]

/** All transactions, with every filter of the API, their sums, and the file of the same rows. */
export const Transactions = () => {
  const query = useList('/v1/transactions', [...narrowing, 'sort'])
  const { filters } = query
  const totals = (query.data as unknown as Schemas['TransactionList'] | null)?.totals
  const facetQuery = listQuery(filters, narrowing)
  delete facetQuery.page
  delete facetQuery.pageSize
  delete facetQuery.asOf
  const facets = useGet('/v1/transactions/facets', { query: facetQuery })
  const exported = new URLSearchParams({
    format: 'csv',
    ...facetQuery,
    ...(filters.get('sort') && { sort: filters.get('sort') }),
  })
  return (
    <Page
      title={t.nav.transactions}
      actions={
        can('transactions.export') && (
          <LinkButton icon="download" href={downloadPath('/v1/transactions/export', exported)} download>
            {t.common.csv}
          </LinkButton>
        )
      }
    >
      <List
        label={t.nav.transactions}
        query={query}
        columns={transactionColumns()}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathTo(`transacoes/${id}`)}
        nameOf={nameOfTransaction}
        search={t.transactions.search}
        filterBy={transactionFilters(facets.data)}
        above={
          <>
            {totals && <Totals of={totals} isStale={query.isStale} />}
            <NewRows kinds={['payment', 'pix', 'boleto']} prefixes={['/v1/transactions']} />
          </>
        }
        empty={
          <Empty
            icon="list"
            title={t.transactions.none}
            actions={
              <>
                {can('charges.create') && (
                  <LinkButton tone="main" icon="plus" href={pathTo('pix?novo=cobranca')} data-key="n">
                    {t.pix.create}
                  </LinkButton>
                )}
                <LinkButton href={pathTo('inicio')}>{t.home.firstSteps}</LinkButton>
              </>
            }
          >
            {t.transactions.noneText}
          </Empty>
        }
      />
    </Page>
  )
}

/** What a transaction is called where its row is only a link. */
export const nameOfTransaction = ({ customer, description, id }: Transaction): string =>
  customer?.name ?? description ?? id

/** The columns of transactions; lists of one method leave out which it is, and those of one customer who. */
export const transactionColumns = ({
  hasMethod = true,
  hasCustomer = true,
}: {
  hasMethod?: boolean
  hasCustomer?: boolean
} = {}): readonly Column<Transaction>[] => [
  {
    id: 'amount',
    title: t.common.amount,
    sort: 'amount',
    cell: ({ amount, currency, refundedAmount }) => (
      <>
        <Amount of={amount} currency={currency} />
        {refundedAmount !== '0' && (
          <small class="sub">
            − <Amount of={refundedAmount} currency={currency} />
          </small>
        )}
      </>
    ),
  },
  { id: 'status', title: t.common.status, cell: ({ status }) => <Status is={status} /> },
  ...(hasMethod
    ? [
        {
          id: 'method',
          title: t.common.method,
          from: 'medium',
          cell: (row: Transaction) => <MethodLabel is={row.method} more={shortMethod(row)} />,
        } as const,
      ]
    : []),
  ...(hasCustomer
    ? [
        {
          id: 'customer',
          title: t.common.customer,
          cell: ({ customer, description, reference, externalId }: Transaction) => (
            <span class="who">
              <span>{customer?.name ?? <span class="muted">{t.common.nobody}</span>}</span>
              <small class="sub until-medium">{description ?? reference ?? externalId}</small>
            </span>
          ),
        },
      ]
    : []),
  {
    id: 'description',
    title: t.common.description,
    ...(hasCustomer && { from: 'medium' as const }),
    cell: ({ description, reference, externalId }) => (
      <span class="who muted">
        <span>{description ?? reference ?? externalId}</span>
      </span>
    ),
  },
  { id: 'origin', title: t.transactions.origin, from: 'wide', cell: ({ origin }) => t.origin[origin] },
  {
    id: 'createdAt',
    title: t.common.createdAt,
    sort: 'createdAt',
    align: 'end',
    from: 'medium',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
]

const shortMethod = ({ card, installments, method }: Transaction): string | null => {
  if (card === null) return null
  return `${t.brand[card.brand]} ···· ${card.last4}${installments && installments > 1 && method === 'CREDIT_CARD' ? ` · ${installments}×` : ''}`
}

const Totals = ({ of, isStale }: { of: readonly Schemas['TransactionTotals'][]; isStale: boolean }) => (
  <>
    {of.map(({ currency, ...sums }) => (
      <dl key={currency} class={isStale ? 'figures stale' : 'figures'} aria-label={t.transactions.totals}>
        <Figure name={t.transactions.count}>{count(sums.count)}</Figure>
        <Figure name={t.transactions.gross}>
          <Amount of={sums.grossAmount} currency={currency} />
        </Figure>
        <Figure name={t.transactions.paid}>
          <Amount of={sums.paidAmount} currency={currency} />
        </Figure>
        <Figure name={t.transactions.fees}>
          <Amount of={sums.feeAmount} currency={currency} />
        </Figure>
        <Figure name={t.transactions.net}>
          <Amount of={sums.netAmount} currency={currency} />
        </Figure>
        <Figure name={t.transactions.refunded}>
          <Amount of={sums.refundedAmount} currency={currency} />
        </Figure>
        <Figure name={t.transactions.disputed}>
          <Amount of={sums.disputedAmount} currency={currency} />
        </Figure>
      </dl>
    ))}
  </>
)

type Facet<Value extends string> = readonly {
  readonly value: Value
  readonly label: string
  readonly count: number
}[]

/** All values in their order, with how many rows have each. */
const counted = <Value extends string>(
  texts: Readonly<Record<Value, string>>,
  facet: Facet<Value> | undefined,
): FilterOption[] =>
  (Object.entries(texts) as [Value, string][])
    .map(([value, text]) => ({ value, text, count: facet?.find((one) => one.value === value)?.count ?? 0 }))
    .filter(({ value }) => value !== 'CREATED')

const transactionFilters = (facets: Schemas['TransactionFacets'] | null): readonly Filter[] => [
  { kind: 'period' },
  {
    kind: 'choices',
    name: 'status',
    title: t.common.status,
    options: counted(t.transactionStatus, facets?.statuses),
  },
  { kind: 'choices', name: 'method', title: t.common.method, options: counted(t.method, facets?.methods) },
  { kind: 'amount' },
  { kind: 'text', name: 'customer', title: t.common.customer, hint: t.transactions.customerHint },
  {
    kind: 'choices',
    name: 'origin',
    title: t.transactions.origin,
    options: counted(t.origin, facets?.origins),
  },
  {
    kind: 'choices',
    name: 'product',
    title: t.transactions.product,
    options: counted(t.product, facets?.products),
  },
  { kind: 'choices', name: 'kind', title: t.transactions.kind, options: counted(t.kind, facets?.kinds) },
  {
    kind: 'choices',
    name: 'providerId',
    title: t.transactions.provider,
    isSingle: true,
    options: (facets?.settlers ?? []).map(({ value, label, count }) => ({ value, text: label, count })),
  },
  { kind: 'text', name: 'externalId', title: 'externalId', hint: t.transactions.externalIdHint },
]
