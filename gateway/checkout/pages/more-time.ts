import { type CheckoutSession, liveTry, prolongedUntilMs } from '../../../engine/checkout/session.ts'
import { timeLeft } from '../texts/time-left.ts'
import { secondsLeft } from './countdown.ts'
import { type Html, html } from './html.ts'
import type { Shown } from './shown.ts'

/**
 * Offers more time once little is left (WCAG 2.2.1): the page's script shows the button when that is so, and a page without scripts has it from
 * the start. The button sends `form`, so that what was typed into it comes back. Null where there is no more time to give.
 */
export const moreTime = (shown: Shown, session: CheckoutSession, form: string): Html | null => {
  const { texts, path, query, nowMs } = shown
  if (prolongedUntilMs(session) === null) return null
  const waitSeconds = Math.max(0, Math.ceil((offeredFromMs(session) - nowMs) / 1000))
  const isOffered = waitSeconds === 0
  const button = (isHidden: boolean): Html =>
    html`<button form="${form}" formaction="${path}/prolong${query}"${isHidden && html` hidden`}>${texts.moreTime.ask}</button>`
  return html`<div class="more-time" data-in="${waitSeconds}" data-say="${texts.moreTime.ends}"><p role="status" tabindex="-1">${isOffered && texts.moreTime.ends}</p>
${button(!isOffered)}${!isOffered && html`<noscript>${button(false)}</noscript>`}${liveTry(session) !== null && html`<p class="hint"${!isOffered && html` hidden`}>${texts.moreTime.code}</p>`}</div>`
}

/** The last fifth of a session's time, and its last five minutes at most. */
const offeredFromMs = ({ createdAtMs, expiresAtMs }: CheckoutSession): number =>
  expiresAtMs - Math.min((expiresAtMs - createdAtMs) / 5, lastMs)

const lastMs = 5 * 60_000

/** What a payer reads who was given more time. */
export const timeGiven = ({ texts, language, nowMs }: Shown, { expiresAtMs }: CheckoutSession): string =>
  texts.moreTime.given(timeLeft(language, secondsLeft(nowMs, expiresAtMs)))
