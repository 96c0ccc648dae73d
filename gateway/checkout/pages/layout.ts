import { nameForPayers } from '../../../engine/companies/checkout-branding.ts'
import { taxDocument } from '../../documents/boleto/texts.ts'
import { accentPath } from '../accent-style.ts'
import { assetPath } from '../assets.ts'
import { documentOf, icon } from './document.ts'
import { type Html, html } from './html.ts'
import type { Shown } from './shown.ts'

export type PageContent = {
  /** For the tab; the company's name follows. */
  readonly title: string
  /** What is paid for; null on pages that say only that there is nothing to pay. */
  readonly summary: Html | null
  /** What is to be paid, which stays in view; null where the payer decides it, or nothing is to be paid. */
  readonly amount: string | null
  readonly content: Html
  /** What changes with the payment: a page with another version loads itself anew. Null where nothing is waited for. */
  readonly live: { readonly version: string } | null
  /** The session that is paid, for the merchant's page around this one. */
  readonly paidSession?: string
}

/** A whole page: the company above, what is paid beside or below, and what the payer does. */
export const pageOf = (
  shown: Shown,
  { title, summary, amount, content, live, paidSession }: PageContent,
): string => {
  const { company, texts, language, isTest, embeddedIn } = shown
  const name = nameForPayers(company)
  const { accent } = company.checkout
  return documentOf({
    language,
    title: `${title} · ${name}`,
    style: 'styles.css',
    head: html`${icon}${accent && html`<link rel="stylesheet" href="${accentPath(accent)}">`}
${live && html`<noscript><meta http-equiv="refresh" content="10"></noscript>`}
<script src="${assetPath('page.js')}" defer></script>`,
    body: html`<body${embeddedIn && html` class="embedded" data-parent="${embeddedIn}"`}${paidSession && html` data-paid="${paidSession}"`}${live && html` data-version="${live.version}" data-path="${shown.path}"`}>
${isTest && html`<p class="test">${texts.test}</p>`}
<header>
<div class="shop">${company.logo && html`<img src="${logoPath(shown)}" alt="" width="40" height="40">`}<span>${name}</span></div>
${amount && html`<strong class="sum" aria-hidden="true" data-sum="${amount}">${amount}</strong>`}${languageSwitch(shown)}
</header>
<main>
${summary && html`<section class="summary" aria-label="${texts.summary}">${summary}</section>`}
<section class="pay">
${content}
</section>
</main>
<footer>
<p>${texts.legal(company.name, taxDocument(company.document))}</p>
${contact(shown)}
${terms(shown)}
</footer>
</body>`,
  })
}

/** The company's picture, at an address that changes with it. */
const logoPath = ({ path, home = path, company }: Shown): string => `${home}/logo?v=${company.revision}`

const languageSwitch = ({ language, texts, path, embeddedIn }: Shown): Html => {
  const other = language === 'en' ? 'pt-BR' : 'en'
  const query = new URLSearchParams({ lang: other, ...(embeddedIn !== null && { embed: embeddedIn }) })
  return html`<a class="language" href="${path}?${query.toString()}" lang="${other}" hreflang="${other}">${texts.otherLanguage}</a>`
}

/** The company's own texts for payers. */
const terms = ({ company: { checkout }, texts }: Shown): Html | null => {
  const link = (url: string | null, text: string): Html | null =>
    url === null ? null : html`<a href="${url}" rel="noreferrer" target="_blank">${text}</a> `
  const { termsUrl, privacyUrl } = checkout
  if (termsUrl === null && privacyUrl === null) return null
  return html`<p>${link(termsUrl, texts.terms)}${link(privacyUrl, texts.privacy)}</p>`
}

/** How the payer reaches the company. */
export const contact = ({ company, texts }: Shown): Html | null => {
  const { supportEmail, supportPhone } = company.checkout
  const [email, phone] = [supportEmail ?? company.email, supportPhone ?? company.phone]
  if (email === null && phone === null) return null
  return html`<p>${texts.help} ${email && html`<a href="mailto:${email}">${email}</a>`}${email && phone && ' · '}${phone && phoneLink(phone)}</p>`
}

/** A number as Brazilians write it, which calls from abroad as well. */
const phoneLink = (phone: string): Html => {
  const digits = phone.replace(/\D/g, '')
  const [, area, first, last] = /^(?:55)?(\d\d)(\d{4,5})(\d{4})$/.exec(digits) ?? []
  return area === undefined
    ? html`<a href="tel:${phone}">${phone}</a>`
    : html`<a href="tel:+55${area}${first}${last}">(${area}) ${first}-${last}</a>`
}
