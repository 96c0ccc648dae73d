import { useEffect } from 'preact/hooks'
import { t } from '../../core/language.ts'
import { onNews } from '../../core/live.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import {
  Amount,
  Empty,
  Facts,
  LinkButton,
  Loading,
  Moment,
  Page,
  Section,
  Trouble,
} from '../../parts/basics.tsx'
import { StatementDays } from './statement.tsx'

/** What the company has, what of it can be sent, and the last changes. */
export const Balance = () => {
  const balance = useGet('/v1/balance')
  const statement = useGet('/v1/statement', { query: { pageSize: 10 } })
  useEffect(
    () =>
      onNews(/^(settlement|transfer|conversion|crypto|payment|pix)/, () => {
        balance.poll()
        statement.poll()
      }),
    [],
  )
  const { data } = balance
  return (
    <Page
      title={t.nav.balance}
      lead={data && t.balance.asOf}
      actions={
        <>
          <LinkButton icon="list" href={pathTo('extrato')}>
            {t.nav.statement}
          </LinkButton>
          {can('transfers.create') && (
            <LinkButton tone="main" icon="send" href={pathTo('transferencias/nova')} data-key="n">
              {t.transfers.create}
            </LinkButton>
          )}
        </>
      }
    >
      <Trouble of={balance.problem} retry={balance.refresh} />
      {balance.isLoading && <Loading rows={6} />}
      {data && (
        <div class="split-page even">
          <section class="section today">
            <h2>{t.balance.withdrawable}</h2>
            <p class="today-amount">
              <Amount of={data.withdrawable} size="huge" />
            </p>
            <p class="hint">{t.balance.withdrawableText}</p>
            {data.available.startsWith('-') && <p class="notice-line warn">{t.balance.negative}</p>}
          </section>
          <Section title={t.balance.composition}>
            <Facts
              of={[
                [t.balance.available, <Amount key="a" of={data.available} />],
                [t.balance.blocked, <Amount key="b" of={data.blocked} />],
                [t.balance.receivable, <Amount key="r" of={data.receivable} />],
                [t.balance.recipients, data.recipients !== '0' && <Amount key="s" of={data.recipients} />],
                [
                  t.balance.scheduledOut,
                  data.scheduledOut !== '0' && (
                    <a key="o" href={pathTo('transferencias?status=SCHEDULED,PENDING_APPROVAL')}>
                      <Amount of={data.scheduledOut} />
                    </a>
                  ),
                ],
              ]}
            />
          </Section>
          {data.currencies.length > 1 && (
            <Section title={t.balance.currencies}>
              <Facts
                of={data.currencies
                  .filter(({ currency }) => currency !== 'BRL')
                  .map(({ currency, available, blocked }) => [
                    currency,
                    <>
                      <Amount of={available} currency={currency} />
                      {blocked !== '0' && (
                        <small class="sub">
                          {t.balance.blocked}: <Amount of={blocked} currency={currency} />
                        </small>
                      )}
                    </>,
                  ])}
              />
            </Section>
          )}
        </div>
      )}
      <Section
        title={t.balance.latest}
        actions={
          <a class="button quiet" href={pathTo('extrato')}>
            {t.common.seeAll}
          </a>
        }
      >
        <Trouble of={statement.problem} retry={statement.refresh} />
        {statement.isLoading && <Loading rows={5} />}
        {statement.data && <StatementDays of={statement.data.days} />}
        {statement.data?.days.length === 0 && (
          <Empty icon="list" title={t.balance.none}>
            {t.balance.noneText}
          </Empty>
        )}
      </Section>
      {data && (
        <p class="hint">
          <Moment at={data.asOf} style="exact" />
        </p>
      )}
    </Page>
  )
}
