import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { clockMs } from '../../core/clock.ts'
import { signing } from '../../core/factor.ts'
import { t } from '../../core/language.ts'
import { refresh } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { AssetField, assetText, coinOf, firstCoin } from '../../parts/asset.tsx'
import { Ago, Button, Copy, Empty, Page } from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Choice, Field, Form, filled, requiredError, useForm } from '../../parts/form.tsx'
import { Status, statusText } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { announce } from '../../parts/toasts.tsx'
import { walletFacts } from './wallet-facts.ts'

type Wallet = Schemas['Wallet']

/** Addresses to which stablecoins may be sent. */
export const Wallets = () => {
  const query = useList('/v1/crypto/wallets', ['active'])
  const dialog = useDialog(query.filters)
  const [removed, remove] = useState<Wallet | null>(null)
  const mayManage = can('crypto.withdraw')
  const create = mayManage && (
    <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show()}>
      {t.wallets.create}
    </Button>
  )
  return (
    <Page title={t.nav.wallets} lead={t.wallets.lead} actions={create}>
      <List
        label={t.nav.wallets}
        query={query}
        keyOf={({ id }) => id}
        filterBy={[
          {
            kind: 'choices',
            name: 'active',
            title: t.common.status,
            isSingle: true,
            options: [
              { value: 'true', text: statusText('ACTIVE', 'wallet') },
              { value: 'false', text: statusText('INACTIVE', 'wallet') },
            ],
          },
        ]}
        columns={[
          {
            id: 'name',
            title: t.common.name,
            cell: ({ name, holderName, providerName }) => (
              <span class="who">
                <span>{name}</span>
                <small class="sub">{[holderName, providerName].filter(Boolean).join(' · ')}</small>
              </span>
            ),
          },
          {
            id: 'status',
            title: t.common.status,
            cell: ({ status, availableAt }) => (
              <>
                <Status is={status} of="wallet" />
                {status === 'COOLING_OFF' && (
                  <small class="sub">
                    <Ago at={availableAt} clock={clockMs} />
                  </small>
                )}
              </>
            ),
          },
          { id: 'asset', title: t.crypto.asset, cell: assetText },
          {
            id: 'address',
            title: t.crypto.address,
            from: 'medium',
            cell: ({ address }) => <Copy text={address} isShort />,
          },
          {
            id: 'act',
            title: '',
            align: 'end',
            cell: (row) =>
              mayManage &&
              row.status !== 'INACTIVE' && (
                <>
                  {row.status === 'ACTIVE' && (
                    <a
                      class="link"
                      href={pathTo(`saques/novo?carteira=${row.id}`)}
                      aria-label={`${t.withdrawals.create}: ${row.name}`}
                    >
                      {t.withdrawals.create}
                    </a>
                  )}{' '}
                  <button
                    type="button"
                    class="link"
                    aria-label={`${t.common.remove}: ${row.name}`}
                    onClick={() => remove(row)}
                  >
                    {t.common.remove}
                  </button>
                </>
              ),
          },
        ]}
        empty={
          <Empty icon="wallet" title={t.wallets.none} actions={create}>
            {t.wallets.noneText}
          </Empty>
        }
      />
      {dialog.open && <WalletDialog onClose={dialog.close} />}
      {removed && (
        <AskDialog
          title={t.common.remove}
          text={t.wallets.removeAsk(removed.name)}
          action={t.common.remove}
          onClose={() => remove(null)}
          act={async () => {
            await dataOf(api.DELETE('/v1/crypto/wallets/{id}', { params: { path: { id: removed.id } } }))
            refresh('/v1/crypto/wallets')
            announce(t.wallets.removed)
          }}
        />
      )}
    </Page>
  )
}

const needed = ['name', 'address', 'holderName', 'holderDocument'] as const

const WalletDialog = ({ onClose }: { onClose: () => void }) => {
  const form = useForm(
    { coin: firstCoin, ownership: 'SELF_CUSTODY' },
    async (values) => {
      const { name = '', address = '', holderName = '', holderDocument = '' } = filled(values, ...needed)
      const isProvider = values.ownership === 'PROVIDER'
      const body = {
        name,
        address,
        holderName,
        holderDocument,
        ...coinOf(values),
        ownership: values.ownership as Wallet['ownership'],
        ...(isProvider && { providerName: values.providerName!.trim() }),
      }
      const { providerName = null } = body
      const facts = walletFacts({ ...body, wallet: { name, holderName, holderDocument, providerName } })
      await signing(facts, () => dataOf(api.POST('/v1/crypto/wallets', { body })))
      refresh('/v1/crypto/wallets')
      announce(t.wallets.created)
      onClose()
    },
    (values) => ({
      ...Object.fromEntries(needed.map((name) => [name, requiredError(values[name])])),
      providerName: values.ownership === 'PROVIDER' ? requiredError(values.providerName) : null,
    }),
  )
  return (
    <Dialog title={t.wallets.create} onClose={onClose}>
      <p>{t.wallets.createText}</p>
      <Form of={form} submit={t.wallets.register} onCancel={onClose}>
        <Field form={form} name="name" label={t.common.name} isFirst autoComplete="off" />
        <AssetField form={form} hint={t.crypto.networkHint} />
        <Field form={form} name="address" label={t.crypto.address} autoComplete="off" />
        <Choice
          form={form}
          name="ownership"
          label={t.wallets.ownership}
          of={Object.entries(t.wallets.ownerships)}
        />
        <div class="form-row">
          <Field form={form} name="holderName" label={t.wallets.holder} autoComplete="off" />
          <Field
            form={form}
            name="holderDocument"
            label={t.common.document}
            inputMode="numeric"
            autoComplete="off"
          />
        </div>
        {form.values.ownership === 'PROVIDER' && (
          <Field form={form} name="providerName" label={t.wallets.provider} autoComplete="off" />
        )}
      </Form>
    </Dialog>
  )
}
