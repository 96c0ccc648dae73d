import { downloadPath, patch, post, type Schemas, withId } from '../../core/api.ts'
import { count } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Amount, Button, Copy, LinkButton, Page, Section, Trouble } from '../../parts/basics.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { CopyBox } from '../../parts/copy-box.tsx'
import { FactSection, Figures, instant, linkTo, Metadata, SplitPage } from '../../parts/facts.tsx'
import { Status } from '../../parts/labels.tsx'
import { DataTable } from '../../parts/table.tsx'
import { useChange } from '../../parts/toasts.tsx'
import { EditLinkDialog } from './link-dialogs.tsx'
import { Price, paymentsText, sessionsOf } from './links.tsx'
import { installmentsFact } from './offer-fields.tsx'
import { nameOfSession, sessionColumns } from './sessions.tsx'
import { SoldPlan, termsText } from './sold-plan.tsx'
import { say, withTexts } from './with-texts.tsx'

type Link = Schemas['PaymentLink']

/** One link: its address with the QR Code, and what was sold by it. */
export const LinkPage = withTexts(
  () => t.nav.links,
  ({ id }: { id: string }) => {
    const query = useGet('/v1/payment-links/{id}', { path: { id } })
    const { data: link, problem } = query
    const dialog = useDialog(useFilters(), 'editar')
    const back = { href: pathTo('links'), text: t.nav.links }
    if (problem || link === null) return <Page title={say.link.one} back={back} unread={query} />
    return (
      <Page
        back={back}
        title={link.title}
        status={<Status is={link.status} of="paymentLink" />}
        lead={
          <>
            {link.plan ? termsText(link.plan) : <Price of={link} />} <span class="dot" />{' '}
            <Copy text={link.id} isShort />
          </>
        }
        actions={can('charges.create') && <Actions of={link} onEdit={() => dialog.show()} />}
      >
        <SplitPage side={<LinkFacts of={link} />}>
          <Share of={link} />
          <Sold of={link} />
        </SplitPage>
        {dialog.open && <EditLinkDialog link={link} onClose={dialog.close} />}
      </Page>
    )
  },
)

const Actions = ({ of: { id, status }, onEdit }: { of: Link; onEdit: () => void }) => {
  const off = useChange(
    () => post('/v1/payment-links/{id}/deactivate', withId(id)),
    say.link.deactivated,
    '/v1/payment-links',
  )
  const on = useChange(
    () => patch('/v1/payment-links/{id}', { ...withId(id), body: { active: true } }),
    say.link.activated,
    '/v1/payment-links',
  )
  return (
    <>
      <Button icon="edit" onClick={onEdit} text={t.common.edit} />
      {status === 'INACTIVE' ? (
        <ActionButton of={on} icon="play" text={say.link.activate} />
      ) : (
        <ActionButton of={off} icon="ban" text={say.link.deactivate} />
      )}
      <Trouble of={off.problem ?? on.problem} />
    </>
  )
}

/** The address and its QR Code, to send and to print. */
const Share = ({ of: { id, url, status } }: { of: Link }) => {
  const qr = (format: 'png' | 'svg', size: string) =>
    downloadPath(`/v1/payment-links/${id}/qr`, { format, size })
  return (
    <Section title={say.link.share} note={status !== 'ACTIVE' && say.link.closed}>
      <div class="instructions">
        <img class="qr" src={qr('svg', '6')} alt={say.link.qrAlt} width={180} height={180} />
        <div>
          <CopyBox label={say.link.address} text={url} />
          <div class="actions wrap">
            <LinkButton icon="download" href={qr('png', '16')} download text={say.link.png} />
            <LinkButton icon="download" href={qr('svg', '16')} download text={say.link.svg} />
            <LinkButton icon="external" href={url} target="_blank" text={say.link.visit} />
          </div>
        </div>
      </div>
    </Section>
  )
}

const path = '/v1/checkout-sessions'

/** What was sold by the link: each figure leads to the sessions that it counts. */
const Sold = ({ of: link }: { of: Link }) => {
  const linkId = link.id
  const latest = useGet(path, { query: { linkId, pageSize: 10 } })
  const underWay = useGet(path, { query: { linkId, status: 'OPEN,PROCESSING', pageSize: 1 } })
  const unpaid = useGet(path, { query: { linkId, status: 'EXPIRED', pageSize: 1 } })
  const totalOf = ({ data }: typeof latest) => (data ? count(data.pagination.total) : '–')
  const paid = { href: sessionsOf(linkId, 'COMPLETED') }
  const rows = latest.data?.data ?? []
  return (
    <Section
      title={say.link.sold}
      actions={
        <>
          <a href={pathTo('transacoes?origin=LINK')}>{say.link.transactions}</a>
          {link.planId && <a href={pathTo(`assinaturas?planId=${link.planId}`)}>{say.plan.subscriptions}</a>}
          {rows.length > 0 && <a href={sessionsOf(linkId)}>{t.common.seeAll}</a>}
        </>
      }
    >
      <Figures
        of={[
          [say.link.payments, paymentsText(link), paid],
          [say.link.paid, <Amount key="paid" of={link.paidAmount} />, paid],
          [say.link.underWay, totalOf(underWay), { href: sessionsOf(linkId, 'OPEN', 'PROCESSING') }],
          [say.link.unpaid, totalOf(unpaid), { href: sessionsOf(linkId, 'EXPIRED') }],
        ]}
      />
      <Trouble of={latest.problem} retry={latest.refresh} />
      {rows.length > 0 ? (
        <DataTable
          label={say.link.sold}
          columns={sessionColumns({ isOfPlan: link.planId !== null })}
          rows={rows}
          hrefOf={({ id }) => pathTo(`sessoes/${id}`)}
          nameOf={nameOfSession}
        />
      ) : (
        latest.data && <p class="hint">{say.link.soldNone}</p>
      )}
    </Section>
  )
}

const LinkFacts = ({ of }: { of: Link }) => (
  <>
    <FactSection
      of={[
        [say.link.name, of.name !== of.title && of.name],
        [t.plans.one, of.planId && <SoldPlan key="plan" of={of} />],
        [say.plan.terms, of.plan && termsText(of.plan)],
        [t.common.description, of.description],
        [say.offer.items, of.items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')],
        [say.offer.methods, of.methods.map((method) => t.method[method]).join(', ')],
        [say.offer.installments, installmentsFact(of)],
        [say.offer.coupons, of.allowCoupons && t.common.yes],
        [say.link.suggested, of.suggestedAmounts.length > 0 && <Suggested of={of.suggestedAmounts} />],
        [say.link.quantity, of.quantity?.max],
        [say.link.maxPayments, of.maxPayments && count(of.maxPayments)],
        [say.link.expires, instant(of.expiresAt)],
        [say.offer.collect, askedText(of)],
        ...of.customFieldsAsked.map(
          ({ label, options }, n) => [say.offer.question(n + 1), [label, ...options].join(' · ')] as const,
        ),
        [t.split.rule, linkTo(of.splitRuleId)],
        [say.offer.successUrl, of.successUrl],
        [t.common.createdAt, instant(of.createdAt)],
        [t.common.updatedAt, instant(of.updatedAt)],
      ]}
    />
    <Metadata of={of.metadata} />
  </>
)

const Suggested = ({ of }: { of: readonly string[] }) => (
  <>
    {of.map((amount, n) => (
      <>
        {n > 0 && ' · '}
        <Amount key={amount} of={amount} />
      </>
    ))}
  </>
)

/** The fields that a payer has to fill in. */
export const askedText = ({ collect }: Pick<Link, 'collect'>): string =>
  (Object.keys(say.offer.fields) as (keyof Link['collect'])[])
    .filter((field) => collect[field] === 'REQUIRED')
    .map((field) => say.offer.fields[field])
    .join(', ')
