import { type PageLanguage, textsIn } from '../texts/texts.ts'
import { documentOf, icon } from './document.ts'
import { html } from './html.ts'
import { contact, pageOf } from './layout.ts'
import type { Shown } from './shown.ts'

/** Why there is nothing to pay at an address. */
export type ClosedKind = 'planGone' | 'expired' | 'linkExpired' | 'inactive' | 'exhausted'

/** A page that says why nothing can be paid, and whom to ask. */
export const closedPage = (shown: Shown, kind: ClosedKind, backUrl: string | null): string => {
  const { texts } = shown
  const title = texts.closed[`${kind}Title`]
  return pageOf(shown, {
    title,
    summary: null,
    amount: null,
    content: html`<div class="closed"><h1>${title}</h1><p>${texts.closed[kind]}</p>${contact(shown)}${backUrl && html`<p><a class="button" href="${backUrl}" data-leaves>${texts.backToShop}</a></p>`}</div>`,
    live: null,
  })
}

/** A page for an address that is none, and for requests that no page of ours has sent: it names no company. */
export const strangerPage = (
  language: PageLanguage,
  kind: 'unknown' | 'oldPage' | 'tooMany' | 'unavailable',
  /** Where the page can be opened anew. */
  path: string | null,
): string => {
  const texts = textsIn(language)
  const title = texts.closed[`${kind}Title`]
  return documentOf({
    language,
    title,
    style: 'styles.css',
    head: icon,
    body: html`<body>
<main><section class="pay"><div class="closed"><h1>${title}</h1><p>${texts.closed[kind]}</p>${path && html`<p><a class="button" href="${path}">${texts.closed.reload}</a></p>`}</div></section></main>
</body>`,
  })
}
