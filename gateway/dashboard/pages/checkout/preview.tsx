import { accentOn, type PageTheme } from '../../../typed/accent.ts'
import type { Schemas } from '../../core/api.ts'
import { documentNumber } from '../../core/format.ts'
import { useGet } from '../../core/query.ts'
import { can } from '../../core/session.ts'
import { Amount, Section } from '../../parts/basics.tsx'
import type { Values } from '../../parts/form.tsx'
import { say } from './with-texts.tsx'

type PreviewProps = { of: Schemas['CheckoutBranding']; values: Values }

/** The payment page in both themes, as it will look once the form is saved. */
export const Previews = (props: PreviewProps) => (
  <Section title={say.look.preview}>
    <div class="previews">
      <Preview {...props} theme="light" />
      <Preview {...props} theme="dark" />
    </div>
  </Section>
)

const Preview = ({ of, values, theme }: PreviewProps & { theme: PageTheme }) => {
  const company = useGet(can('company.read') ? '/v1/company' : null)
  const chosen = accentOf(values)
  // Without one, the style sheet has the pages' own.
  const accent = chosen === null ? null : accentOn(chosen, theme)
  const name = values.displayName?.trim() || company.data?.tradeName || of.legalName
  const contact = [values.supportEmail, values.supportPhone].map((one) => one?.trim()).filter(Boolean)
  return (
    <figure class={`preview ${theme}`}>
      <figcaption>
        {say.look[theme]}
        {accent !== null && accent.background !== chosen && (
          <span class="sub">{say.look.shaded(accent.background)}</span>
        )}
      </figcaption>
      <div class="preview-page">
        <div class="preview-head">
          {of.logo && <img src={of.logo} alt="" />}
          <div>
            <strong>{name}</strong>
            <small>
              {of.legalName} · {documentNumber(of.document)}
            </small>
          </div>
        </div>
        <span>{say.look.sample}</span>
        <Amount of="24900" size="large" />
        <span
          class="preview-button"
          {...(accent && { style: { background: accent.background, color: accent.text } })}
        >
          {say.look.pay}
        </span>
        {values.thankYouText?.trim() && (
          <p class="preview-thanks" {...(accent && { style: { borderColor: accent.background } })}>
            <strong>{say.look.paid}</strong>
            {values.thankYouText.trim()}
          </p>
        )}
        <small>
          {[
            ...contact,
            values.termsUrl?.trim() && say.look.terms,
            values.privacyUrl?.trim() && say.look.privacy,
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </div>
    </figure>
  )
}

/** The color of pages whose company has chosen none, on the light ground. */
export const plainAccent = '#0a6549'

/** Whether a text is a color as the API takes it. */
export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text.trim())

/** The color that a form holds; null while it holds none. */
export const accentOf = ({ accent }: Values): string | null =>
  accent !== undefined && isColor(accent) ? accent.trim().toLowerCase() : null
