import { now } from '../../core/clock.ts'
import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { Ago, Amount, Empty, Moment } from '../../parts/basics.tsx'
import { optionsOf, Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'

/** PIX that payers' banks contest, with their deadlines. */
export const Meds = () => {
  const query = useList('/v1/meds', ['from', 'to', 'status', 'transactionId'])
  return (
    <List
      label={t.pix.meds}
      query={query}
      keyOf={({ id }) => id}
      hrefOf={({ transactionId }) => pathTo(`transacoes/${transactionId}`)}
      nameOf={({ id }) => id}
      filterBy={[
        { kind: 'period' },
        {
          kind: 'choices',
          name: 'status',
          title: t.common.status,
          options: optionsOf(['OPEN', 'CLOSED'], (status) => t.statusOf.dispute[status]),
        },
      ]}
      columns={[
        { id: 'amount', title: t.common.amount, cell: ({ amount }) => <Amount of={amount} /> },
        { id: 'status', title: t.common.status, cell: ({ status }) => <Status is={status} of="dispute" /> },
        {
          id: 'reason',
          title: t.transactions.reason,
          from: 'medium',
          cell: ({ reason }) => t.medReason[reason],
        },
        {
          id: 'blocked',
          title: t.disputes.blocked,
          from: 'wide',
          cell: ({ blockedAmount }) => <Amount of={blockedAmount} />,
        },
        {
          id: 'due',
          title: t.disputes.analysisDue,
          cell: ({ status, analysisDueAt, closedAt }) =>
            status === 'OPEN' ? (
              <Ago at={analysisDueAt} now={now} />
            ) : (
              <Moment at={closedAt ?? analysisDueAt} style="day" />
            ),
        },
        {
          id: 'result',
          title: t.disputes.result,
          from: 'medium',
          cell: ({ result }) => (result === null ? '' : t.medResult[result]),
        },
        {
          id: 'opened',
          title: t.disputes.openedAt,
          align: 'end',
          from: 'wide',
          cell: ({ openedAt }) => <Moment at={openedAt} />,
        },
      ]}
      empty={
        <Empty icon="shield" title={t.pix.noMed}>
          {t.pix.noMedText}
        </Empty>
      }
    />
  )
}
