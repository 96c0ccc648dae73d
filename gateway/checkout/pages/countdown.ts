import { timeLeft } from '../texts/time-left.ts'
import { type Html, html } from './html.ts'
import type { Shown } from './shown.ts'

/**
 * How long is left, in words, counted down by the page's script from what the server says and not from the payer's clock, which may be
 * wrong. At zero the page asks the server; it never decides.
 */
export const countdown = (shown: Shown, label: string, endsAtMs: number): Html => {
  const seconds = secondsLeft(shown.nowMs, endsAtMs)
  return html`<p class="countdown"><span>${label}</span> <time role="timer" data-seconds="${seconds}">${timeLeft(shown.language, seconds)}</time></p>`
}

/** Whole seconds, rounded down. */
export const secondsLeft = (nowMs: number, endsAtMs: number): number =>
  Math.max(0, Math.floor((endsAtMs - nowMs) / 1000))
