import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { clockMs } from '../../core/clock.ts'
import { signing } from '../../core/factor.ts'
import { documentNumber, moment } from '../../core/format.ts'
import { digitsOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { navigate, pathTo } from '../../core/router.ts'
import { can, sessionStore } from '../../core/session.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import {
  Ago,
  Badge,
  Button,
  Copy,
  Empty,
  Facts,
  LinkButton,
  Loading,
  Moment,
  Page,
  Section,
  Trouble,
} from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Choice, Field, Form, filled, requiredError, useForm } from '../../parts/form.tsx'
import { optionsOf, Status, statusText } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { announce } from '../../parts/toasts.tsx'
import { LookUp, type Lookup, Owner } from './pay-key.tsx'
import { payeeFacts, placeOfPayee, useNewPayeeLimit } from './payee.tsx'

type Beneficiary = Schemas['Beneficiary']

/** The list of beneficiaries. */
export const Beneficiaries = () => {
  const query = useList('/v1/beneficiaries', ['status', 'kind', 'q'])
  const dialog = useDialog(query.filters)
  const limit = useNewPayeeLimit(true)
  const create = can('beneficiaries.manage') && (
    <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show()}>
      {t.beneficiaries.create}
    </Button>
  )
  return (
    <Page title={t.nav.beneficiaries} lead={t.beneficiaries.lead(limit)} actions={create}>
      <List
        label={t.nav.beneficiaries}
        query={query}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathTo(`favorecidos/${id}`)}
        nameOf={({ name }) => name}
        search={t.beneficiaries.search}
        filterBy={[
          {
            kind: 'choices',
            name: 'status',
            title: t.common.status,
            options: optionsOf(['ACTIVE', 'COOLING_OFF', 'INACTIVE'], (status) =>
              statusText(status, 'beneficiary'),
            ),
          },
          {
            kind: 'choices',
            name: 'kind',
            title: t.transfers.kind,
            options: optionsOf(['PIX', 'BANK'], (kind) => t.beneficiaries.kind[kind]),
          },
        ]}
        columns={[
          {
            id: 'name',
            title: t.common.name,
            cell: (row) => (
              <span class="who">
                <span>{row.nickname ?? row.name}</span>
                <small class="sub">{placeOfPayee(row)}</small>
              </span>
            ),
          },
          {
            id: 'status',
            title: t.common.status,
            cell: ({ status, availableAt, trustedFrom }) => (
              <>
                <Status is={status} of="beneficiary" />
                {status === 'COOLING_OFF' && (
                  <small class="sub">
                    <Ago at={availableAt} clock={clockMs} />
                  </small>
                )}
                {trustedFrom !== null && <small class="sub">{trustText(trustedFrom)}</small>}
              </>
            ),
          },
          {
            id: 'last',
            title: t.beneficiaries.lastUsedAt,
            align: 'end',
            from: 'medium',
            cell: ({ lastUsedAt }) =>
              lastUsedAt === null ? <span class="muted">{t.common.never}</span> : <Moment at={lastUsedAt} />,
          },
        ]}
        empty={
          <Empty icon="users" title={t.beneficiaries.none} actions={create}>
            {t.beneficiaries.noneText}
          </Empty>
        }
      />
      {dialog.open && <NewBeneficiary way={dialog.open} onWay={dialog.show} onClose={dialog.close} />}
    </Page>
  )
}

/** Says that a beneficiary is trusted, or from when. */
const trustText = (from: string): string =>
  Date.parse(from) > clockMs() ? t.beneficiaries.trustedFrom(moment(from)) : t.beneficiaries.trusted

const NewBeneficiary = ({
  way,
  onWay,
  onClose,
}: {
  way: string
  onWay: (way: string) => void
  onClose: () => void
}) => {
  const [lookup, setLookup] = useState<Lookup | null>(null)
  const isBank = way === 'conta'
  return (
    <Dialog title={t.beneficiaries.create} onClose={onClose}>
      <p>{t.beneficiaries.createText}</p>
      <fieldset class="segments">
        <legend class="visually-hidden">{t.transfers.kind}</legend>
        {(['PIX', 'BANK'] as const).map((kind) => (
          <label key={kind}>
            <input
              type="radio"
              name="way"
              checked={isBank === (kind === 'BANK')}
              onChange={() => onWay(kind === 'BANK' ? 'conta' : '1')}
            />
            <span>{t.beneficiaries.kind[kind]}</span>
          </label>
        ))}
      </fieldset>
      {isBank && <BankForm onClose={onClose} />}
      {!isBank && lookup === null && <LookUp onFound={setLookup} isFirst />}
      {!isBank && lookup !== null && (
        <Owner of={lookup}>
          <KeyForm of={lookup} onClose={onClose} />
        </Owner>
      )}
    </Dialog>
  )
}

const onMade = (made: Beneficiary): void => {
  refresh('/v1/beneficiaries')
  announce(t.beneficiaries.created)
  navigate(pathTo(`favorecidos/${made.id}`))
}

const KeyForm = ({ of, onClose }: { of: Lookup; onClose: () => void }) => {
  const form = useForm({ nickname: '' }, async (values) => {
    const body = { lookupId: of.id, ...filled(values, 'nickname') }
    const facts = [
      [t.money.payee, of.name],
      [t.common.document, documentNumber(of.document)],
      [t.money.pixKey, of.key],
      [t.money.bank, of.bankName],
    ] as const
    onMade(await signing(facts, () => dataOf(api.POST('/v1/beneficiaries', { body }))))
  })
  return (
    <Form of={form} submit={t.beneficiaries.register} onCancel={onClose}>
      <Nickname form={form} />
    </Form>
  )
}

const Nickname = ({ form }: { form: ReturnType<typeof useForm> }) => (
  <Field
    form={form}
    name="nickname"
    label={t.beneficiaries.nickname}
    hint={t.beneficiaries.nicknameHint}
    isOptional
    autoComplete="off"
    maxLength={120}
  />
)

const needed = ['name', 'document', 'bankCode', 'branch', 'account'] as const

const BankForm = ({ onClose }: { onClose: () => void }) => {
  const form = useForm(
    { name: '', document: '', bankCode: '', branch: '', account: '', accountType: 'CHECKING', nickname: '' },
    async (values) => {
      const bank = values.bankCode!.trim()
      const body = {
        ...filled(values, 'name', 'document', 'branch', 'account', 'nickname'),
        // A code has three digits, and an ISPB eight.
        ...(bank.length > 3 ? { ispb: bank } : { bankCode: bank }),
        accountType: values.accountType as Beneficiary['accountType'],
      }
      const facts = [
        [t.money.payee, values.name!.trim()],
        [t.common.document, documentNumber(digitsOf(values.document!))],
        [t.money.bank, bank],
        [t.money.branch, values.branch!.trim()],
        [t.money.account, values.account!.trim()],
      ] as const
      onMade(await signing(facts, () => dataOf(api.POST('/v1/beneficiaries', { body }))))
    },
    (values) => Object.fromEntries(needed.map((name) => [name, requiredError(values[name])])),
  )
  return (
    <Form of={form} submit={t.beneficiaries.register} onCancel={onClose}>
      <Field form={form} name="name" label={t.common.name} isFirst autoComplete="off" />
      <Field form={form} name="document" label={t.common.document} inputMode="numeric" autoComplete="off" />
      <div class="form-row">
        <Field
          form={form}
          name="bankCode"
          label={t.money.bank}
          hint={t.beneficiaries.bankHint}
          inputMode="numeric"
          maxLength={8}
          autoComplete="off"
        />
        <Field form={form} name="branch" label={t.money.branch} autoComplete="off" />
      </div>
      <div class="form-row">
        <Field form={form} name="account" label={t.money.account} autoComplete="off" />
        <Choice
          form={form}
          name="accountType"
          label={t.money.accountType}
          of={Object.entries(t.money.accountTypes)}
        />
      </div>
      <Nickname form={form} />
    </Form>
  )
}

/** One beneficiary. */
export const BeneficiaryPage = ({ id }: { id: string }) => {
  const path = { id }
  const { data, problem, refresh: again } = useGet('/v1/beneficiaries/{id}', { path })
  const limit = useNewPayeeLimit(data?.status === 'COOLING_OFF')
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const trust = useAction(async (trusted: boolean) => {
    const changed = await dataOf(api.PATCH('/v1/beneficiaries/{id}', { params: { path }, body: { trusted } }))
    refresh('/v1/beneficiaries')
    if (!trusted) announce(t.common.saved)
    else announce(changed.trusted ? t.beneficiaries.trustGiven : t.beneficiaries.trustAsked)
  })
  const back = { href: pathTo('favorecidos'), text: t.nav.beneficiaries }
  if (problem || !data)
    return (
      <Page title={t.nav.beneficiaries} back={back}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={6} />}
      </Page>
    )
  const isThere = data.status !== 'INACTIVE'
  const me = sessionStore.get()?.person.id
  const mayManage = isThere && can('beneficiaries.manage')
  return (
    <Page
      back={back}
      title={
        <>
          {data.nickname ?? data.name} <Status is={data.status} of="beneficiary" />
        </>
      }
      actions={
        <>
          {mayManage && (
            <>
              <Button icon="trash" onClick={() => setOpen('remove')}>
                {t.common.remove}
              </Button>
              <Button icon="edit" onClick={() => setOpen('edit')}>
                {t.common.edit}
              </Button>
            </>
          )}
          {isThere && can('transfers.create') && (
            <LinkButton tone="main" icon="send" href={pathTo(`transferencias/nova?favorecido=${id}`)}>
              {t.transfers.create}
            </LinkButton>
          )}
        </>
      }
    >
      {data.status === 'COOLING_OFF' && (
        <p class="notice-line warn">{t.beneficiaries.coolingOff(limit, moment(data.availableAt))}</p>
      )}
      <div class="split-page">
        <Section title={t.common.details}>
          <Facts
            of={[
              ...payeeFacts(data),
              [t.money.accountType, t.money.accountTypes[data.accountType]],
              [t.beneficiaries.nickname, data.nickname],
              [t.common.createdAt, <Moment key="made" at={data.createdAt} />],
              [
                t.beneficiaries.lastUsedAt,
                data.lastUsedAt === null ? t.common.never : <Moment key="used" at={data.lastUsedAt} />,
              ],
              [t.common.id, <Copy key="id" text={data.id} isShort />],
            ]}
          />
          <p>
            <a href={pathTo(`transferencias?beneficiaryId=${id}`)}>{t.beneficiaries.itsTransfers}</a>
          </p>
        </Section>
        <Section title={t.beneficiaries.trust}>
          <p>{t.beneficiaries.trustText}</p>
          {data.trustedFrom !== null && (
            <Badge tone={Date.parse(data.trustedFrom) > clockMs() ? 'wait' : 'good'}>
              {trustText(data.trustedFrom)}
            </Badge>
          )}
          {!data.trusted && data.trustAskedBy !== null && (
            <p class="notice-line warn">{t.beneficiaries.trustWaits}</p>
          )}
          <Trouble of={trust.problem} />
          {mayManage && (
            <div class="form-foot">
              {!data.trusted && data.trustAskedBy !== me && (
                <Button isBusy={trust.isBusy} onClick={() => void trust.run(true)}>
                  {data.trustAskedBy === null ? t.beneficiaries.makeTrusted : t.beneficiaries.agree}
                </Button>
              )}
              {(data.trusted || data.trustAskedBy !== null) && (
                <Button isBusy={trust.isBusy} onClick={() => void trust.run(false)}>
                  {t.beneficiaries.distrust}
                </Button>
              )}
            </div>
          )}
        </Section>
      </div>
      {open === 'edit' && <EditDialog of={data} onClose={() => setOpen(null)} />}
      {open === 'remove' && (
        <AskDialog
          title={t.common.remove}
          text={t.beneficiaries.removeAsk(data.name)}
          action={t.common.remove}
          onClose={() => setOpen(null)}
          act={async () => {
            await dataOf(api.DELETE('/v1/beneficiaries/{id}', { params: { path } }))
            refresh('/v1/beneficiaries', '/v1/transfers')
            announce(t.beneficiaries.removed)
          }}
        />
      )}
    </Page>
  )
}

const EditDialog = ({ of, onClose }: { of: Beneficiary; onClose: () => void }) => {
  const form = useForm({ nickname: of.nickname ?? '' }, async ({ nickname }) => {
    const body = { nickname: nickname!.trim() || null }
    await dataOf(api.PATCH('/v1/beneficiaries/{id}', { params: { path: { id: of.id } }, body }))
    refresh('/v1/beneficiaries')
    announce(t.common.saved)
    onClose()
  })
  return (
    <Dialog title={t.common.edit} onClose={onClose}>
      <Form of={form} submit={t.common.save} onCancel={onClose}>
        <Nickname form={form} />
      </Form>
    </Dialog>
  )
}
