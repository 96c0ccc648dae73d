import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { customerOf, unitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { refresh } from '../../core/query.ts'
import { navigate, pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { AssetField, assetText, coinOf, firstCoin } from '../../parts/asset.tsx'
import { Amount, Button, Copy, Empty, Moment, Page, Tabs } from '../../parts/basics.tsx'
import { CustomerFields, useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { amountError, Choice, Field, Form, filled, MoneyField, useForm } from '../../parts/form.tsx'
import { optionsOf, Status, statusText, transactionStatusOptions } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { announce } from '../../parts/toasts.tsx'
import { nameOfTransaction } from '../payments/transactions.tsx'

type Deposit = Schemas['CryptoDeposit']

/** Charges in stablecoins, and deposits that paid no charge. */
export const Crypto = ({ rest: [part = 'cobrancas'] }: { rest: readonly string[] }) => {
  const dialog = useDialog(useFilters())
  const create = can('charges.create') && (
    <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show()}>
      {t.crypto.create}
    </Button>
  )
  return (
    <Page title={t.nav.crypto} lead={t.crypto.lead} actions={create}>
      <Tabs
        label={t.nav.crypto}
        current={part}
        of={[
          { id: 'cobrancas', text: t.pix.charges, href: pathTo('cripto') },
          { id: 'depositos', text: t.crypto.deposits, href: pathTo('cripto/depositos') },
        ]}
      />
      {part === 'depositos' ? <Deposits /> : <Charges create={create} />}
      {dialog.open && <ChargeDialog onClose={dialog.close} />}
    </Page>
  )
}

const Charges = ({ create }: { create: preact.ComponentChildren }) => {
  const query = useList('/v1/crypto/charges', ['from', 'to', 'status', 'externalId', 'q'])
  return (
    <List
      label={t.nav.crypto}
      query={query}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => pathTo(`transacoes/${id}`)}
      nameOf={nameOfTransaction}
      search={t.crypto.search}
      filterBy={[
        { kind: 'period' },
        {
          kind: 'choices',
          name: 'status',
          title: t.common.status,
          options: transactionStatusOptions().map(([value, text]) => ({ value, text })),
        },
        { kind: 'text', name: 'externalId', title: t.common.externalId, hint: t.transactions.externalIdHint },
      ]}
      columns={[
        {
          id: 'amount',
          title: t.common.amount,
          isNumber: true,
          cell: ({ amount, currency, crypto }) => (
            <>
              <Amount of={amount} currency={currency} />
              {crypto.quotedAmount && (
                <small class="sub">
                  <Amount of={crypto.quotedAmount} />
                </small>
              )}
            </>
          ),
        },
        {
          id: 'status',
          title: t.common.status,
          cell: ({ status, crypto }) => (
            <>
              <Status is={status} of="transaction" />
              {crypto.paymentState === 'SEEN' && (
                <small class="sub">
                  {t.crypto.confirmations(crypto.confirmations, crypto.requiredConfirmations)}
                </small>
              )}
            </>
          ),
        },
        { id: 'network', title: t.crypto.asset, from: 'medium', cell: ({ crypto }) => assetText(crypto) },
        {
          id: 'description',
          title: t.common.description,
          from: 'medium',
          cell: (row) => <span class="muted">{nameOfTransaction(row)}</span>,
        },
        {
          id: 'createdAt',
          title: t.common.createdAt,
          align: 'end',
          isDate: true,
          cell: ({ createdAt }) => <Moment at={createdAt} />,
        },
      ]}
      empty={
        <Empty icon="coin" title={t.crypto.none} actions={create}>
          {t.crypto.noneText}
        </Empty>
      }
    />
  )
}

const ChargeDialog = ({ onClose }: { onClose: () => void }) => {
  const form = useForm(
    { coin: firstCoin, amount: '', expiresInSeconds: '900' },
    async (values) => {
      const made = await dataOf(
        api.POST('/v1/crypto/charges', {
          body: {
            ...coinOf(values),
            amount: unitsOf(values.amount),
            expiresInSeconds: Number(values.expiresInSeconds),
            ...filled(values, 'description', 'externalId'),
            ...customerOf(values),
          },
        }),
      )
      refresh('/v1/')
      navigate(pathTo(`transacoes/${made.id}`))
    },
    ({ amount }) => ({ amount: amountError(amount) }),
  )
  return (
    <Dialog title={t.crypto.create} onClose={onClose}>
      <Form of={form} submit={t.crypto.create} onCancel={onClose}>
        <MoneyField form={form} name="amount" label={t.common.amount} hint={t.crypto.amountHint} isFirst />
        <AssetField form={form} hint={t.crypto.networkHint} />
        <Choice
          form={form}
          name="expiresInSeconds"
          label={t.crypto.validity}
          of={[900, 1800, 3600].map((seconds) => [String(seconds), `${seconds / 60} min`])}
        />
        <CustomerFields form={form} />
        <Field form={form} name="description" label={t.common.description} isOptional maxLength={140} />
      </Form>
    </Dialog>
  )
}

const Deposits = () => {
  const query = useList('/v1/crypto/deposits', ['from', 'to', 'status'])
  const [chosen, choose] = useState<Deposit | null>(null)
  return (
    <>
      <List
        label={t.crypto.deposits}
        query={query}
        keyOf={({ id }) => id}
        filterBy={[
          { kind: 'period' },
          {
            kind: 'choices',
            name: 'status',
            title: t.common.status,
            options: optionsOf(['UNRESOLVED', 'ACCEPTED', 'RETURNED', 'RETURN_FAILED'], (status) =>
              statusText(status, 'deposit'),
            ),
          },
        ]}
        columns={[
          {
            id: 'amount',
            title: t.common.amount,
            isNumber: true,
            cell: ({ amount, asset }) => <Amount of={amount} currency={asset} />,
          },
          {
            id: 'status',
            title: t.common.status,
            cell: ({ status, failureReason }) => (
              <>
                <Status is={status} of="deposit" />
                {failureReason && <small class="sub">{failureReason}</small>}
              </>
            ),
          },
          {
            id: 'reason',
            title: t.crypto.why,
            cell: ({ reason, transactionId }) => (
              <>
                {t.crypto.reason[reason]}
                <small class="sub">
                  <a href={pathTo(`transacoes/${transactionId}`)}>{t.crypto.itsCharge}</a>
                </small>
              </>
            ),
          },
          {
            id: 'hash',
            title: t.withdrawals.txHash,
            from: 'wide',
            cell: ({ txHash }) => <Copy text={txHash} isShort />,
          },
          {
            id: 'createdAt',
            title: t.common.createdAt,
            isDate: true,
            cell: ({ createdAt }) => <Moment at={createdAt} />,
          },
          {
            id: 'act',
            title: '',
            align: 'end',
            cell: (row) =>
              can('crypto.withdraw') &&
              (row.status === 'UNRESOLVED' || row.status === 'RETURN_FAILED') && (
                <button
                  type="button"
                  class="link"
                  aria-label={`${t.crypto.resolve}: ${row.cryptoAmount} ${row.asset}`}
                  onClick={() => choose(row)}
                >
                  {t.crypto.resolve}
                </button>
              ),
          },
        ]}
        empty={
          <Empty icon="coin" title={t.crypto.noDeposit}>
            {t.crypto.noDepositText}
          </Empty>
        }
      />
      {chosen && <ResolveDialog of={chosen} onClose={() => choose(null)} />}
    </>
  )
}

const ResolveDialog = ({ of, onClose }: { of: Deposit; onClose: () => void }) => {
  const form = useForm({ action: 'ACCEPT', address: of.fromAddress ?? '' }, async (values) => {
    const isReturn = values.action === 'RETURN'
    const body = {
      action: values.action as 'ACCEPT' | 'RETURN',
      ...(isReturn && filled(values, 'address')),
    }
    const facts = [
      [t.crypto.resolve, t.crypto.actions[body.action]],
      [t.common.amount, `${of.cryptoAmount} ${of.asset}`],
      ...(isReturn ? [[t.crypto.address, values.address!.trim()] as const] : []),
    ] as const
    await signing(facts, () =>
      dataOf(api.POST('/v1/crypto/deposits/{id}/resolve', { params: { path: { id: of.id } }, body })),
    )
    refresh('/v1/crypto', '/v1/balance')
    announce(t.crypto.resolved)
    onClose()
  })
  return (
    <Dialog title={t.crypto.resolve} onClose={onClose}>
      <p>{t.crypto.resolveText(`${of.cryptoAmount} ${of.asset}`, t.crypto.reason[of.reason])}</p>
      <Form of={form} submit={t.factor.sign} onCancel={onClose}>
        <Choice form={form} name="action" label={t.crypto.decision} of={Object.entries(t.crypto.actions)} />
        {form.values.action === 'RETURN' && (
          <Field
            form={form}
            name="address"
            label={t.crypto.address}
            hint={t.crypto.returnHint}
            autoComplete="off"
          />
        )}
      </Form>
    </Dialog>
  )
}
