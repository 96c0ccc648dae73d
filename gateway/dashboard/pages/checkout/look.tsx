import type { ComponentChildren } from 'preact'
import { patch, type Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Page, Section } from '../../parts/basics.tsx'
import { Checks, listOf } from '../../parts/checks.tsx'
import { CopyBox } from '../../parts/copy-box.tsx'
import { Check, Field, Form, Labelled, useField, useForm, type Values } from '../../parts/form.tsx'
import { done } from '../../parts/toasts.tsx'
import { accentOf, isColor, Previews, plainAccent } from './preview.tsx'
import { say, withTexts } from './with-texts.tsx'

type Branding = Schemas['CheckoutBranding']

/** How the payment pages look, and what payers may do in the portal. */
export const LookPage = withTexts(
  () => t.nav.look,
  () => {
    const query = useGet('/v1/checkout-branding')
    const { data } = query
    if (!data) return <Page title={t.nav.look} unread={query} />
    return (
      <Page title={say.look.title} lead={say.look.lead}>
        <LookForm of={data} />
      </Page>
    )
  },
)

const texts = [
  'displayName',
  'accent',
  'supportEmail',
  'supportPhone',
  'termsUrl',
  'privacyUrl',
  'thankYouText',
] as const

/** The limits against card testing, with the usual ones, which are the highest. */
const cardLimits = [
  ['perSession', 5],
  ['perAddress', 5],
  ['perNetwork', 20],
  ['perBin', 10],
  ['declinesPerHour', 100],
] as const

const LookForm = ({ of }: { of: Branding }) => {
  const isManager = can('company.manage')
  const form = useForm(
    {
      ...Object.fromEntries(texts.map((name) => [name, of[name] ?? ''])),
      cancel: of.portal.cancel ? 'true' : '',
      changeCard: of.portal.changeCard ? 'true' : '',
      changePlan: of.portal.changePlan.join(),
      ...Object.fromEntries(
        cardLimits.map(([name]) => [`cardLimits.${name}`, String(of.cardLimits[name] ?? '')]),
      ),
    },
    async (values) => {
      await patch('/v1/company/checkout', { body: bodyOf(values) })
      done(t.common.saved, '/v1/checkout-branding')
    },
    ({ accent, termsUrl, privacyUrl, ...others }) => ({
      ...limitErrors(others),
      accent: accent?.trim() && !isColor(accent) ? say.look.accentWrong : null,
      termsUrl: httpsError(termsUrl),
      privacyUrl: httpsError(privacyUrl),
    }),
  )
  return (
    <div class="look-page">
      <fieldset disabled={!isManager}>
        {!isManager && <p class="notice-line calm">{say.look.readOnly}</p>}
        <Form of={form} submit={t.common.save}>
          <Part title={say.look.brand}>
            <Field
              name="displayName"
              label={say.look.displayName}
              hint={say.look.displayNameHint}
              isOptional
              maxLength={40}
            />
            <AccentField />
            <p class="hint">
              {say.look.logo} <a href={pathTo('empresa')}>{say.look.changeLogo}</a>
            </p>
          </Part>
          <Part title={say.look.contact}>
            <div class="form-row">
              <Field name="supportEmail" type="email" label={say.look.supportEmail} isOptional />
              <Field name="supportPhone" type="tel" label={say.look.supportPhone} isOptional />
            </div>
            <div class="form-row">
              <Field name="termsUrl" type="url" label={say.look.terms} isOptional placeholder="https://" />
              <Field
                name="privacyUrl"
                type="url"
                label={say.look.privacy}
                isOptional
                placeholder="https://"
              />
            </div>
            <Field
              name="thankYouText"
              label={say.look.thanks}
              hint={say.look.thanksHint}
              isOptional
              lines={3}
              maxLength={280}
            />
          </Part>
          <Part title={say.look.portal} note={say.look.portalText}>
            <Check name="cancel" label={say.look.cancel} />
            <Check name="changeCard" label={say.look.changeCard} />
            <PlansField />
            <PortalAddress />
          </Part>
          <Part title={say.look.cards} note={say.look.cardsText}>
            <div class="form-row">
              {cardLimits.map(([name, usual]) => (
                <Field
                  key={name}
                  name={`cardLimits.${name}`}
                  label={say.look.cardLimits[name]}
                  hint={say.look.usualLimit(usual)}
                  isOptional
                  inputMode="numeric"
                  maxLength={3}
                  placeholder={String(usual)}
                />
              ))}
            </div>
          </Part>
        </Form>
      </fieldset>
      <Previews of={of} values={form.values} />
    </div>
  )
}

/** A part of the form, under a heading of its own. */
const Part = ({ title, note, children }: { title: string; note?: string; children: ComponentChildren }) => (
  <Section title={title} note={note}>
    <div class="form">{children}</div>
  </Section>
)

/** Where customers ask for a link to their subscriptions; nothing where the service sends no mail. */
const PortalAddress = () => {
  const { data } = useGet('/v1/portal')
  if (!data?.url) return null
  return (
    <div>
      <CopyBox label={say.look.portalUrl} text={data.url} />
      <p class="hint">{say.look.portalUrlHint}</p>
    </div>
  )
}

/** The plans of the present environment; those of the other stay as they are. */
const PlansField = () => {
  const { data } = useGet(can('subscriptions.read') ? '/v1/plans' : null, {
    query: { active: 'true', pageSize: 200 },
  })
  if (!data || data.data.length === 0) return null
  return (
    <Checks
      name="changePlan"
      label={say.look.changePlan}
      hint={say.look.changePlanHint}
      of={data.data.map(({ id, name }) => [id, name])}
    />
  )
}

/** A color, typed or chosen. */
const AccentField = () => {
  const props = { name: 'accent', label: say.look.accent, hint: say.look.accentHint, isOptional: true }
  const { id, error, value, set, describedBy } = useField(props)
  return (
    <Labelled of={props} id={id} error={error}>
      <div class="accent-field">
        <input
          type="color"
          aria-label={say.look.pickAccent}
          value={accentOf({ accent: value }) ?? plainAccent}
          onInput={(event) => set(event.currentTarget.value)}
        />
        <input
          id={id}
          name="accent"
          type="text"
          value={value}
          maxLength={7}
          placeholder={plainAccent}
          spellcheck={false}
          autoComplete="off"
          aria-invalid={error !== null}
          aria-describedby={describedBy}
          onInput={(event) => set(event.currentTarget.value)}
        />
      </div>
    </Labelled>
  )
}

const httpsError = (text: string | undefined): string | null =>
  text?.trim() && !/^https:\/\//i.test(text.trim()) ? say.offer.notHttps : null

const limitErrors = (values: Values) =>
  Object.fromEntries(
    cardLimits.map(([name, usual]) => {
      const field = `cardLimits.${name}`
      const limit = limitOf(values[field])
      return [field, limit === null || (limit >= 1 && limit <= usual) ? null : say.look.limitWrong(usual)]
    }),
  )

/** Null for the usual one; what is no whole number is none. */
const limitOf = (typed = ''): number | null => {
  const text = typed.trim()
  if (text === '') return null
  return /^\d+$/.test(text) ? Number(text) : Number.NaN
}

const bodyOf = (values: Values) => ({
  ...Object.fromEntries(texts.map((name) => [name, values[name]?.trim() || null])),
  portal: {
    cancel: values.cancel === 'true',
    changeCard: values.changeCard === 'true',
    changePlan: listOf(values.changePlan),
  },
  cardLimits: Object.fromEntries(cardLimits.map(([name]) => [name, limitOf(values[`cardLimits.${name}`])])),
})
