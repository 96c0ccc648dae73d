import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../core/api.ts'
import { count, daysText, documentNumber } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { type Filters, pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Amount, Copy, Empty, LinkButton, Moment } from '../../parts/basics.tsx'
import { bulkOf } from '../../parts/bulk.tsx'
import { CsvButton } from '../../parts/buttons.tsx'
import { amountOf, Figures } from '../../parts/facts.tsx'
import {
  choices,
  dateFieldFilter,
  externalIdFilter,
  type Filter,
  type FilterOption,
  period,
  picked,
  textFilter,
} from '../../parts/filter.ts'
import { MethodLabel, transactionStatusOptions, transactionStatusTexts } from '../../parts/labels.tsx'
import { List, ListPage, listQuery, useList } from '../../parts/list-page.tsx'
import { NewRows } from '../../parts/new-rows.tsx'
import { amountColumn, type Columns, momentColumn, Noted, statusColumn } from '../../parts/table.tsx'
import { cancelCharges, exportSelected } from './selected-charges.tsx'

type Transaction = Schemas['Transaction']

/** The list's filters, as the API names them. */
const narrowing = [
  ...[
    'from',
    'to',
    'dateField',
    'status',
    'method',
    'origin',
    'product',
    'kind',
    'providerId',
    'minAmount',
    'maxAmount',
    'fiscalDocuments',
  ],
  ...['customer', 'customerId', 'id', 'externalId', 'q'],
]

/** All transactions, with every filter of the API, their sums, and the file of the same rows. */
export const Transactions = () => {
  const query = useList('/v1/transactions', [...narrowing, 'sort'])
  const { filters, data, isStale } = query
  const { page: _, pageSize: __, asOf: ___, ...facetQuery } = listQuery(filters, narrowing)
  const facets = useGet('/v1/transactions/facets', { query: facetQuery })
  const sort = filters.get('sort')
  const exported = { format: 'csv', ...facetQuery, ...(sort && { sort }) }
  return (
    <ListPage
      title={t.nav.transactions}
      actions={can('transactions.export') && <CsvButton path="/v1/transactions/export" query={exported} />}
      query={query}
      {...bulkOf(
        cancelCharges<Transaction>(({ status }) => status === 'PENDING'),
        exportSelected,
      )}
      columns={transactionColumns()}
      hrefOf={({ id }) => pathTo(`transacoes/${id}`)}
      nameOf={nameOfTransaction}
      search={t.transactions.search}
      filterBy={transactionFilters(facets.data)}
      above={
        <>
          {data && data.totals.length > 0 && <TotalsDays of={filters} />}
          {data?.totals.map((sums) => (
            <Totals key={sums.currency} of={sums} isStale={isStale} />
          ))}
          <NewRows kinds={['payment', 'pix', 'boleto']} prefixes={['/v1/transactions']} />
        </>
      }
      empty={
        <Empty
          icon="list"
          title={t.transactions.none}
          text={t.transactions.noneText}
          actions={
            <>
              {can('charges.create') && (
                <LinkButton
                  tone="main"
                  icon="plus"
                  href={pathTo('pix?novo=cobranca')}
                  data-key="n"
                  text={t.pix.create}
                />
              )}
              <LinkButton href={pathTo('inicio')} text={t.home.firstSteps} />
            </>
          }
        />
      }
    />
  )
}

type MethodTransactionsProps = {
  path: '/v1/cards/transactions' | '/v1/pix/charges' | '/v1/pix/deposits'
  label: string
  search: string
  /** Whether rows say how each was paid. */
  hasMethod?: boolean
  empty: ComponentChildren
}

/** The list of one product's transactions. */
export const MethodTransactions = ({ path, hasMethod = false, ...rest }: MethodTransactionsProps) => (
  <List
    {...rest}
    query={useList(path, ['from', 'to', 'status', 'externalId', 'q'])}
    {...bulkOf(
      cancelCharges<Transaction>(({ status }) => status === 'PENDING'),
      exportSelected,
    )}
    columns={transactionColumns({ hasMethod, isSortable: false })}
    hrefOf={({ id }) => pathTo(`transacoes/${id}`)}
    nameOf={nameOfTransaction}
    filterBy={[
      period,
      choices(
        'status',
        t.common.status,
        transactionStatusOptions().map(([value, text]) => ({ value, text })),
      ),
      externalIdFilter(),
    ]}
  />
)

/** The name of a transaction's row link. */
export const nameOfTransaction = ({ customer, description, id }: Transaction): string =>
  customer?.name ?? description ?? id

/** The columns of transactions. A product's list omits the method; a customer's list omits customer and origin. */
export const transactionColumns = ({
  hasMethod = true,
  hasCustomer = true,
  isSortable = true,
} = {}): Columns<Transaction> => {
  const sorted = isSortable ? (['sorted'] as const) : []
  return [
    [
      'amount',
      t.common.amount,
      ({ amount, currency, refundedAmount }) => (
        <Noted note={refundedAmount !== '0' && <>− {amountOf(refundedAmount, currency)}</>}>
          <Amount of={amount} currency={currency} />
        </Noted>
      ),
      'number',
      ...sorted,
    ],
    statusColumn('transaction'),
    hasMethod && [
      'method',
      t.common.method,
      (row) => <MethodLabel is={row.method} more={shortMethod(row)} />,
      'medium',
    ],
    hasCustomer && [
      'customer',
      t.common.customer,
      (row) => (
        <span class="who">
          <span>{row.customer?.name ?? <span class="muted">{t.common.nobody}</span>}</span>
          <small class="sub until-wide">{nounOf(row)}</small>
        </span>
      ),
    ],
    [
      'description',
      t.common.description,
      (row) => (
        <span class="who muted">
          <span>{nounOf(row)}</span>
        </span>
      ),
      ...(hasCustomer ? (['wide'] as const) : []),
    ],
    hasCustomer && ['origin', t.transactions.origin, ({ origin }) => t.origin[origin], 'wide'],
    amountColumn('paidAmount', t.transactions.paid, 'extra'),
    amountColumn('feeAmount', t.transactions.fees, 'extra'),
    amountColumn('netAmount', t.transactions.net, 'extra'),
    ['document', t.common.document, ({ customer }) => documentNumber(customer?.document ?? null), 'extra'],
    ['externalId', t.common.externalId, ({ externalId }) => externalId, 'extra'],
    ['id', t.common.id, ({ id }) => <Copy text={id} isShort />, 'extra'],
    [
      'approvedAt',
      t.transactions.paidAt,
      ({ approvedAt }) => approvedAt && <Moment at={approvedAt} />,
      'extra',
    ],
    momentColumn('createdAt', t.common.createdAt, ...sorted, 'end'),
  ]
}

const nounOf = ({ description, reference, externalId }: Transaction) => description ?? reference ?? externalId

const shortMethod = ({ card, installments, method }: Transaction): string | null => {
  if (card === null) return null
  return `${t.brand[card.brand]} ···· ${card.last4}${installments && installments > 1 && method === 'CREDIT_CARD' ? ` · ${installments}×` : ''}`
}

/** Which days the sums are of, and what of a transaction lies on them. */
const TotalsDays = ({ of: { get } }: { of: Filters }) => {
  const [from, to] = [get('from'), get('to')]
  const by = (get('dateField') || 'createdAt') as keyof typeof t.transactions.totalsBy
  return (
    <p class="hint">
      {t.filters.totalsOf(daysText(from, to))}
      {(from || to) && t.transactions.totalsBy[by]}
    </p>
  )
}

type TotalsProps = { of: Schemas['TransactionTotals']; isStale: boolean }

/** The sums of one currency; on a telephone they are folded under the first two, so that the list begins on the first screen. */
const Totals = ({ of, isStale }: TotalsProps) =>
  isTelephone() ? (
    <details class="totals-fold">
      <summary>
        {t.nav.transactions}: {count(of.count)} · {t.transactions.paid} {amountOf(of.paidAmount, of.currency)}
      </summary>
      <AllTotals of={of} isStale={isStale} />
    </details>
  ) : (
    <AllTotals of={of} isStale={isStale} />
  )

const isTelephone = (): boolean => matchMedia('(width < 640px)').matches

const AllTotals = ({ of: { currency, ...of }, isStale }: TotalsProps) => (
  <Figures
    label={t.transactions.totals}
    isStale={isStale}
    of={[
      [t.nav.transactions, count(of.count)],
      [t.transactions.asked, amountOf(of.grossAmount, currency)],
      [t.transactions.paid, amountOf(of.paidAmount, currency)],
      [t.transactions.fees, amountOf(of.feeAmount, currency)],
      [t.transactions.net, amountOf(of.netAmount, currency)],
      [t.transactions.refunded, amountOf(of.refundedAmount, currency)],
      [t.transactions.disputed, amountOf(of.disputedAmount, currency)],
    ]}
  />
)

/** A filter by every value but CREATED, in the order of `texts`, with the number of rows of each. */
const counted = <Value extends string>(
  name: string,
  title: string,
  texts: Readonly<Record<Value, string>>,
  facet: readonly { readonly value: Value; readonly count: number }[] | undefined,
): Filter =>
  choices(
    name,
    title,
    (Object.entries(texts) as [Value, string][]).map(([value, text]) => ({
      value,
      text,
      count: facet?.find((one) => one.value === value)?.count ?? 0,
    })),
  )

const transactionFilters = (facets: Schemas['TransactionFacets'] | null): readonly Filter[] => [
  period,
  dateFieldFilter(t.transactions.dateFields),
  counted('status', t.common.status, transactionStatusTexts(), facets?.statuses),
  counted('method', t.common.method, t.method, facets?.methods),
  { kind: 'amount' },
  textFilter('customer', t.common.customer, t.transactions.customerHint),
  counted('origin', t.transactions.origin, t.origin, facets?.origins),
  counted('product', t.transactions.product, t.product, facets?.products),
  counted('kind', t.transactions.kind, t.kind, facets?.kinds),
  choices('providerId', t.transactions.provider, settlersOf(facets), true),
  choices(
    'fiscalDocuments',
    t.transactions.fiscalDocuments,
    (['MISSING', 'PRESENT'] as const).map((value) => ({ value, text: t.transactions.fiscalDocument[value] })),
    true,
  ),
  externalIdFilter(),
  picked('customerId', t.customers.registered, 'customer'),
]

const settlersOf = (facets: Schemas['TransactionFacets'] | null): FilterOption[] =>
  (facets?.settlers ?? []).map(({ value, label, count }) => ({ value, text: label, count }))
