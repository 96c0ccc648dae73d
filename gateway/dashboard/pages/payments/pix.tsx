import { useState } from 'preact/hooks'
import { post, type Schemas } from '../../core/api.ts'
import { documentNumber } from '../../core/format.ts'
import { customerOf, scenarioOf, unitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import {
  Amount,
  Button,
  Copy,
  Empty,
  Facts,
  Loading,
  Page,
  Section,
  Tabs,
  Trouble,
} from '../../parts/basics.tsx'
import { CustomerFields, DescriptionField, MoreOfCharge, useDialog } from '../../parts/common-fields.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { period, statusFilter, textFilter } from '../../parts/filter.ts'
import { amountError, Choice, Field, filled, MoneyField, requiredError } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { createButton, List, useList } from '../../parts/list-page.tsx'
import { amountColumn, momentColumn, Noted, Who } from '../../parts/table.tsx'
import { Meds } from './meds.tsx'
import { PixSummary } from './pix-summary.tsx'
import { MethodTransactions } from './transactions.tsx'

/** Everything about PIX: charges, received payments, own deposits, MEDs, a summary, and keys. */
export const Pix = ({ rest: [part = 'cobrancas'] }: { rest: readonly string[] }) => {
  const dialog = useDialog(useFilters())
  const create = createButton('charges.create', t.pix.create, () => dialog.show('cobranca'))
  const deposit = (tone: 'main' | 'plain') =>
    can('charges.create') && (
      <Button tone={tone} icon="plus" onClick={() => dialog.show('deposito')} text={t.pix.createDeposit} />
    )
  return (
    <Page
      title="PIX"
      actions={
        create && (
          <>
            {part === 'depositos' && deposit('plain')}
            {create}
          </>
        )
      }
    >
      <Tabs
        label="PIX"
        current={part}
        of={[
          { id: 'cobrancas', text: t.pix.charges, href: pathTo('pix') },
          { id: 'recebidos', text: t.pix.received, href: pathTo('pix/recebidos') },
          { id: 'depositos', text: t.pix.deposits, href: pathTo('pix/depositos') },
          { id: 'contestacoes', text: t.pix.meds, href: pathTo('pix/contestacoes') },
          { id: 'resumo', text: t.pix.overview, href: pathTo('pix/resumo') },
          { id: 'chaves', text: t.pix.keys, href: pathTo('pix/chaves') },
        ]}
      />
      {part === 'cobrancas' && (
        <MethodTransactions
          path="/v1/pix/charges"
          label={t.pix.charges}
          search={t.pix.search}
          empty={<Empty icon="pix" title={t.pix.noCharge} text={t.pix.noChargeText} actions={create} />}
        />
      )}
      {part === 'depositos' && (
        <MethodTransactions
          path="/v1/pix/deposits"
          label={t.pix.deposits}
          search={t.pix.search}
          empty={
            <Empty icon="pix" title={t.pix.noDeposit} text={t.pix.noDepositText} actions={deposit('main')} />
          }
        />
      )}
      {part === 'recebidos' && <Received />}
      {part === 'contestacoes' && <Meds />}
      {part === 'resumo' && <PixSummary />}
      {part === 'chaves' && <PixKeys />}
      {dialog.open === 'cobranca' && <ChargeDialog onClose={dialog.close} />}
      {dialog.open === 'deposito' && <DepositDialog onClose={dialog.close} />}
    </Page>
  )
}

const useReceived = () => useList('/v1/pix/received', ['from', 'to', 'status', 'endToEndId', 'txid', 'q'])

const Received = () => {
  const query = useReceived()
  const [repeating, setRepeating] = useState<Schemas['ReceivedPix'] | null>(null)
  return (
    <>
      {repeating && <RepeatReturnDialog of={repeating} onClose={() => setRepeating(null)} />}
      <ReceivedList query={query} onRepeat={can('refunds.create') ? setRepeating : null} />
    </>
  )
}

/** A bank refused to send a PIX back: it is asked once more. */
const RepeatReturnDialog = ({ of, onClose }: Closable & { of: Schemas['ReceivedPix'] }) => (
  <AskDialog
    title={t.pix.repeatReturn}
    text={t.pix.repeatReturnText}
    action={t.pix.repeatReturn}
    tone="main"
    act={() =>
      post('/v1/transactions/{id}/returns/repeat', {
        params: { path: { id: of.transactionId } },
        body: { receivedPixId: of.id },
      })
    }
    changes="/v1/"
    onClose={onClose}
  >
    <Facts
      of={[
        [t.common.amount, <Amount of={of.amount} />],
        [t.pix.payer, payerName(of.payer)],
      ]}
    />
  </AskDialog>
)

const ReceivedList = ({
  query,
  onRepeat,
}: {
  query: ReturnType<typeof useReceived>
  onRepeat: ((of: Schemas['ReceivedPix']) => void) | null
}) => {
  return (
    <List
      label={t.pix.received}
      query={query}
      hrefOf={({ transactionId }) => pathTo(`transacoes/${transactionId}`)}
      nameOf={({ payer }) => payerName(payer)}
      search={t.pix.search}
      filterBy={[
        period,
        statusFilter(['RECEIVED', 'RETURNING', 'RETURNED', 'RETURN_FAILED'], 'pix'),
        textFilter('endToEndId', 'E2E'),
        textFilter('txid', 'txid'),
      ]}
      columns={[
        amountColumn('amount', t.common.amount),
        [
          'status',
          t.common.status,
          (received) => (
            <>
              <Noted note={received.returnReason && t.pix.returnReason[received.returnReason]}>
                <Status is={received.status} of="pix" />
              </Noted>
              {received.status === 'RETURN_FAILED' && onRepeat && (
                <Button icon="undo" onClick={() => onRepeat(received)} text={t.pix.repeatReturn} />
              )}
            </>
          ),
        ],
        ['payer', t.pix.payer, ({ payer }) => <Who name={payerName(payer)} sub={payerAt(payer)} />],
        ['e2e', 'E2E', ({ endToEndId }) => <Copy text={endToEndId} isShort />, 'wide'],
        momentColumn('receivedAt', t.pix.receivedAt, 'end'),
      ]}
      empty={<Empty icon="pix" title={t.pix.noReceived} text={t.pix.noReceivedText} />}
    />
  )
}

type ReceivedPayer = { name: string; document: string | null; bankName: string | null } | null

/** What a bank says of who paid; some say nothing, and what is forgotten is empty. */
const payerName = (payer: ReceivedPayer): string =>
  payer === null ? t.unknownPayer : payer.name || t.forgottenPayer

const payerAt = (payer: ReceivedPayer): string | null =>
  payer && [documentNumber(payer.document), payer.bankName].filter(Boolean).join(' · ')

const PixKeys = () => {
  const { data, isLoading, problem, refresh } = useGet('/v1/pix/keys')
  if (isLoading) return <Loading />
  if (problem) return <Trouble of={problem} retry={refresh} />
  return (
    <Section title={t.pix.keys} note={t.pix.keysText}>
      <ul class="rows">
        {data?.data.map(({ id, type, key, status }) => (
          <li key={id}>
            <strong>{t.pix.keyType[type]}</strong> <Copy text={key} /> <Status is={status} of="pixKey" />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The choices for how long a charge can be paid. */
const expiries = (): [string, string][] => [
  ['900', t.pix.minutes(15)],
  ['3600', t.pix.hours(1)],
  ['86400', t.pix.hours(24)],
  ['604800', t.pix.days(7)],
  ['due', t.pix.byDueDate],
]

/** A new charge, which expires or falls due. */
export const ChargeDialog = ({ onClose }: Closable) => (
  <FormDialog
    title={t.pix.create}
    submit={t.pix.createAction}
    values={{ amount: '', expiry: '86400' }}
    check={({ amount, expiry, dueDate }) => ({
      amount: amountError(amount),
      dueDate: expiry === 'due' ? requiredError(dueDate) : null,
    })}
    send={(values) =>
      post('/v1/pix/charges', {
        body: {
          amount: unitsOf(values.amount),
          ...filled(values, 'description', 'externalId', 'splitRuleId'),
          ...(values.expiry === 'due'
            ? filled(values, 'dueDate')
            : { expiresInSeconds: Number(values.expiry) }),
          ...customerOf(values),
          ...scenarioOf(values),
        },
      })
    }
    changes="/v1/"
    opens={({ id }) => `transacoes/${id}`}
    onClose={onClose}
  >
    {({ values: { expiry } }) => (
      <>
        <MoneyField name="amount" label={t.common.amount} isFirst />
        <DescriptionField hint={t.pix.descriptionHint} />
        <div class="form-row">
          <Choice name="expiry" label={t.pix.expiry} of={expiries()} />
          {expiry === 'due' && <Field name="dueDate" type="date" label={t.boletos.dueDate} />}
        </div>
        <MoreOfCharge>
          <CustomerFields isRequired={expiry === 'due'} />
        </MoreOfCharge>
      </>
    )}
  </FormDialog>
)

/** A deposit of the company's own money. */
export const DepositDialog = ({ onClose }: Closable) => (
  <FormDialog
    title={t.pix.createDeposit}
    hint={t.pix.noDepositText}
    submit={t.pix.createAction}
    values={{ amount: '' }}
    check={({ amount }) => ({ amount: amountError(amount) })}
    send={(values) =>
      post('/v1/pix/deposits', { body: { amount: unitsOf(values.amount), ...filled(values, 'description') } })
    }
    changes="/v1/"
    opens={({ id }) => `transacoes/${id}`}
    onClose={onClose}
  >
    <MoneyField name="amount" label={t.common.amount} isFirst />
    <DescriptionField />
  </FormDialog>
)
