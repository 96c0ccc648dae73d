import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { documentNumber, moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { currentPlace } from '../../core/router.ts'
import { can, sessionStore } from '../../core/session.ts'
import { Button, Facts, Loading, Page, Section, Trouble } from '../../parts/basics.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { base64Of } from '../../parts/files.tsx'
import { Choice, Field, Form, requiredError, useForm } from '../../parts/form.tsx'
import { announce } from '../../parts/toasts.tsx'
import { AddressFields, addressOf } from '../payments/boletos.tsx'

type CompanyProfile = Schemas['Company']

const zones = [
  'America/Sao_Paulo',
  'America/Noronha',
  'America/Bahia',
  'America/Fortaleza',
  'America/Recife',
  'America/Belem',
  'America/Manaus',
  'America/Cuiaba',
  'America/Campo_Grande',
  'America/Porto_Velho',
  'America/Rio_Branco',
]

/** The company: what never changes, and what can. */
export const CompanyPage = () => {
  const { data, problem, refresh: again } = useGet('/v1/company')
  if (!data)
    return (
      <Page title={t.nav.company}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={6} />}
      </Page>
    )
  return (
    <Page title={t.nav.company}>
      <div class="split-page">
        <CompanyForm of={data} />
        <div>
          <Section title={t.company.identity}>
            <Facts
              of={[
                [t.company.legalName, data.legalName],
                [t.common.document, documentNumber(data.document)],
                [t.company.type, data.companyType === 'MEI' ? 'MEI' : t.company.other],
              ]}
            />
            <p class="hint">{t.company.identityText}</p>
          </Section>
          <BankAccount of={data} />
          <Logo of={data} />
        </div>
      </div>
    </Page>
  )
}

const BankAccount = ({ of }: { of: CompanyProfile }) => {
  const [isEditing, setEditing] = useState(false)
  const { bankAccount, pendingBankAccount: pending } = of
  const text = (account: { bankCode: string; branch: string; account: string } | null) =>
    account === null
      ? t.company.noBankAccount
      : `${account.bankCode} · ${account.branch} · ${account.account}`
  return (
    <Section
      title={t.company.bankAccount}
      actions={
        isOwner() && (
          <Button icon="edit" onClick={() => setEditing(true)}>
            {t.common.edit}
          </Button>
        )
      }
    >
      <p>{text(bankAccount)}</p>
      {pending && (
        <p class="notice-line calm">
          {t.company.pendingBankAccount(text(pending.bankAccount), moment(pending.effectiveAt))}
        </p>
      )}
      <p class="hint">{t.company.bankAccountText}</p>
      {isEditing && <BankAccountDialog of={of} onClose={() => setEditing(false)} />}
    </Section>
  )
}

const isOwner = (): boolean => {
  const place = currentPlace()
  const membership = sessionStore.get()?.memberships.find(({ companyId }) => companyId === place?.companyId)
  return membership?.roles.PRODUCTION === 'OWNER'
}

const BankAccountDialog = ({ of, onClose }: { of: CompanyProfile; onClose: () => void }) => {
  const { bankCode = '', branch = '', account = '', accountType = 'CHECKING' } = of.bankAccount ?? {}
  const form = useForm(
    { bankCode, branch, account, accountType },
    async (values) => {
      const bankAccount = {
        bankCode: values.bankCode!.trim(),
        branch: values.branch!.trim(),
        account: values.account!.trim(),
        accountType: values.accountType as 'CHECKING' | 'SAVINGS' | 'PAYMENT',
      }
      await dataOf(api.PATCH('/v1/company', { body: { bankAccount } }))
      refresh('/v1/company')
      announce(t.company.bankAccountSet)
      onClose()
    },
    (values) =>
      Object.fromEntries(
        ['bankCode', 'branch', 'account'].map((name) => [name, requiredError(values[name])]),
      ),
  )
  return (
    <Dialog title={t.company.bankAccount} onClose={onClose}>
      <p class="hint">{t.company.bankAccountText}</p>
      <Form of={form} submit={t.common.save} onCancel={onClose}>
        <div class="form-row">
          <Field
            form={form}
            name="bankCode"
            label={t.split.bankCode}
            hint={t.split.bankCodeHint}
            inputMode="numeric"
            maxLength={3}
            isFirst
          />
          <Field form={form} name="branch" label={t.split.branch} maxLength={7} />
        </div>
        <div class="form-row">
          <Field
            form={form}
            name="account"
            label={t.split.account}
            hint={t.split.accountHint}
            maxLength={15}
          />
          <Choice
            form={form}
            name="accountType"
            label={t.company.type}
            of={Object.entries(t.company.accountType)}
          />
        </div>
      </Form>
    </Dialog>
  )
}

const CompanyForm = ({ of }: { of: CompanyProfile }) => {
  const isManager = can('company.manage')
  const form = useForm(
    {
      tradeName: of.tradeName ?? '',
      email: of.email ?? '',
      phone: of.phone ?? '',
      website: of.website ?? '',
      statementDescriptor: of.statementDescriptor ?? '',
      timeZone: of.timeZone,
      ...Object.fromEntries(Object.entries(of.address ?? {}).map(([name, value]) => [name, value ?? ''])),
    },
    async (values) => {
      const orNull = (name: string) => values[name]?.trim() || null
      const { address } = addressOf(values)
      await dataOf(
        api.PATCH('/v1/company', {
          body: {
            tradeName: orNull('tradeName'),
            email: orNull('email'),
            phone: orNull('phone'),
            website: orNull('website'),
            statementDescriptor: orNull('statementDescriptor'),
            timeZone: values.timeZone!,
            ...(address && { address }),
          },
        }),
      )
      refresh('/v1/company')
      announce(t.common.saved)
    },
  )
  return (
    <Section title={t.company.contact} note={isManager ? null : t.company.readOnly}>
      <fieldset disabled={!isManager}>
        <Form of={form} submit={t.common.save}>
          <Field
            form={form}
            name="tradeName"
            label={t.company.tradeName}
            hint={t.company.tradeNameHint}
            isOptional
            maxLength={80}
          />
          <div class="form-row">
            <Field form={form} name="email" type="email" label={t.common.email} isOptional />
            <Field form={form} name="phone" type="tel" label={t.common.phone} isOptional />
            <Field form={form} name="website" type="url" label={t.company.website} isOptional />
          </div>
          <div class="form-row">
            <Field
              form={form}
              name="statementDescriptor"
              label={t.company.descriptor}
              hint={t.company.descriptorHint}
              isOptional
              maxLength={22}
            />
            <Choice
              form={form}
              name="timeZone"
              label={t.company.zone}
              hint={t.company.zoneHint}
              of={[...new Set([of.timeZone, ...zones])].map((zone) => [
                zone,
                zone.replace('America/', '').replaceAll('_', ' '),
              ])}
            />
          </div>
          <h3>{t.address.title}</h3>
          <AddressFields form={form} />
        </Form>
      </fieldset>
    </Section>
  )
}

const Logo = ({ of }: { of: CompanyProfile }) => {
  const [shown, setShown] = useState<string | null>(of.logo)
  const [tooBig, setTooBig] = useState(false)
  const save = useAction(async (file: File) => {
    const image = await base64Of(file)
    await dataOf(api.PUT('/v1/company/logo', { body: { image } }))
    setShown(`data:${file.type};base64,${image}`)
    announce(t.common.saved)
  })
  return (
    <Section title={t.company.logo}>
      {shown ? (
        <img class="logo" src={shown} alt={t.company.logoAlt} />
      ) : (
        <p class="hint">{t.company.noLogo}</p>
      )}
      {can('company.manage') && (
        <label class="button plain file-button">
          {t.company.chooseLogo}
          <input
            type="file"
            class="visually-hidden"
            accept="image/png,image/jpeg"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0]
              if (file === undefined) return
              setTooBig(file.size > 48 * 1024)
              if (file.size <= 48 * 1024) void save.run(file)
            }}
          />
        </label>
      )}
      <p class={tooBig ? 'field-error' : 'hint'}>{t.company.logoHint}</p>
      <Trouble of={save.problem} />
      {save.isBusy && <Button isBusy>{t.common.loading}</Button>}
    </Section>
  )
}
