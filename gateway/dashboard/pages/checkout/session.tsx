import { post, type Schemas, withId } from '../../core/api.ts'
import { shortId } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Amount, Copy, LinkButton, Page, Section, Trouble } from '../../parts/basics.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { CopyBox } from '../../parts/copy-box.tsx'
import {
  amountOrNone,
  codePairs,
  copyable,
  FactSection,
  instant,
  linkTo,
  Metadata,
  SplitPage,
} from '../../parts/facts.tsx'
import { Status } from '../../parts/labels.tsx'
import { Rows } from '../../parts/table.tsx'
import { useChange } from '../../parts/toasts.tsx'
import { SubscriptionTable } from '../billing/subscription-table.tsx'
import { askedText } from './link.tsx'
import { installmentsFact } from './offer-fields.tsx'
import { nameOfSession } from './sessions.tsx'
import { SoldPlan, termsText } from './sold-plan.tsx'
import { say, withTexts } from './with-texts.tsx'

type Session = Schemas['CheckoutSession']

/** One session: where its payer pays, and what became of it. */
export const SessionPage = withTexts(
  () => t.nav.sessions,
  ({ id }: { id: string }) => {
    const query = useGet('/v1/checkout-sessions/{id}', { path: { id } })
    const { data: session, problem } = query
    const back = { href: pathTo('sessoes'), text: t.nav.sessions }
    if (problem || session === null) return <Page title={say.session.one} back={back} unread={query} />
    const isOpen = session.status === 'OPEN' || session.status === 'PROCESSING'
    return (
      <Page
        back={back}
        title={<Amount of={session.totalAmount ?? session.amount} size="huge" />}
        status={<Status is={session.status} of="checkoutSession" />}
        lead={
          <>
            {nameOfSession(session)} <span class="dot" />{' '}
            {session.plan && (
              <>
                {termsText(session.plan)} <span class="dot" />{' '}
              </>
            )}
            <Copy text={session.id} isShort />
          </>
        }
        actions={isOpen && can('charges.create') && <Expire of={session} />}
      >
        <SplitPage side={<SessionFacts of={session} />}>
          {isOpen && (
            <Section title={say.link.share} note={say.session.addressHint}>
              <CopyBox label={say.session.address} text={session.url} />
              <LinkButton icon="external" href={session.url} target="_blank" text={say.session.visit} />
            </Section>
          )}
          {session.subscriptionId && <Begun id={session.subscriptionId} />}
          <Charges of={session} />
        </SplitPage>
      </Page>
    )
  },
)

const Expire = ({ of: { id } }: { of: Session }) => {
  const expire = useChange(
    () => post('/v1/checkout-sessions/{id}/expire', withId(id)),
    say.session.expired,
    '/v1/checkout-sessions',
  )
  return (
    <>
      <ActionButton of={expire} icon="ban" text={say.session.expire} />
      <Trouble of={expire.problem} />
    </>
  )
}

/** The subscription that the page has begun. */
const Begun = ({ id }: { id: string }) => {
  const { data, problem, refresh } = useGet(can('subscriptions.read') ? '/v1/subscriptions/{id}' : null, {
    path: { id },
  })
  return (
    <Section title={t.subscriptions.one} note={!data && linkTo(id)}>
      <Trouble of={problem} retry={refresh} />
      {data && <SubscriptionTable rows={[data]} hasCustomer />}
    </Section>
  )
}

/** The transactions that the page has made, of which at most one paid it. */
const Charges = ({ of: { transactionIds, transactionId } }: { of: Session }) => (
  <Section title={say.session.charges}>
    {transactionIds.length === 0 ? (
      <p class="hint">{say.session.noCharge}</p>
    ) : (
      <Rows
        label={say.session.charges}
        heads={[t.transactions.one, t.common.status]}
        rows={transactionIds.map((id) => [
          id,
          <a key={id} href={pathTo(`transacoes/${id}`)}>
            {shortId(id)}
          </a>,
          <ChargeStatus key="status" id={id} isPaid={id === transactionId} />,
        ])}
      />
    )}
  </Section>
)

const ChargeStatus = ({ id, isPaid }: { id: string; isPaid: boolean }) => {
  const { data } = useGet(can('transactions.read') ? '/v1/transactions/{id}' : null, { path: { id } })
  if (data) return <Status is={data.status} of="transaction" />
  return isPaid ? <Status is="APPROVED" of="transaction" /> : <>–</>
}

const SessionFacts = ({ of }: { of: Session }) => (
  <>
    <FactSection
      of={[
        [say.session.link, linkTo(of.linkId)],
        [t.common.customer, of.customer && (linkTo(of.customerId, of.customer.name) ?? of.customer.name)],
        [t.common.email, of.customer?.email],
        [t.common.description, of.description],
        [t.common.externalId, copyable(of.externalId)],
        [t.plans.one, of.planId && <SoldPlan key="plan" of={of} />],
        [say.plan.terms, of.plan && termsText(of.plan)],
        [of.plan ? say.plan.atFirst : t.common.amount, <Amount key="amount" of={of.amount} />],
        [say.session.coupon, of.couponCode],
        [say.session.discount, amountOrNone(of.discountAmount)],
        [say.session.interest, amountOrNone(of.interestAmount)],
        [
          say.session.total,
          of.totalAmount && (of.plan === null || of.totalAmount !== of.amount) && (
            <Amount key="total" of={of.totalAmount} />
          ),
        ],
        [say.offer.items, of.items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')],
        [say.offer.methods, of.methods.map((method) => t.method[method]).join(', ')],
        [say.offer.installments, installmentsFact(of)],
        [say.offer.collect, askedText(of)],
        [t.split.rule, linkTo(of.splitRuleId)],
        [say.offer.successUrl, of.successUrl],
        [say.session.expires, instant(of.expiresAt)],
        [say.session.completed, instant(of.completedAt)],
        [t.common.createdAt, instant(of.createdAt)],
      ]}
    />
    <Answers of={of} />
    <Metadata of={of.metadata} />
  </>
)

const Answers = ({ of: { customFields, customFieldsAsked } }: { of: Session }) => {
  const labels = new Map(customFieldsAsked.map(({ key, label }) => [key, label]))
  const answers = codePairs(customFields as Record<string, unknown>)
  return answers.length === 0 ? null : (
    <FactSection
      title={say.offer.answers}
      of={answers.map(([key, value]) => [labels.get(key) ?? key, value] as const)}
    />
  )
}
