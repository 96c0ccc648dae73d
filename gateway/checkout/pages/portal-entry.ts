import { nonceOf } from './choose.ts'
import { fieldOf } from './fields.ts'
import { type Html, html } from './html.ts'
import { pageOf } from './layout.ts'
import type { ShownPortal } from './portal.ts'
import type { FormState } from './typed.ts'

/** Where a customer asks for a link to their subscriptions. */
export const askPortalPage = (shown: ShownPortal, nonce: string, form: FormState): string => {
  const { portal } = shown.texts
  return entryPage(
    shown,
    html`<p>${portal.askText}</p><form method="post" action="${shown.home}/send${shown.query}" novalidate>${nonceOf(shown, nonce)}${fieldOf(
      shown,
      form,
      {
        name: 'email',
        label: portal.email,
        isRequired: true,
        input: html`type="email" autocomplete="email" maxlength="254"`,
      },
    )}<button class="primary">${portal.sendLink}</button></form>`,
  )
}

/** What is said whatever address was typed. */
export const portalMailedPage = (shown: ShownPortal): string => {
  const { portal } = shown.texts
  return entryPage(
    shown,
    html`<p role="status">${portal.mailed}</p><p>${portal.mailedHow}</p><p><a href="${shown.home}${shown.query}">${portal.askAgain}</a></p>`,
    portal.mailedTitle,
  )
}

/** Where the link of a mail leads. */
export const openPortalPage = (shown: ShownPortal, nonce: string): string => {
  const { portal } = shown.texts
  return entryPage(
    shown,
    html`<p>${portal.openText}</p><form method="post" action="${shown.home}/open${shown.query}">${nonceOf(shown, nonce)}<button class="primary">${portal.open}</button></form>`,
  )
}

const entryPage = (shown: ShownPortal, content: Html, title = shown.texts.portal.title): string =>
  pageOf(shown, {
    title,
    amount: null,
    summary: null,
    content: html`<h1>${title}</h1>${content}`,
    live: null,
  })
