import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { clockMs } from '../../core/clock.ts'
import { isoDay, moment, money } from '../../core/format.ts'
import { unitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo, useFilters } from '../../core/router.ts'
import {
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
import { amountError, Choice, Field, Form, filled, MoneyField, useForm } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { transferKind } from './kinds.ts'
import { LookUp, type Lookup, Owner } from './pay-key.tsx'
import { payeeFacts, placeOfPayee, useNewPayeeLimit } from './payee.tsx'
import { Signing } from './sign.tsx'

type Beneficiary = Schemas['Beneficiary']
type Preview = Schemas['TransferPreview']
type Wanted = Parameters<typeof createBody>[0]

/** A new transfer: who is paid, how much and when, and what is signed. */
export const NewTransfer = () => {
  const filters = useFilters()
  const beneficiaryId = filters.get('favorecido')
  const [lookup, setLookup] = useState<Lookup | null>(null)
  const chosen = useGet(beneficiaryId === '' ? null : '/v1/beneficiaries/{id}', {
    path: { id: beneficiaryId },
  })
  const again = () => {
    setLookup(null)
    filters.set({ favorecido: '' })
  }
  const known = beneficiaryId === '' ? null : chosen.data
  const limit = useNewPayeeLimit(known?.status === 'COOLING_OFF')
  return (
    <Page
      title={t.transfers.create}
      lead={t.transfers.createLead}
      back={{ href: pathTo('transferencias'), text: t.nav.transfers }}
    >
      <Trouble of={chosen.problem} retry={chosen.refresh} />
      {chosen.isLoading && <Loading rows={4} />}
      {known === null && lookup === null && !chosen.isLoading && (
        <div class="split-page even">
          <Section title={t.transfers.toBeneficiary}>
            <Beneficiaries onChoose={({ id }) => filters.set({ favorecido: id })} />
          </Section>
          <Section title={t.transfers.toKey}>
            <LookUp onFound={setLookup} />
          </Section>
        </div>
      )}
      {(known !== null || lookup !== null) && (
        <Details
          key={known?.id ?? lookup?.id ?? ''}
          to={known === null ? { lookupId: lookup!.id } : { beneficiaryId: known.id }}
          kinds={known?.kind === 'BANK' ? ['PIX', 'TED'] : ['PIX']}
          onAgain={again}
        >
          {known === null ? (
            <Owner of={lookup!}>
              <p class="hint">{t.transfers.newPayee}</p>
            </Owner>
          ) : (
            <div class="payee-card">
              <strong>{known.nickname ?? known.name}</strong>
              <Facts of={payeeFacts(known)} />
              {known.status === 'COOLING_OFF' && (
                <p class="hint">{t.beneficiaries.coolingOff(limit, moment(known.availableAt))}</p>
              )}
            </div>
          )}
        </Details>
      )}
    </Page>
  )
}

const Beneficiaries = ({ onChoose }: { onChoose: (chosen: Beneficiary) => void }) => {
  const filters = useFilters()
  const q = filters.get('q')
  const { data, problem, isLoading, refresh } = useGet('/v1/beneficiaries', {
    query: { status: 'ACTIVE,COOLING_OFF', pageSize: 8, ...(q !== '' && { q }) },
  })
  if (data?.pagination.total === 0 && q === '')
    return (
      <Empty
        icon="users"
        title={t.beneficiaries.none}
        actions={<LinkButton href={pathTo('favorecidos?novo=1')}>{t.beneficiaries.create}</LinkButton>}
      >
        {t.beneficiaries.noneText}
      </Empty>
    )
  return (
    <>
      <SearchBox filters={filters} label={t.beneficiaries.search} />
      <Trouble of={problem} retry={refresh} />
      {isLoading && <Loading rows={4} />}
      <ul class="choose-list">
        {data?.data.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onChoose(one)}>
              <span class="who">
                <strong>{one.nickname ?? one.name}</strong>
                <small class="sub">{placeOfPayee(one)}</small>
              </span>
              {one.status === 'COOLING_OFF' && <Status is={one.status} of="beneficiary" />}
            </button>
          </li>
        ))}
      </ul>
      {data?.data.length === 0 && <p class="hint">{t.filters.noRow}</p>}
    </>
  )
}

const Details = ({
  to,
  kinds,
  onAgain,
  children,
}: {
  to: Wanted['to']
  kinds: readonly ('PIX' | 'TED')[]
  onAgain: () => void
  children: preact.ComponentChildren
}) => {
  const [previewed, setPreviewed] = useState<{ of: Wanted; preview: Preview } | null>(null)
  const form = useForm(
    { amount: '', kind: kinds[0]!, scheduledFor: '', description: '' },
    async (values) => {
      const wanted: Wanted = { to, values }
      setPreviewed({
        of: wanted,
        preview: await dataOf(api.POST('/v1/transfers/preview', { body: createBody(wanted) })),
      })
    },
    ({ amount }) => ({ amount: amountError(amount) }),
  )
  return (
    <div class="split-page even">
      <Section
        title={t.money.payee}
        actions={
          <Button icon="undo" onClick={onAgain}>
            {t.transfers.otherPayee}
          </Button>
        }
      >
        {children}
      </Section>
      {previewed === null ? (
        <Section title={t.transfers.howMuch}>
          <Form of={form} submit={t.transfers.check}>
            <MoneyField form={form} name="amount" label={t.common.amount} isFirst />
            {kinds.length > 1 && (
              <Choice
                form={form}
                name="kind"
                label={t.transfers.kind}
                hint={t.transfers.kindHint}
                of={kinds.map((kind) => [kind, kind])}
              />
            )}
            <Field
              form={form}
              name="scheduledFor"
              type="date"
              label={t.transfers.scheduledFor}
              hint={t.transfers.scheduledHint}
              min={isoDay(clockMs())}
              max={isoDay(clockMs(), 365)}
              isOptional
            />
            <Field
              form={form}
              name="description"
              label={t.common.description}
              hint={t.transfers.descriptionHint}
              maxLength={140}
              isOptional
              autoComplete="off"
            />
          </Form>
        </Section>
      ) : (
        <Confirm {...previewed} onBack={() => setPreviewed(null)} />
      )}
    </div>
  )
}

const createBody = ({
  to,
  values,
  allowDuplicate = false,
}: {
  to: { readonly beneficiaryId: string } | { readonly lookupId: string }
  values: Readonly<Record<string, string>>
  allowDuplicate?: boolean
}) => ({
  ...to,
  kind: values.kind as 'PIX' | 'TED',
  amount: unitsOf(values.amount),
  ...filled(values, 'scheduledFor', 'description'),
  ...(allowDuplicate && { allowDuplicate }),
})

/** Shows the transfer that is about to be signed. */
const Confirm = ({ of, preview, onBack }: { of: Wanted; preview: Preview; onBack: () => void }) => (
  <Signing
    preview={preview}
    signed={[
      ...payeeFacts(preview.beneficiary),
      [t.common.amount, money(preview.amount)],
      [t.transfers.fee, money(preview.feeAmount)],
      [t.transfers.total, money(preview.totalAmount)],
      [t.transfers.runsAt, moment(preview.runsAt)],
    ]}
    shown={[[t.transfers.withdrawableAfter, <Amount key="after" of={preview.withdrawableAfter} />]]}
    kind={transferKind}
    create={(allowDuplicate) =>
      dataOf(api.POST('/v1/transfers', { body: createBody({ ...of, allowDuplicate }) }))
    }
    onBack={onBack}
  />
)
