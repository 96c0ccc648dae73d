import { useEffect } from 'preact/hooks'
import type { Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { onNews } from '../../core/live.ts'
import { useGet } from '../../core/query.ts'
import { type PagePath, pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Amount, Empty, LinkButton, Loading, Moment, Page, Section, Trouble } from '../../parts/basics.tsx'
import { amountOf, FactSection } from '../../parts/facts.tsx'
import { Noted } from '../../parts/table.tsx'
import { StatementDays } from './statement.tsx'

type CompanyBalance = Schemas['Balance']

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
      lead={t.balance.asOf}
      actions={
        <>
          <LinkButton icon="list" href={pathTo('extrato')} text={t.nav.statement} />
          {can('transfers.create') && (
            <LinkButton
              tone="main"
              icon="send"
              href={pathTo('transferencias/nova')}
              data-key="n"
              text={t.transfers.create}
            />
          )}
        </>
      }
    >
      <Trouble of={balance.problem} retry={balance.refresh} />
      {balance.isLoading && <Loading rows={6} />}
      {data && (
        <div class="split-page even">
          <Withdrawable of={data} />
          <Composition of={data} />
          {data.currencies.length > 1 && <Currencies of={data} />}
        </div>
      )}
      {!balance.isLoading && (
        <Section
          title={t.balance.latest}
          actions={<LinkButton tone="quiet" href={pathTo('extrato')} text={t.common.seeAll} />}
        >
          <Trouble of={statement.problem} retry={statement.refresh} />
          {statement.isLoading && <Loading rows={5} />}
          {statement.data && <StatementDays of={statement.data.days} />}
          {statement.data?.days.length === 0 && (
            <Empty icon="list" title={t.balance.none} text={t.balance.noneText} />
          )}
        </Section>
      )}
      {data && (
        <p class="hint">
          <Moment at={data.asOf} style="exact" />
        </p>
      )}
    </Page>
  )
}

const Withdrawable = ({ of }: { of: CompanyBalance }) => (
  <section class="section today">
    <h2>{t.balance.withdrawable}</h2>
    <p class="today-amount">
      <Amount of={of.withdrawable} size="huge" />
    </p>
    <p class="hint">{t.balance.withdrawableText}</p>
    {of.available.startsWith('-') && <p class="notice-line warn">{t.balance.negative}</p>}
  </section>
)

const Composition = ({ of }: { of: CompanyBalance }) => {
  // After a refund a recipient may owe what was passed on already.
  const recipientsOwe = of.recipients.startsWith('-')
  return (
    <FactSection
      title={t.balance.composition}
      of={[
        [t.nav.balance, <Counted key="balance" of={of.available} page="extrato" />],
        [t.disputes.blocked, amountOf(of.blocked)],
        [t.balance.receivable, <Counted key="receivable" of={of.receivable} page="recebiveis" />],
        [
          recipientsOwe ? t.balance.recipientsOwe : t.balance.recipients,
          of.recipients !== '0' && (
            <Counted key="recipients" of={of.recipients.replace('-', '')} page="divisao/recebedores" />
          ),
        ],
        [
          t.balance.scheduledOut,
          of.scheduledOut !== '0' && (
            <Counted key="out" of={of.scheduledOut} page="transferencias?status=SCHEDULED,PENDING_APPROVAL" />
          ),
        ],
      ]}
    />
  )
}

/** An amount that leads to the list behind it. */
const Counted = ({ of, page }: { of: string; page: PagePath }) => (
  <a href={pathTo(page)}>
    <Amount of={of} />
  </a>
)

const Currencies = ({ of }: { of: CompanyBalance }) => (
  <FactSection
    title={t.balance.currencies}
    of={of.currencies
      .filter(({ currency }) => currency !== 'BRL')
      .map(({ currency, available, blocked }) => [
        currency,
        <Noted
          key={currency}
          note={
            blocked !== '0' && (
              <>
                {t.disputes.blocked}: <Amount of={blocked} currency={currency} />
              </>
            )
          }
        >
          <Amount of={available} currency={currency} />
        </Noted>,
      ])}
  />
)
