import { clockMs } from '../../core/clock.ts'
import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { Ago, Empty, Moment } from '../../parts/basics.tsx'
import { period, statusFilter } from '../../parts/filter.ts'
import { List, useList } from '../../parts/list-page.tsx'
import { amountColumn, momentColumn, statusColumn } from '../../parts/table.tsx'

/** PIX that payers' banks contest, with their deadlines. */
export const Meds = () => {
  const query = useList('/v1/meds', ['from', 'to', 'status', 'transactionId'])
  return (
    <List
      label={t.pix.meds}
      query={query}
      hrefOf={({ transactionId }) => pathTo(`transacoes/${transactionId}`)}
      nameOf={({ id }) => id}
      filterBy={[period, statusFilter(['OPEN', 'CLOSED'], 'med')]}
      columns={[
        amountColumn('amount', t.common.amount),
        statusColumn('med'),
        ['reason', t.transactions.reason, ({ reason }) => t.medReason[reason], 'medium'],
        amountColumn('blockedAmount', t.disputes.blocked, 'wide'),
        [
          'due',
          t.disputes.analysisDue,
          ({ status, analysisDueAt, closedAt }) =>
            status === 'OPEN' ? (
              <Ago at={analysisDueAt} clock={clockMs} />
            ) : (
              <Moment at={closedAt ?? analysisDueAt} style="day" />
            ),
        ],
        ['result', t.disputes.result, ({ result }) => result && t.medResult[result], 'medium'],
        momentColumn('openedAt', t.disputes.openedAt, 'end'),
      ]}
      empty={<Empty icon="shield" title={t.pix.noMed} text={t.pix.noMedText} />}
    />
  )
}
