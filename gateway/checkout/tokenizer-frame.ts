import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Offer } from '../../engine/checkout/offer.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { assetAt, assetPath } from './assets.ts'
import type { CheckoutOptions } from './checkout.ts'
import { framePolicy, securing } from './headers.ts'
import { documentOf } from './pages/document.ts'
import { html } from './pages/html.ts'
import { type PageLanguage, pageLanguages, textsIn } from './texts/texts.ts'

/** The address of the frame where a card is typed; null where there is no such host. Merchants' pages that show it are signed into it. */
export const tokenizerFor = (
  { tokenizerOrigin, masterKey }: Pick<CheckoutOptions, 'tokenizerOrigin' | 'masterKey'>,
  language: PageLanguage,
  { embedOrigins, threeDSecure, methods }: Pick<Offer, 'embedOrigins' | 'threeDSecure' | 'methods'>,
): string | null => {
  const origin = tokenizerOrigin()
  if (origin === '') return null
  const around = (embedOrigins ?? []).join(' ')
  const asksBank = threeDSecure !== 'OFF' || methods.includes('DEBIT_CARD')
  const signed =
    around === '' ? '' : `&around=${encodeURIComponent(around)}&by=${signatureOf(masterKey, around)}`
  return `${origin}/t/sandbox?lang=${language}${asksBank ? '' : '&ask=no'}${signed}`
}

const signatureOf = (masterKey: Uint8Array, around: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', masterKey, '', 'payments checkout frames', 32)))
    .update(around)
    .digest('base64url')

/**
 * The host where cards are typed: static bytes, and no route that takes anything. The page around the frame gets a token by a message to its
 * exact origin.
 */
export const tokenizerFrame = (options: CheckoutOptions, request: HttpRequest): HttpResponse | null => {
  const { verb, path, query } = request
  if (verb !== 'GET' && verb !== 'HEAD') return null
  const asset = assetAt(request)
  if (asset !== null) return asset
  if (path !== '/t/sandbox') return null
  const parameters = new URLSearchParams(query)
  const language = pageLanguages.find((one) => one === parameters.get('lang')) ?? 'pt-BR'
  const ancestors = [options.origin(), ...aroundOf(options.masterKey, parameters)]
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': framePolicy(ancestors),
      ...securing,
    },
    body: framePage(language, options.origin(), parameters.get('ask') !== 'no'),
  }
}

const aroundOf = (masterKey: Uint8Array, parameters: URLSearchParams): readonly string[] => {
  const around = parameters.get('around') ?? ''
  if (around === '') return []
  const [given, right] = [parameters.get('by') ?? '', signatureOf(masterKey, around)].map((text) =>
    Buffer.from(text),
  )
  const isOurs = given!.length === right!.length && timingSafeEqual(given!, right!)
  return isOurs ? around.split(' ') : []
}

const framePage = (language: PageLanguage, parent: string, asksBank: boolean): string => {
  const { card } = textsIn(language)
  const field = (id: string, label: string, autocomplete: string, more: string, isHalf: boolean) =>
    html`<div class="field${isHalf && ' half'}"><label for="${id}">${label}</label><input id="${id}" autocomplete="${autocomplete}" inputmode="${more}" maxlength="${id === 'holder' ? 60 : 24}" aria-describedby="${id}-error"><p class="error" id="${id}-error" role="alert"></p></div>`
  return documentOf({
    language,
    title: card.frameTitle,
    style: 'tokenizer.css',
    head: html`<script src="${assetPath('tokenizer.js')}" defer></script>`,
    body: html`<body data-parent="${parent}" data-bad-number="${card.badNumber}" data-bad-holder="${card.badHolder}" data-bad-expiry="${card.badExpiry}" data-bad-code="${card.badCode}" data-test-only="${card.testOnly}"${asksBank && html` data-asks-bank`}>
<main><form>
${field('number', card.number, 'cc-number', 'numeric', false)}
${field('holder', card.holder, 'cc-name', 'text', false)}
${field('expiry', card.expiry, 'cc-exp', 'numeric', true)}
${field('code', card.code, 'cc-csc', 'numeric', true)}
<p class="hint">${card.testOnly}</p>
</form>
<section id="challenge" hidden aria-labelledby="asked"><h1 id="asked" tabindex="-1">${card.challengeTitle}</h1><p>${card.challengeText}</p><p><button type="button" id="confirm">${card.confirm}</button> <button type="button" id="cancel">${card.cancel}</button></p></section></main>
</body>`,
  })
}
