import { useEffect } from 'preact/hooks'
import type { Schemas } from '../../core/api.ts'
import { day, documentNumber, phone, shareText } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { onChangeOf } from '../../core/live.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { Amount, Copy, Empty, Moment, Page, Section } from '../../parts/basics.tsx'
import {
  amountOf,
  copyable,
  FactSection,
  instant,
  Ledger,
  linkTo,
  Metadata,
  SplitPage,
} from '../../parts/facts.tsx'
import { PayerInstructions } from '../../parts/instructions.tsx'
import { MethodLabel, Status, statusText } from '../../parts/labels.tsx'
import { Notes } from '../../parts/notes.tsx'
import { ProviderName } from '../../parts/provider-name.tsx'
import { RecipientName, type RecipientNames, useRecipientNames } from '../../parts/recipient.tsx'
import { Noted, Rows } from '../../parts/table.tsx'
import { Disputes } from './disputes.tsx'
import { MethodFacts } from './method-facts.tsx'
import { Timeline } from './timeline.tsx'
import { TransactionActions } from './transaction-actions.tsx'

type Detail = Schemas['TransactionDetail']

/** One transaction: what became of the money, and everything that has happened to it. */
export const TransactionPage = ({ id }: { id: string }) => {
  const query = useGet('/v1/transactions/{id}', { path: { id } })
  const { data, problem, poll } = query
  useEffect(() => onChangeOf(id, poll), [id])
  const names = useRecipientNames(data?.split?.parties.map(({ recipientId }) => recipientId) ?? [])
  const back = { href: pathTo('transacoes'), text: t.nav.transactions }
  if (data === null && problem?.status === 404)
    return (
      <Page title={t.transactions.one} back={back}>
        <Empty icon="search" title={t.transactions.absent} text={t.problems.absentText} />
      </Page>
    )
  if (data === null) return <Page title={t.transactions.one} back={back} unread={query} rows={8} />
  return (
    <Page
      back={back}
      title={<Amount of={data.amount} currency={data.currency} size="huge" />}
      status={<Status is={data.status} of="transaction" />}
      lead={
        <>
          <MethodLabel is={data.method} /> <span class="dot" /> <Moment at={data.createdAt} style="exact" />{' '}
          <span class="dot" />
          <Copy text={data.id} isShort />
        </>
      }
      actions={<TransactionActions of={data} />}
    >
      <Why of={data} />
      <SplitPage
        side={
          <>
            <TransactionFacts of={data} />
            <MethodFacts of={data} />
            <Metadata of={data.metadata} />
          </>
        }
      >
        <PayerInstructions of={data} />
        <Flow of={data} />
        <Disputes of={data} />
        <Refunds of={data.refunds} currency={data.currency} />
        {data.split && <SplitParties of={data.split} names={names} />}
        <Receivables of={data.receivables} names={names} />
        <Timeline of={data} />
        <Notes about={id} />
        <Deliveries of={data.webhooks} />
      </SplitPage>
    </Page>
  )
}

const TransactionFacts = ({ of }: { of: Detail }) => (
  <FactSection
    of={[
      [t.common.customer, <Customer key="customer" of={of} />],
      [t.common.description, of.description],
      [t.transactions.reference, of.reference],
      [t.common.externalId, of.externalId && <Copy key="external" text={of.externalId} />],
      [t.transactions.origin, t.origin[of.origin]],
      [t.nav.links, linkTo(of.checkout?.linkId)],
      [t.nav.sessions, linkTo(of.checkout?.sessionId)],
      [t.transactions.product, t.product[of.product]],
      [t.transactions.provider, of.providerId && <ProviderName key="provider" id={of.providerId} />],
      [t.transactions.providerReference, copyable(of.providerReference)],
      [t.nav.subscriptions, linkTo(of.subscriptionId)],
      [t.nav.invoices, linkTo(of.invoiceId)],
    ]}
  />
)

const Why = ({ of: { status, pix, failureReason, failureDetail, cancelReason } }: { of: Detail }) => {
  if (status === 'CREATED' && pix !== null) return <p class="notice-line calm">{t.transactions.atBank}</p>
  if (failureReason === null && cancelReason === null) return null
  return (
    <div class="notice-line">
      <strong>
        {failureReason === null ? statusText('CANCELLED', 'transaction') : t.failureReason[failureReason]}
      </strong>
      <span>
        {cancelReason ?? failureDetail?.message}
        {failureDetail?.providerCode && ` (${failureDetail.providerCode})`}
        {failureDetail &&
          ` ${failureDetail.retryable ? t.transactions.retryable : t.transactions.notRetryable}`}
      </span>
    </div>
  )
}

const Customer = ({ of: { customer, customerId } }: { of: Detail }) => {
  if (customer === null) return <span class="muted">{t.common.nobody}</span>
  const { name, document, email, phone: number } = customer
  return (
    <>
      {linkTo(customerId, name) ?? name}
      {[document && documentNumber(document), email, number && phone(number)].filter(Boolean).map((text) => (
        <small key={text} class="sub">
          {text}
        </small>
      ))}
    </>
  )
}

/** Lines that lead from the requested amount to the net amount, as an account shows them. */
const Flow = ({ of }: { of: Detail }) => {
  const lines: readonly (readonly [name: string, amount: string | null, isSum?: boolean])[] = [
    [t.transactions.asked, of.amount],
    [t.transactions.authorized, of.authorizedAmount],
    [t.transactions.captured, of.capturedAmount],
    [t.transactions.paid, of.paidAmount],
    [t.transactions.fees, subtracted(of.feeAmount)],
    [t.transactions.net, of.netAmount, true],
    [t.transactions.refundedLater, subtracted(of.refundedAmount)],
    [t.transactions.kept, keptOf(of), true],
    [t.transactions.inDispute, of.disputedAmount === '0' ? null : of.disputedAmount],
  ]
  return (
    <Section title={t.transactions.flow}>
      <Ledger
        of={lines.flatMap(([name, amount, isSum]) =>
          amount === null ? [] : [[name, amountOf(amount, of.currency), isSum]],
        )}
      />
    </Section>
  )
}

/** What is left after refunds; null where nothing was refunded. */
const keptOf = ({ netAmount, refundedAmount }: Detail): string | null =>
  refundedAmount === '0' ? null : String(BigInt(netAmount) - BigInt(refundedAmount))

/** An amount with a minus sign; null where it is zero. */
const subtracted = (amount: string): string | null => (amount === '0' ? null : (-BigInt(amount)).toString())

const Refunds = ({ of, currency }: { of: Detail['refunds']; currency: string }) =>
  of.length === 0 ? null : (
    <Section title={t.transactions.refunds} note={of.length}>
      <Rows
        heads={[t.common.amount, t.common.status, t.transactions.reason, t.common.createdAt]}
        rows={of.map(({ id, amount, status, origin, reason, failureReason, failureMessage, createdAt }) => [
          id,
          amountOf(amount, currency),
          <Status key="status" is={status} of="refund" />,
          <Noted key="reason" note={failureMessage}>
            {failureReason
              ? t.refundFailure[failureReason]
              : (reason ?? (origin === 'BANK' ? t.transactions.refundedAtBank : '–'))}
          </Noted>,
          instant(createdAt),
        ])}
      />
    </Section>
  )

type Named = { names: RecipientNames }

const SplitParties = ({ of, names }: Named & { of: NonNullable<Detail['split']> }) => (
  <Section title={t.nav.split}>
    <Rows
      heads={[
        t.split.recipient,
        t.split.share,
        t.transactions.gross,
        t.transactions.fees,
        t.transactions.net,
      ]}
      rows={of.parties.map(({ recipientId, grossAmount, feeAmount, netAmount, ...share }) => [
        recipientId ?? 'own',
        recipientId === null ? t.split.own : <RecipientName key="recipient" id={recipientId} names={names} />,
        shareText(share),
        ...[grossAmount, feeAmount, netAmount].map((amount) => (amount ? amountOf(amount) : '–')),
      ])}
    />
  </Section>
)

const Receivables = ({ of, names }: Named & { of: Detail['receivables'] }) =>
  of.length === 0 ? null : (
    <Section title={t.transactions.receivables} note={of.length}>
      <Rows
        heads={[
          t.transactions.installment,
          t.transactions.net,
          t.transactions.fees,
          t.common.status,
          t.transactions.expectedOn,
        ]}
        rows={of.map((one) => [
          one.id,
          <>
            {one.installment}/{one.installments}
            <small class="sub">
              {one.recipientId ? (
                <RecipientName id={one.recipientId} names={names} />
              ) : (
                t.receivableType[one.type]
              )}
            </small>
          </>,
          signedOf(one, one.netAmount),
          signedOf(one, one.feeAmount),
          <Status key="status" is={one.status} of="receivable" />,
          day(one.expectedOn),
        ])}
      />
    </Section>
  )

/** Money that a refund or a chargeback takes back has a minus sign. */
const signedOf = ({ type }: Detail['receivables'][number], amount: string) =>
  amountOf(type === 'REFUND' || type === 'CHARGEBACK' ? (subtracted(amount) ?? amount) : amount)

const Deliveries = ({ of }: { of: Detail['webhooks'] }) => (
  <Section title={t.nav.webhooks} note={of.length || null}>
    {of.length === 0 ? (
      <p class="hint">{t.transactions.noWebhooks}</p>
    ) : (
      <Rows
        heads={[t.webhooks.event, t.common.status, t.webhooks.attempts, t.webhooks.lastAnswer]}
        rows={of.map(({ deliveryId, type, status, attempts, lastStatusCode, lastAttemptAt }) => [
          deliveryId,
          <a key="type" href={pathTo(`entregas/${deliveryId}`)}>
            <code>{type}</code>
          </a>,
          <Status key="status" is={status} of="delivery" />,
          attempts,
          <Noted key="answer" note={instant(lastAttemptAt)}>
            {lastStatusCode ?? '–'}
          </Noted>,
        ])}
      />
    )}
  </Section>
)
