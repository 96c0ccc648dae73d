import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { clockMs } from '../../core/clock.ts'
import { money } from '../../core/format.ts'
import { unitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo, useFilters } from '../../core/router.ts'
import { assetText } from '../../parts/asset.tsx'
import {
  Ago,
  Amount,
  Button,
  Empty,
  Facts,
  LinkButton,
  Loading,
  Page,
  Section,
  Trouble,
} from '../../parts/basics.tsx'
import { SearchBox } from '../../parts/filters.tsx'
import { amountError, Form, MoneyField, useForm } from '../../parts/form.tsx'
import { statusText } from '../../parts/labels.tsx'
import { walletFacts } from '../crypto/wallet-facts.ts'
import { withdrawalKind } from './kinds.ts'
import { Signing } from './sign.tsx'

type Wallet = Schemas['Wallet']
type Preview = Schemas['CryptoWithdrawalPreview']

/** A new withdrawal: to which wallet, how much, and what is signed. */
export const NewWithdrawal = () => {
  const filters = useFilters()
  const walletId = filters.get('carteira')
  const chosen = useGet(walletId === '' ? null : '/v1/crypto/wallets/{id}', { path: { id: walletId } })
  const wallet = walletId === '' ? null : chosen.data
  return (
    <Page
      title={t.withdrawals.create}
      lead={t.withdrawals.createLead}
      back={{ href: pathTo('saques'), text: t.nav.withdrawals }}
    >
      <Trouble of={chosen.problem} retry={chosen.refresh} />
      {chosen.isLoading && <Loading rows={4} />}
      {walletId === '' && <ChooseWallet onChoose={({ id }) => filters.set({ carteira: id })} />}
      {wallet && <Details key={wallet.id} to={wallet} onAgain={() => filters.set({ carteira: '' })} />}
    </Page>
  )
}

/** The active wallets; one that is still cooling off cannot be chosen yet. */
const ChooseWallet = ({ onChoose }: { onChoose: (wallet: Wallet) => void }) => {
  const filters = useFilters()
  const q = filters.get('q')
  const { data, problem, isLoading, refresh } = useGet('/v1/crypto/wallets', {
    query: { active: 'true', pageSize: 8, ...(q !== '' && { q }) },
  })
  if (data?.pagination.total === 0 && q === '')
    return (
      <Empty
        icon="key"
        title={t.withdrawals.noWallet}
        actions={<LinkButton href={pathTo('carteiras?novo=1')}>{t.wallets.create}</LinkButton>}
      >
        {t.withdrawals.noWalletText}
      </Empty>
    )
  return (
    <Section title={t.withdrawals.chooseWallet}>
      <SearchBox filters={filters} label={t.wallets.search} />
      <Trouble of={problem} retry={refresh} />
      {isLoading && <Loading rows={4} />}
      <ul class="choose-list">
        {data?.data.map((one) => (
          <li key={one.id}>
            <button type="button" disabled={one.status !== 'ACTIVE'} onClick={() => onChoose(one)}>
              <span class="who">
                <strong>{one.name}</strong>
                <small class="sub">{[assetText(one), one.address].join(' · ')}</small>
              </span>
              {one.status === 'COOLING_OFF' && (
                <small class="sub">
                  {statusText('COOLING_OFF', 'wallet')} · <Ago at={one.availableAt} clock={clockMs} />
                </small>
              )}
            </button>
          </li>
        ))}
      </ul>
      {data?.data.length === 0 && <p class="hint">{t.filters.noRow}</p>}
    </Section>
  )
}

const Details = ({ to, onAgain }: { to: Wallet; onAgain: () => void }) => {
  const [preview, setPreview] = useState<Preview | null>(null)
  const balance = useGet('/v1/balance')
  const held = balance.data?.currencies.find(({ currency }) => currency === to.asset)?.available ?? '0'
  const form = useForm(
    { cryptoAmount: '' },
    async ({ cryptoAmount }) =>
      setPreview(
        await dataOf(
          api.POST('/v1/crypto/withdrawals/preview', {
            body: createBody(to, decimalOf(unitsOf(cryptoAmount, to.asset))),
          }),
        ),
      ),
    ({ cryptoAmount }) => ({ cryptoAmount: amountError(cryptoAmount, { currency: to.asset }) }),
  )
  return (
    <div class="split-page even">
      <Section
        title={t.withdrawals.wallet}
        actions={
          <Button icon="undo" onClick={onAgain}>
            {t.withdrawals.otherWallet}
          </Button>
        }
      >
        <div class="payee-card">
          <strong>{to.name}</strong>
          <Facts of={walletFacts({ ...to, wallet: to })} />
        </div>
      </Section>
      {preview === null ? (
        <Section title={t.withdrawals.howMuch}>
          <Form of={form} submit={t.transfers.check}>
            <MoneyField
              name="cryptoAmount"
              label={t.withdrawals.amount(to.asset)}
              hint={t.withdrawals.amountHint}
              currency={to.asset}
              isFirst
            />
          </Form>
          {balance.data && (
            <p class="hint">
              {t.withdrawals.available}: <Amount of={held} currency={to.asset} />
            </p>
          )}
        </Section>
      ) : (
        <Confirm of={preview} onBack={() => setPreview(null)} />
      )}
    </div>
  )
}

/** Millionths as a decimal with a point, as the API takes them. */
const decimalOf = (units: string): string => units.padStart(7, '0').replace(/(\d{6})$/, '.$1')

const createBody = ({ id: walletId }: { id: string }, cryptoAmount: string) => ({ walletId, cryptoAmount })

/** Shows the withdrawal that is about to be signed. */
const Confirm = ({ of, onBack }: { of: Preview; onBack: () => void }) => {
  const { asset } = of
  return (
    <Signing
      preview={of}
      currency={asset}
      signed={[
        ...walletFacts(of),
        [t.common.amount, money(of.amount, asset)],
        [t.withdrawals.fee, money(of.feeAmount, asset)],
        [t.withdrawals.total, money(of.totalAmount, asset)],
      ]}
      shown={[
        [
          t.withdrawals.worth,
          <>
            <Amount of={of.quotedAmount} /> <small class="sub">{t.withdrawals.worthHint}</small>
          </>,
        ],
        [t.withdrawals.limitLeft, <Amount key="limit" of={of.limitRemaining} />],
        [t.withdrawals.availableAfter, <Amount key="after" of={of.availableAfter} currency={asset} />],
      ]}
      kind={withdrawalKind}
      create={(allowDuplicate) => {
        const body = {
          ...createBody({ id: of.walletId }, of.cryptoAmount),
          ...(allowDuplicate && { allowDuplicate }),
        }
        return dataOf(api.POST('/v1/crypto/withdrawals', { body }))
      }}
      onBack={onBack}
    />
  )
}
