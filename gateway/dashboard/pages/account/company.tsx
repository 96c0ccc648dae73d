import { useState } from 'preact/hooks'
import { patch, put, type Schemas } from '../../core/api.ts'
import { documentNumber, moment } from '../../core/format.ts'
import { addressOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useAction, useGet } from '../../core/query.ts'
import { currentPlace } from '../../core/router.ts'
import { can, sessionStore } from '../../core/session.ts'
import { Button, Facts, Page, Section, Trouble } from '../../parts/basics.tsx'
import { AddressFields, BankField } from '../../parts/common-fields.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { base64Of } from '../../parts/files.tsx'
import { Choice, Field, Form, required, useForm } from '../../parts/form.tsx'
import { announce, done } from '../../parts/toasts.tsx'

type CompanyProfile = Schemas['Company']

const zones = [
  ...['Sao_Paulo', 'Noronha', 'Bahia', 'Fortaleza', 'Recife', 'Belem', 'Manaus', 'Cuiaba', 'Campo_Grande'],
  ...['Porto_Velho', 'Rio_Branco'],
].map((city) => `America/${city}`)

/** The city of a zone, written as it is in Portuguese. */
const cityOf = (zone: string): string => {
  const city = zone.replace('America/', '').replaceAll('_', ' ')
  return written[city] ?? city
}

const written: Readonly<Record<string, string>> = {
  'Sao Paulo': 'São Paulo',
  Noronha: 'Fernando de Noronha',
  Belem: 'Belém',
  Cuiaba: 'Cuiabá',
}

/** The company: what never changes, and what can. */
export const CompanyPage = () => {
  const query = useGet('/v1/company')
  const { data } = query
  if (!data) return <Page title={t.nav.company} unread={query} />
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
                [t.common.type, data.companyType === 'MEI' ? 'MEI' : t.nav.company],
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
      actions={isOwner() && <Button icon="edit" onClick={() => setEditing(true)} text={t.common.edit} />}
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

const BankAccountDialog = ({ of, onClose }: Closable & { of: CompanyProfile }) => {
  const { bankCode = '', branch = '', account = '', accountType = 'CHECKING' } = of.bankAccount ?? {}
  return (
    <FormDialog
      title={t.company.bankAccount}
      hint={t.company.bankAccountText}
      submit={t.common.save}
      values={{ bankCode, branch, account, accountType }}
      check={required('bankCode', 'branch', 'account')}
      send={(values) =>
        patch('/v1/company', {
          body: {
            bankAccount: {
              bankCode: values.bankCode!.trim(),
              branch: values.branch!.trim(),
              account: values.account!.trim(),
              accountType: values.accountType as 'CHECKING' | 'SAVINGS' | 'PAYMENT',
            },
          },
        })
      }
      changes="/v1/company"
      done={t.company.bankAccountSet}
      onClose={onClose}
    >
      <div class="form-row">
        <BankField isFirst />
        <Field name="branch" label={t.money.branch} maxLength={7} />
      </div>
      <div class="form-row">
        <Field name="account" label={t.money.account} hint={t.split.accountHint} maxLength={15} />
        <Choice name="accountType" label={t.common.type} of={Object.entries(t.company.accountType)} />
      </div>
    </FormDialog>
  )
}

/** The profile fields that are plain text. */
const texts = ['tradeName', 'email', 'phone', 'website', 'statementDescriptor'] as const

const CompanyForm = ({ of }: { of: CompanyProfile }) => {
  const isManager = can('company.manage')
  const form = useForm(
    {
      ...Object.fromEntries(texts.map((name) => [name, of[name] ?? ''])),
      timeZone: of.timeZone,
      ...Object.fromEntries(
        Object.entries(of.address ?? {}).map(([name, value]) => [`address.${name}`, value ?? '']),
      ),
    },
    async (values) => {
      const changed = Object.fromEntries(texts.map((name) => [name, values[name]?.trim() || null]))
      await patch('/v1/company', { body: { ...changed, timeZone: values.timeZone!, ...addressOf(values) } })
      done(t.common.saved, '/v1/company')
    },
  )
  return (
    <Section title={t.company.contact} note={isManager ? null : t.company.readOnly}>
      <fieldset disabled={!isManager}>
        <Form of={form} submit={t.common.save}>
          <Field
            name="tradeName"
            label={t.company.tradeName}
            hint={t.company.tradeNameHint}
            isOptional
            maxLength={80}
          />
          <div class="form-row">
            <Field name="email" type="email" label={t.common.email} isOptional />
            <Field name="phone" type="tel" label={t.common.phone} isOptional />
            <Field name="website" type="url" label={t.company.website} isOptional />
          </div>
          <div class="form-row">
            <Field
              name="statementDescriptor"
              label={t.company.descriptor}
              hint={t.company.descriptorHint}
              isOptional
              maxLength={22}
            />
            <ZoneField present={of.timeZone} />
          </div>
          <h3>{t.address.title}</h3>
          <AddressFields />
        </Form>
      </fieldset>
    </Section>
  )
}

const ZoneField = ({ present }: { present: string }) => (
  <Choice
    name="timeZone"
    label={t.company.zone}
    hint={t.company.zoneHint}
    of={[...new Set([present, ...zones])].map((zone) => [zone, cityOf(zone)])}
  />
)

const logoBytesMax = 48 * 1024

const Logo = ({ of }: { of: CompanyProfile }) => {
  const [shown, setShown] = useState<string | null>(of.logo)
  const [tooBig, setTooBig] = useState(false)
  const save = useAction(async (file: File) => {
    const image = await base64Of(file)
    await put('/v1/company/logo', { body: { image } })
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
              setTooBig(file.size > logoBytesMax)
              if (file.size <= logoBytesMax) void save.run(file)
            }}
          />
        </label>
      )}
      <p class={tooBig ? 'field-error' : 'hint'}>{t.company.logoHint}</p>
      <Trouble of={save.problem} />
      {save.isBusy && <Button isBusy text={t.common.loading} />}
    </Section>
  )
}
