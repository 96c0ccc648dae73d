import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { post, type Schemas, withId } from '../../core/api.ts'
import { count, day, moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Actor } from '../../parts/actor.tsx'
import { Amount, Button, Copy, Empty, Facts, Page, Section } from '../../parts/basics.tsx'
import { CsvButton } from '../../parts/buttons.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { amountOf, copyable } from '../../parts/facts.tsx'
import { statusFilter } from '../../parts/filter.ts'
import { Field, required } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { ListPage, useList } from '../../parts/list-page.tsx'
import { ProviderName } from '../../parts/provider-name.tsx'
import { Noted, Rows, statusColumn } from '../../parts/table.tsx'
import { saying, withConnectionTexts } from '../connections/connection-texts.tsx'
import { History } from './history.tsx'
import { StatementDialog } from './statement-dialog.tsx'

type Detail = Schemas['ReconciliationDetail']

const statuses = ['EQUAL', 'DIFFERENT', 'ACCEPTED'] as const

/** The days whose books were compared. */
export const Reconciliations = withConnectionTexts(
  () => t.nav.reconciliation,
  () => (
    <ListPage
      title={t.nav.reconciliation}
      lead={saying.reconciliation.lead}
      query={useList('/v1/reconciliations', ['status'])}
      hrefOf={({ id }) => pathTo(`conciliacao/${id}`)}
      nameOf={({ date }) => day(date)}
      filterBy={[statusFilter(statuses, 'reconciliation')]}
      columns={[
        [
          'date',
          saying.reconciliation.day,
          ({ date, providerId }) => (
            <Noted note={<ProviderName id={providerId} />}>
              <strong>{day(date)}</strong>
            </Noted>
          ),
        ],
        statusColumn('reconciliation'),
        ['bank', saying.reconciliation.books.bank, ({ bank }) => amountOf(bank.amount), 'end', 'wide'],
        ['ours', saying.reconciliation.books.ours, ({ ours }) => amountOf(ours.amount), 'end', 'wide'],
        [
          'difference',
          saying.reconciliation.difference,
          ({ differenceAmount, differencesCount }) =>
            differencesCount === 0 ? <span class="muted">–</span> : <Amount of={differenceAmount} />,
          'end',
          'medium',
        ],
      ]}
      empty={<Empty icon="check" title={saying.reconciliation.none} text={saying.reconciliation.noneText} />}
    />
  ),
)

/** A day: what each book has of it, and what differs. */
export const ReconciliationPage = withConnectionTexts<{ id: string }>(
  () => t.nav.reconciliation,
  ({ id }) => {
    const query = useGet('/v1/reconciliations/{id}', { path: { id } })
    const { data, problem } = query
    const [isAccepting, setAccepting] = useState(false)
    const [isUploading, setUploading] = useState(false)
    const back = { href: pathTo('conciliacao'), text: t.nav.reconciliation }
    if (problem || !data) return <Page title={saying.reconciliation.one} back={back} unread={query} />
    return (
      <Page
        back={back}
        title={day(data.date)}
        status={<Status is={data.status} of="reconciliation" />}
        lead={
          <>
            <ProviderName id={data.providerId} /> <span class="dot" /> <Copy text={data.id} isShort />
          </>
        }
        actions={
          <>
            {data.status === 'DIFFERENT' && can('transfers.approve') && (
              <Button
                tone="main"
                icon="check"
                onClick={() => setAccepting(true)}
                text={saying.reconciliation.accept}
              />
            )}
            {data.statementSource !== 'BANK' && can('transfers.approve') && (
              <Button onClick={() => setUploading(true)} text={saying.reconciliation.upload} />
            )}
            <CsvButton path={`/v1/reconciliations/${id}/export`} query={{}} />
          </>
        }
      >
        {data.acceptance && (
          <p class="notice-line calm">
            <span>
              <Actor of={data.acceptance.acceptedBy} />{' '}
              {saying.reconciliation.acceptedBy(data.acceptance.reason)}
            </span>
          </p>
        )}
        {data.statementFile && !data.statementFile.isCompared && (
          <p class="notice-line calm">{saying.reconciliation.comparing}</p>
        )}
        <Books of={data} />
        <Statement of={data} />
        <Differences of={data} />
        <History id={id} />
        {isAccepting && <AcceptDialog of={data} onClose={() => setAccepting(false)} />}
        {isUploading && <StatementDialog of={data} onClose={() => setUploading(false)} />}
      </Page>
    )
  },
)

const Books = ({ of }: { of: Detail }) => (
  <Section title={t.common.details}>
    <Rows
      heads={[
        saying.reconciliation.book,
        saying.reconciliation.payments,
        t.common.amount,
        saying.reconciliation.returned,
      ]}
      ends={[1, 2, 3]}
      rows={(['bank', 'ours', 'statement'] as const).flatMap((name) => {
        const { [name]: book } = of
        if (book === null) return []
        return [
          [
            name,
            saying.reconciliation.books[name],
            count(book.count),
            amountOf(book.amount),
            amountOf(book.returnedAmount),
          ] as const,
        ]
      })}
    />
  </Section>
)

/** The third book: where it is from, and what the bank took by it. */
const Statement = ({ of }: { of: Detail }) => (
  <Section title={saying.reconciliation.books.statement}>
    <p class="hint">{sourceOf(of)}</p>
    {of.tariffAmount !== null && (
      <Facts
        of={[
          [saying.reconciliation.tariffs, amountOf(of.tariffAmount)],
          [
            saying.reconciliation.terms,
            of.termsAmount === null ? saying.reconciliation.noTerms : amountOf(of.termsAmount),
          ],
        ]}
      />
    )}
  </Section>
)

/** Where the third book is from. */
const sourceOf = ({ statementSource, statementFile }: Detail): ComponentChildren => {
  if (statementSource === 'BANK') return saying.reconciliation.fromBank
  if (statementSource === null || statementFile === null) return saying.reconciliation.noStatement
  return (
    <>
      <Actor of={statementFile.uploadedBy} />{' '}
      {saying.reconciliation.fromFile(moment(statementFile.uploadedAt))}
    </>
  )
}

const Differences = ({ of: { differences, differencesCount } }: { of: Detail }) => (
  <Section title={saying.reconciliation.differences} note={differencesCount || null}>
    {differences.length === 0 ? (
      <p class="hint">{saying.reconciliation.equal}</p>
    ) : (
      <Rows
        heads={[saying.reconciliation.what, 'E2E', saying.reconciliation.byBank, saying.reconciliation.byUs]}
        ends={[2, 3]}
        rows={differences.map(({ kind, endToEndId, bankAmount, ourAmount }, n) => [
          String(n),
          saying.reconciliation.kind[kind] ?? kind,
          copyable(endToEndId) ?? '–',
          bankAmount === null ? '–' : amountOf(bankAmount),
          ourAmount === null ? '–' : amountOf(ourAmount),
        ])}
      />
    )}
  </Section>
)

const AcceptDialog = ({ of, onClose }: Closable & { of: Detail }) => (
  <FormDialog
    title={saying.reconciliation.accept}
    lead={saying.reconciliation.acceptText}
    submit={saying.reconciliation.accept}
    values={{ reason: '' }}
    check={required('reason')}
    send={({ reason }) =>
      post('/v1/reconciliations/{id}/accept', { ...withId(of.id), body: { reason: reason!.trim() } })
    }
    changes="/v1/"
    done={saying.reconciliation.accepted}
    onClose={onClose}
  >
    <Field name="reason" label={saying.reconciliation.reason} isFirst maxLength={240} />
  </FormDialog>
)
