import type { Schemas } from '../../core/api.ts'
import { count, money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { Amount, copy, Empty } from '../../parts/basics.tsx'
import { TextButton } from '../../parts/buttons.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { statusFilter } from '../../parts/filter.ts'
import { createButton, ListPage, useList } from '../../parts/list-page.tsx'
import { amountColumn, momentColumn, Noted, statusColumn } from '../../parts/table.tsx'
import { NewLinkDialog } from './link-dialogs.tsx'
import { everyText, PlanLine } from './sold-plan.tsx'
import { say, withTexts } from './with-texts.tsx'

type Link = Schemas['PaymentLink']

const statuses = ['ACTIVE', 'INACTIVE', 'EXPIRED', 'EXHAUSTED'] as const

/** Payment links, with what was paid at each. */
export const Links = withTexts(
  () => t.nav.links,
  () => {
    const query = useList('/v1/payment-links', ['status', 'q'])
    const dialog = useDialog(query.filters)
    const create = createButton('charges.create', say.link.create, dialog.show)
    return (
      <ListPage
        title={t.nav.links}
        actions={create}
        query={query}
        hrefOf={({ id }) => pathTo(`links/${id}`)}
        nameOf={({ title }) => title}
        search={say.link.search}
        filterBy={[statusFilter(statuses, 'paymentLink')]}
        columns={[
          [
            'title',
            say.link.title,
            (link) => (
              <>
                <Noted note={link.name !== link.title && link.name}>{<strong>{link.title}</strong>}</Noted>
                <PlanLine of={link} />
              </>
            ),
          ],
          ['amount', t.common.amount, (link) => <Price of={link} />, 'number'],
          statusColumn('paymentLink'),
          ['payments', say.link.payments, (link) => <Payments of={link} />, 'number', 'medium'],
          amountColumn('paidAmount', say.link.paid, 'medium'),
          ['url', say.link.address, (link) => <CopyUrl of={link} />, 'wide'],
          momentColumn('createdAt', t.common.createdAt, 'when', 'end'),
        ]}
        empty={<Empty icon="link" title={say.link.none} text={say.link.noneText} actions={create} />}
      >
        {dialog.open && <NewLinkDialog onClose={dialog.close} />}
      </ListPage>
    )
  },
)

/** What is paid at a link: each time, of a plan. */
export const Price = ({ of: { amount, minAmount, maxAmount, plan } }: { of: Link }) => {
  if (plan !== null)
    return (
      <Noted note={everyText(plan)}>
        <Amount of={plan.amount} />
      </Noted>
    )
  if (amount !== null) return <Amount of={amount} />
  return <span>{say.link.between(money(minAmount ?? '0'), money(maxAmount ?? '0'))}</span>
}

/** The sessions of a link in some statuses. */
export const sessionsOf = (linkId: string, ...statuses: readonly string[]): string =>
  pathTo(`sessoes?linkId=${linkId}${statuses.length > 0 ? `&status=${statuses.join()}` : ''}`)

/** How often a link was paid, of how often it may be. */
export const paymentsText = ({ paymentsCount, maxPayments }: Link): string =>
  maxPayments === null ? count(paymentsCount) : say.link.ofMax(count(paymentsCount), count(maxPayments))

const Payments = ({ of }: { of: Link }) => <a href={sessionsOf(of.id, 'COMPLETED')}>{paymentsText(of)}</a>

const CopyUrl = ({ of: { url, title } }: { of: Link }) => (
  <TextButton
    text={t.common.copy}
    name={`${t.common.copy} ${say.link.copyUrl} ${title}`}
    onClick={() => copy(url)}
  />
)
