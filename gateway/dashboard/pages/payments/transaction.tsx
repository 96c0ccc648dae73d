import { useEffect } from 'preact/hooks'
import type { Schemas } from '../../core/api.ts'
import { day, documentNumber, money, percent, phone } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { onChangeOf } from '../../core/live.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { Amount, Copy, Empty, Facts, Loading, Moment, Page, Section, Trouble } from '../../parts/basics.tsx'
import { PayerInstructions } from '../../parts/instructions.tsx'
import { MethodLabel, Status } from '../../parts/labels.tsx'
import { Rows } from '../../parts/table.tsx'
import { Disputes } from './disputes.tsx'
import { Timeline } from './timeline.tsx'
import { TransactionActions } from './transaction-actions.tsx'

type Detail = Schemas['TransactionDetail']

/** One transaction: what became of the money, and everything that has happened to it. */
export const TransactionPage = ({ id }: { id: string }) => {
  const { data, problem, isLoading, refresh, poll } = useGet('/v1/transactions/{id}', { path: { id } })
  useEffect(() => onChangeOf(id, poll), [id])
  const back = { href: pathTo('transacoes'), text: t.nav.transactions }
  if (problem !== null && data === null)
    return (
      <Page title={t.transactions.one} back={back}>
        {problem.status === 404 ? (
          <Empty icon="search" title={t.transactions.absent}>
            {t.problems.absentText}
          </Empty>
        ) : (
          <Trouble of={problem} retry={refresh} />
        )}
      </Page>
    )
  if (isLoading || data === null)
    return (
      <Page title={t.transactions.one} back={back}>
        <Loading rows={8} />
      </Page>
    )
  return (
    <Page
      back={back}
      title={
        <>
          <Amount of={data.amount} currency={data.currency} size="huge" /> <Status is={data.status} />
        </>
      }
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
      <div class="split-page">
        <div>
          <PayerInstructions of={data} />
          <Flow of={data} />
          <Disputes of={data} />
          <Refunds of={data.refunds} currency={data.currency} />
          {data.split && <SplitParties of={data.split} />}
          <Receivables of={data.receivables} />
          <Timeline of={data.events} />
          <Webhooks of={data.webhooks} />
        </div>
        <aside class="facts-side">
          <Section title={t.transactions.details}>
            <Facts
              of={[
                [t.common.customer, <Customer key="customer" of={data} />],
                [t.common.description, data.description],
                [t.transactions.reference, data.reference],
                ['externalId', data.externalId && <Copy key="external" text={data.externalId} />],
                [t.transactions.origin, t.origin[data.origin]],
                [t.transactions.product, t.product[data.product]],
                [t.transactions.provider, data.providerId],
                [
                  t.transactions.providerReference,
                  data.providerReference && <Copy key="reference" text={data.providerReference} isShort />,
                ],
                [
                  t.nav.subscriptions,
                  data.subscriptionId && (
                    <a key="sub" href={pathTo(`assinaturas/${data.subscriptionId}`)}>
                      {t.common.open}
                    </a>
                  ),
                ],
                [
                  t.nav.invoices,
                  data.invoiceId && (
                    <a key="inv" href={pathTo(`faturas/${data.invoiceId}`)}>
                      {t.common.open}
                    </a>
                  ),
                ],
              ]}
            />
          </Section>
          <MethodFacts of={data} />
          <Metadata of={data.metadata} />
        </aside>
      </div>
    </Page>
  )
}

const Why = ({ of: { failureReason, failureDetail, cancelReason } }: { of: Detail }) => {
  if (failureReason === null && cancelReason === null) return null
  return (
    <div class="notice-line">
      <strong>{failureReason === null ? t.transactions.cancelled : t.failureReason[failureReason]}</strong>
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
  return (
    <>
      {customerId ? <a href={pathTo(`clientes/${customerId}`)}>{customer.name}</a> : customer.name}
      {customer.document && <small class="sub">{documentNumber(customer.document)}</small>}
      {customer.email && <small class="sub">{customer.email}</small>}
      {customer.phone && <small class="sub">{phone(customer.phone)}</small>}
    </>
  )
}

/** From what was asked to what the company keeps, as an account shows it. */
const Flow = ({ of }: { of: Detail }) => {
  const lines = (
    [
      [t.transactions.asked, of.amount, ''],
      of.authorizedAmount !== null && [t.transactions.authorized, of.authorizedAmount, ''],
      of.capturedAmount !== null && [t.transactions.captured, of.capturedAmount, ''],
      [t.transactions.paid, of.paidAmount, ''],
      of.feeAmount !== '0' && [t.transactions.fees, negative(of.feeAmount), ''],
      [t.transactions.net, of.netAmount, 'sum'],
      of.refundedAmount !== '0' && [t.transactions.refundedLater, negative(of.refundedAmount), ''],
      of.disputedAmount !== '0' && [t.transactions.inDispute, of.disputedAmount, ''],
    ] as const
  ).filter((line) => line !== false)
  return (
    <Section title={t.transactions.flow}>
      <dl class="ledger">
        {lines.map(([name, amount, kind]) => (
          <div key={name} class={kind}>
            <dt>{name}</dt>
            <dd>
              <Amount of={amount} currency={of.currency} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

const negative = (amount: string): string => (-BigInt(amount)).toString()

const Refunds = ({ of, currency }: { of: Detail['refunds']; currency: string }) =>
  of.length === 0 ? null : (
    <Section title={t.transactions.refunds} note={of.length}>
      <Rows
        heads={[t.common.amount, t.common.status, t.transactions.reason, t.common.createdAt]}
        rows={of.map(({ id, amount, status, reason, failureReason, createdAt }) => [
          id,
          <Amount key="amount" of={amount} currency={currency} />,
          <Status key="status" is={status} of="refund" />,
          failureReason ? (failures[failureReason] ?? failureReason) : (reason ?? '–'),
          <Moment key="at" at={createdAt} />,
        ])}
      />
    </Section>
  )

const failures: Readonly<Record<string, string>> = t.failureReason

const SplitParties = ({ of }: { of: NonNullable<Detail['split']> }) => (
  <Section title={t.nav.split}>
    <Rows
      heads={[t.split.recipient, t.split.share, t.split.gross, t.transactions.fees, t.split.net]}
      rows={of.parties.map((party) => [
        party.recipientId ?? 'own',
        party.recipientId === null ? (
          t.split.own
        ) : (
          <a key="recipient" href={pathTo(`divisao/recebedores/${party.recipientId}`)}>
            {shortId(party.recipientId)}
          </a>
        ),
        party.percentBps === null
          ? party.fixedAmount
            ? money(party.fixedAmount)
            : t.split.rest
          : percent(party.percentBps),
        party.grossAmount ? <Amount key="gross" of={party.grossAmount} /> : '–',
        party.feeAmount ? <Amount key="fee" of={party.feeAmount} /> : '–',
        party.netAmount ? <Amount key="net" of={party.netAmount} /> : '–',
      ])}
    />
  </Section>
)

/** The end of an id, which is what differs. */
export const shortId = (id: string): string => `${id.slice(0, 4)}…${id.slice(-6)}`

const Receivables = ({ of }: { of: Detail['receivables'] }) =>
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
        rows={of.map(
          ({
            id,
            installment,
            installments,
            recipientId,
            netAmount,
            feeAmount,
            status,
            expectedOn,
            type,
          }) => [
            id,
            <>
              {installment}/{installments}
              <small class="sub">{recipientId ? shortId(recipientId) : t.receivableType[type]}</small>
            </>,
            <Amount key="net" of={netAmount} />,
            <Amount key="fee" of={feeAmount} />,
            <Status key="status" is={status} />,
            day(expectedOn),
          ],
        )}
      />
    </Section>
  )

const Webhooks = ({ of }: { of: Detail['webhooks'] }) => (
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
          <Status key="status" is={status} />,
          attempts,
          <>
            {lastStatusCode ?? '–'}
            {lastAttemptAt && (
              <small class="sub">
                <Moment at={lastAttemptAt} />
              </small>
            )}
          </>,
        ])}
      />
    )}
  </Section>
)

const MethodFacts = ({ of: { pix, card, boleto, installments } }: { of: Detail }) => {
  if (pix)
    return (
      <Section title="PIX">
        <Facts
          of={[
            [
              t.pix.payer,
              pix.payer && (
                <>
                  {pix.payer.name}
                  <small class="sub">{documentNumber(pix.payer.document)}</small>
                </>
              ),
            ],
            [t.pix.payerBank, pix.payer?.bankName],
            [
              t.pix.payerMatches,
              pix.payerMatchesCustomer === null ? null : pix.payerMatchesCustomer ? (
                t.common.yes
              ) : (
                <strong key="no" class="warn-text">
                  {t.common.no}
                </strong>
              ),
            ],
            ['E2E', pix.endToEndId && <Copy key="e2e" text={pix.endToEndId} isShort />],
            ['txid', pix.txid && <Copy key="txid" text={pix.txid} isShort />],
            [t.pix.type, t.pixType[pix.type]],
            [t.pix.dueDate, pix.dueDate && day(pix.dueDate)],
            [t.pix.registry, pix.registryStatus],
            [t.transactions.paidAt, pix.paidAt && <Moment key="paid" at={pix.paidAt} />],
          ]}
        />
      </Section>
    )
  if (card)
    return (
      <Section title={t.cards.card}>
        <Facts
          of={[
            [
              t.cards.number,
              <>
                {t.brand[card.brand]} {card.bin && <code>{card.bin}</code>} ···· {card.last4}
              </>,
            ],
            [t.cards.holder, card.holderName],
            [t.cards.installments, installments && installments > 1 ? `${installments}×` : t.cards.single],
            ['NSU', card.nsu && <Copy key="nsu" text={card.nsu} isShort />],
            ['TID', card.tid && <Copy key="tid" text={card.tid} isShort />],
            [t.cards.authorization, card.authorizationCode],
            [
              t.cards.acquirer,
              card.acquirerReturnCode && `${card.acquirerReturnCode} · ${card.acquirerMessage ?? ''}`,
            ],
            [t.cards.authorizedAt, card.authorizedAt && <Moment key="auth" at={card.authorizedAt} />],
            [t.cards.capturedAt, card.capturedAt && <Moment key="capt" at={card.capturedAt} />],
            [
              t.cards.expiresAt,
              card.authorizationExpiresAt && <Moment key="exp" at={card.authorizationExpiresAt} />,
            ],
          ]}
        />
      </Section>
    )
  if (boleto)
    return (
      <Section title="Boleto">
        <Facts
          of={[
            [t.boletos.dueDate, day(boleto.dueDate)],
            [t.boletos.payableUntil, day(boleto.payableUntil)],
            [
              t.boletos.today,
              boleto.payableAmountToday !== '0' && <Amount key="today" of={boleto.payableAmountToday} />,
            ],
            [t.boletos.daysOverdue, boleto.daysOverdue || null],
            [t.boletos.fine, boleto.fineBps > 0 && percent(boleto.fineBps)],
            [t.boletos.interest, boleto.interestBps > 0 && percent(boleto.interestBps)],
            [
              t.boletos.discount,
              boleto.discountAmount !== '0' && <Amount key="discount" of={boleto.discountAmount} />,
            ],
            [t.boletos.ourNumber, boleto.ourNumber && <Copy key="our" text={boleto.ourNumber} isShort />],
            [t.boletos.bank, boleto.bankCode],
            [t.boletos.instructions, boleto.instructions],
            [t.transactions.paidAt, boleto.paidAt && <Moment key="paid" at={boleto.paidAt} />],
            [t.boletos.clearedAt, boleto.clearedAt && <Moment key="cleared" at={boleto.clearedAt} />],
          ]}
        />
      </Section>
    )
  return null
}

/** The merchant's own pairs. */
export const Metadata = ({ of }: { of: Readonly<Record<string, unknown>> }) => {
  const pairs = Object.entries(of)
  if (pairs.length === 0) return null
  return (
    <Section title={t.common.metadata}>
      <Facts of={pairs.map(([key, value]) => [key, <code key={key}>{String(value)}</code>] as const)} />
    </Section>
  )
}
