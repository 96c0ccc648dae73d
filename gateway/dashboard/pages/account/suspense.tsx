import { useState } from 'preact/hooks'
import { post, type Schemas, withId } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { documentNumber, money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh, useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can, sessionStore } from '../../core/session.ts'
import { Actor } from '../../parts/actor.tsx'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Amount, Button, Copy, Empty, Page } from '../../parts/basics.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import {
  amountOf,
  amountOrNone,
  copyable,
  FactSection,
  instant,
  linkTo,
  SplitPage,
} from '../../parts/facts.tsx'
import { statusFilter } from '../../parts/filter.ts'
import { Choice, Field, required } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { ListPage, useList } from '../../parts/list-page.tsx'
import { ProviderName } from '../../parts/provider-name.tsx'
import { amountColumn, momentColumn, statusColumn, Who } from '../../parts/table.tsx'
import { announce } from '../../parts/toasts.tsx'
import { saying, withConnectionTexts } from '../connections/connection-texts.tsx'
import { History } from './history.tsx'

type Suspense = Schemas['Suspense']

const statuses = ['OPEN', 'RETURNING', 'RETURNED', 'ASSIGNED', 'WRITTEN_OFF'] as const

/** Money that a bank took and that belongs to nothing. */
export const SuspenseList = withConnectionTexts(
  () => t.nav.suspense,
  () => (
    <ListPage
      title={t.nav.suspense}
      lead={saying.suspense.lead}
      query={useList('/v1/suspense', ['status'])}
      hrefOf={({ id }) => pathTo(`suspenso/${id}`)}
      nameOf={({ amount }) => money(amount)}
      filterBy={[statusFilter(statuses, 'suspense')]}
      columns={[
        amountColumn('amount', t.common.amount),
        statusColumn('suspense'),
        ['payer', saying.suspense.payer, ({ payer }) => <Who {...whoOf(payer)} />],
        ['bank', saying.suspense.bank, ({ providerId }) => <ProviderName id={providerId} />, 'wide'],
        momentColumn('paidAt', saying.suspense.paidAt, 'end'),
      ]}
      empty={<Empty icon="check" title={saying.suspense.none} text={saying.suspense.noneText} />}
    />
  ),
)

const whoOf = (payer: Suspense['payer']) =>
  payer === null
    ? { name: t.unknownPayer, sub: null }
    : { name: payer.name || t.forgottenPayer, sub: documentNumber(payer.document) }

type Act = 'assign' | 'return' | 'writeOff'

/** One PIX in suspense: where it came from, and what people decide. */
export const SuspensePage = withConnectionTexts<{ id: string }>(
  () => t.nav.suspense,
  ({ id }) => {
    const query = useGet('/v1/suspense/{id}', { path: { id } })
    const { data, problem } = query
    const [act, setAct] = useState<Act | null>(null)
    const back = { href: pathTo('suspenso'), text: t.nav.suspense }
    if (problem || !data) return <Page title={saying.suspense.one} back={back} unread={query} />
    return (
      <Page
        back={back}
        title={<Amount of={data.amount} size="huge" />}
        status={<Status is={data.status} of="suspense" />}
        lead={<Copy text={data.id} isShort />}
        actions={data.status === 'OPEN' && <Decisions of={data} onAct={setAct} />}
      >
        <Proposed of={data} />
        <SplitPage side={<Came of={data} />}>
          <Became of={data} />
          <History id={id} />
        </SplitPage>
        {act && <Deciding act={act} of={data} onClose={() => setAct(null)} />}
      </Page>
    )
  },
)

const isOwn = ({ writeOff }: Suspense): boolean =>
  writeOff !== null && writeOff.requestedBy.id === sessionStore.get()?.person.id

const Decisions = ({ of, onAct }: { of: Suspense; onAct: (act: Act) => void }) => (
  <>
    {can('refunds.create') && (
      <>
        <Button tone="main" icon="link" onClick={() => onAct('assign')} text={saying.suspense.assign} />
        <Button icon="undo" onClick={() => onAct('return')} text={saying.suspense.giveBack} />
      </>
    )}
    {can('transfers.approve') && !isOwn(of) && (
      <Button
        icon="ban"
        onClick={() => onAct('writeOff')}
        text={of.writeOff === null ? saying.suspense.writeOff : saying.suspense.confirm}
      />
    )}
  </>
)

const Proposed = ({ of }: { of: Suspense }) => {
  const { status, writeOff } = of
  if (status !== 'OPEN') return null
  if (writeOff === null) return <p class="notice-line calm">{saying.suspense.open}</p>
  return (
    <p class="notice-line warn">
      <span>
        {isOwn(of) ? (
          saying.suspense.ownWaits(writeOff.reason)
        ) : (
          <>
            <Actor of={writeOff.requestedBy} /> {saying.suspense.waits(writeOff.reason)}
          </>
        )}
      </span>
    </p>
  )
}

const Came = ({ of }: { of: Suspense }) => {
  const { name, sub } = whoOf(of.payer)
  return (
    <FactSection
      title="PIX"
      of={[
        [
          saying.suspense.payer,
          <>
            {name}
            <small class="sub">{sub}</small>
          </>,
        ],
        [t.pix.payerBank, of.payer?.bankName],
        [
          saying.suspense.bank,
          of.connectionId ? (
            <a href={pathTo(`conexoes/${of.connectionId}`)}>
              <ProviderName id={of.providerId} />
            </a>
          ) : (
            of.providerId
          ),
        ],
        [saying.suspense.key, copyable(of.pixKey)],
        ['E2E', copyable(of.endToEndId)],
        ['txid', copyable(of.txid)],
        [saying.suspense.paidAt, instant(of.paidAt)],
      ]}
    />
  )
}

const Became = ({ of }: { of: Suspense }) => {
  const { return: returning, writeOff } = of
  return (
    <FactSection
      of={[
        [t.common.amount, amountOf(of.amount)],
        [saying.suspense.returned, amountOrNone(of.returnedAmount)],
        [saying.suspense.became, linkTo(of.transactionId, of.transactionId)],
        [saying.suspense.returning, returning && saying.suspense.attempts(returning.attempts)],
        [saying.suspense.bankSaid, returning?.message],
        [saying.suspense.nextAttempt, instant(returning?.nextAttemptAt)],
        [saying.suspense.reason, of.status === 'WRITTEN_OFF' && writeOff?.reason],
        [t.common.createdAt, instant(of.createdAt)],
        [saying.suspense.resolvedAt, instant(of.resolvedAt)],
      ]}
    />
  )
}

type DecidingProps = Closable & { of: Suspense }

const Deciding = ({ act, ...props }: DecidingProps & { act: Act }) => {
  switch (act) {
    case 'assign':
      return <AssignDialog {...props} />
    case 'return':
      return <ReturnDialog {...props} />
    case 'writeOff':
      return <WriteOffDialog {...props} />
  }
}

const AssignDialog = ({ of, onClose }: DecidingProps) => (
  <FormDialog
    title={saying.suspense.assign}
    lead={saying.suspense.assignText}
    submit={saying.suspense.assign}
    values={{ to: 'CHARGE', transactionId: '' }}
    check={(values) => (values.to === 'CHARGE' ? required('transactionId')(values) : {})}
    send={async ({ to, transactionId }) => {
      await post('/v1/suspense/{id}/assign', {
        ...withId(of.id),
        body: { transactionId: to === 'CHARGE' ? transactionId!.trim() : null },
      })
      changed(saying.suspense.assigned)
    }}
    onClose={onClose}
  >
    {({ values: { to } }) => (
      <>
        <Choice name="to" label={saying.suspense.to} of={Object.entries(saying.suspense.toWhat)} />
        {to === 'CHARGE' && (
          <Field
            name="transactionId"
            label={saying.suspense.charge}
            hint={saying.suspense.chargeHint}
            autoComplete="off"
          />
        )}
      </>
    )}
  </FormDialog>
)

const ReturnDialog = ({ of, onClose }: DecidingProps) => (
  <AskDialog
    title={saying.suspense.giveBackTitle}
    text={saying.suspense.giveBackText}
    action={saying.suspense.giveBack}
    act={async () => {
      await signing(signedFacts(of), () => post('/v1/suspense/{id}/return', withId(of.id)))
      changed(saying.suspense.returnRequested)
    }}
    onClose={onClose}
  />
)

/** The second person confirms what the first one has proposed, for the same reason. */
const WriteOffDialog = ({ of, onClose }: DecidingProps) => {
  const { writeOff } = of
  return (
    <FormDialog
      title={saying.suspense.writeOffTitle}
      lead={writeOff === null ? saying.suspense.writeOffText : saying.suspense.confirmText(writeOff.reason)}
      submit={writeOff === null ? saying.suspense.writeOff : saying.suspense.confirm}
      tone="danger"
      values={{ reason: writeOff?.reason ?? '' }}
      check={required('reason')}
      send={async ({ reason }) => {
        const { status } = await signing(signedFacts(of), () =>
          post('/v1/suspense/{id}/write-off', { ...withId(of.id), body: { reason: reason!.trim() } }),
        )
        changed(status === 'WRITTEN_OFF' ? saying.suspense.writtenOff : saying.suspense.proposed)
      }}
      onClose={onClose}
    >
      {writeOff === null && <Field name="reason" label={saying.suspense.reason} isFirst maxLength={240} />}
    </FormDialog>
  )
}

const signedFacts = (of: Suspense) =>
  [
    [t.common.amount, money(of.amount)],
    [saying.suspense.payer, whoOf(of.payer).name],
  ] as const

const changed = (text: string): void => {
  refresh('/v1/suspense', '/v1/balance', '/v1/overview', '/v1/transactions', '/v1/audit')
  announce(text)
}
