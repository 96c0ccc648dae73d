import { post, type Schemas } from '../../core/api.ts'
import { shortId } from '../../core/format.ts'
import { customerOf, unitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { Amount, Empty } from '../../parts/basics.tsx'
import { CustomerFields, DescriptionField, ExternalIdField, useDialog } from '../../parts/common-fields.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { linkTo } from '../../parts/facts.tsx'
import { choices, externalIdFilter, nameOptions, statusFilter } from '../../parts/filter.ts'
import { amountError, Choice, Field, FormPart, filled, MoneyField, useFormAround } from '../../parts/form.tsx'
import { createButton, ListPage, useList } from '../../parts/list-page.tsx'
import { type Columns, momentColumn, statusColumn, Who } from '../../parts/table.tsx'
import { offerErrors, offerOf, offerValues, PayerFields, PaymentFields } from './offer-fields.tsx'
import { ModeField, PlanFields, PlanLine, sellsPlan } from './sold-plan.tsx'
import { say, withTexts } from './with-texts.tsx'

type Session = Schemas['CheckoutSession']

const statuses = ['OPEN', 'PROCESSING', 'COMPLETED', 'EXPIRED'] as const

/** Sessions: the pages that payers were sent to, or opened from a link. */
export const Sessions = withTexts(
  () => t.nav.sessions,
  () => {
    const query = useList('/v1/checkout-sessions', ['status', 'externalId', 'linkId'])
    const links = useGet('/v1/payment-links', { query: { pageSize: 200 } })
    const dialog = useDialog(query.filters)
    const create = createButton('charges.create', say.session.create, dialog.show)
    const titles = links.data?.data.map(({ id, title }) => ({ id, name: title }))
    return (
      <ListPage
        title={t.nav.sessions}
        lead={say.session.lead}
        actions={create}
        query={query}
        hrefOf={({ id }) => pathTo(`sessoes/${id}`)}
        nameOf={nameOfSession}
        filterBy={[
          statusFilter(statuses, 'checkoutSession'),
          choices('linkId', say.session.link, nameOptions(titles), true),
          externalIdFilter(),
        ]}
        columns={sessionColumns({ links: new Map(titles?.map(({ id, name }) => [id, name])) })}
        empty={<Empty icon="link" title={say.session.none} text={say.session.noneText} actions={create} />}
      >
        {dialog.open && <SessionDialog onClose={dialog.close} />}
      </ListPage>
    )
  },
)

/** What a session is called: its payer, what it is for, or its code. */
export const nameOfSession = ({ customer, description, items, id }: Session): string =>
  customer?.name ?? description ?? items[0]?.name ?? shortId(id)

type SessionColumns = {
  /** The titles of links: with them each row says which link opened it, and which plan it sells. */
  links?: ReadonlyMap<string, string>
  /** Whether all sell one plan: then what each began is shown at every width. */
  isOfPlan?: boolean
}

/** The columns of sessions. */
export const sessionColumns = ({ links, isOfPlan = false }: SessionColumns): Columns<Session> => [
  [
    'payer',
    t.common.customer,
    (session) => (
      <>
        <Who name={nameOfSession(session)} sub={session.customer?.email} />
        {links !== undefined && <PlanLine of={session} />}
      </>
    ),
  ],
  [
    'amount',
    t.common.amount,
    ({ amount, totalAmount, status }) => (
      <Amount of={status === 'COMPLETED' ? (totalAmount ?? amount) : amount} />
    ),
    'number',
  ],
  statusColumn('checkoutSession'),
  links !== undefined && [
    'link',
    say.session.origin,
    ({ linkId }) =>
      linkId === null ? (
        say.session.byYou
      ) : (
        <a href={pathTo(`links/${linkId}`)}>{links.get(linkId) ?? say.session.link}</a>
      ),
    'medium',
  ],
  [
    'result',
    say.session.result,
    ({ transactionId, subscriptionId }) =>
      linkTo(subscriptionId, t.subscriptions.one) ?? linkTo(transactionId, shortId(transactionId ?? '')),
    ...(isOfPlan ? [] : (['medium'] as const)),
  ],
  momentColumn('createdAt', t.common.createdAt, 'when', 'end'),
]

/** How long a page can be paid. */
const lives = (): [string, string][] => [
  ['3600', say.session.hours(1)],
  ['86400', say.session.days(1)],
  ['259200', say.session.days(3)],
  ['604800', say.session.days(7)],
  ['2592000', say.session.days(30)],
]

/** A page for one payer. */
const SessionDialog = ({ onClose }: Closable) => (
  <FormDialog
    title={say.session.create}
    hint={say.session.hint}
    submit={say.session.createAction}
    values={{ ...offerValues, amount: '', life: '86400' }}
    check={(values) => offerErrors(values, ({ amount }) => ({ amount: amountError(amount) }))}
    send={(values) =>
      post('/v1/checkout-sessions', {
        body: {
          expiresInSeconds: Number(values.life),
          ...offerOf(values, ({ amount }) => ({ amount: unitsOf(amount) })),
          ...filled(values, 'externalId', 'couponCode'),
          ...customerOf(values),
        } as never,
      })
    }
    changes="/v1/checkout-sessions"
    opens={({ id }: Session) => `sessoes/${id}`}
    onClose={onClose}
  >
    <SessionFields />
  </FormDialog>
)

const SessionFields = () => {
  const isOfPlan = sellsPlan(useFormAround().values)
  return (
    <>
      <ModeField />
      {isOfPlan && <PlanFields />}
      {/* Hidden and not taken away: coming back, it would take the focus from the field above. */}
      <div hidden={isOfPlan}>
        <MoneyField name="amount" label={t.common.amount} isFirst />
      </div>
      <DescriptionField />
      <Choice name="life" label={say.session.life} of={lives()} />
      <PaymentFields>
        <Field
          name="couponCode"
          label={t.subscriptions.coupon}
          hint={say.session.couponHint}
          isOptional
          maxLength={64}
          autoComplete="off"
        />
      </PaymentFields>
      <FormPart title={t.common.customer}>
        <CustomerFields />
        <ExternalIdField />
      </FormPart>
      <PayerFields />
    </>
  )
}
