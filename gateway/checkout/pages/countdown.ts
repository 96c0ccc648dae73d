import { type Html, html } from './html.ts'
import type { Shown } from './shown.ts'

/**
 * How long is left, in words, counted down by the page's script from what the server says and not from the payer's clock, which may be
 * wrong. At zero the page asks the server; it never decides.
 */
export const countdown = (shown: Shown, label: string, endsAtMs: number): Html => {
  const seconds = Math.max(0, Math.floor((endsAtMs - shown.nowMs) / 1000))
  return html`<p class="countdown"><span>${label}</span> <time role="timer" data-seconds="${seconds}">${timeLeft(shown, seconds)}</time></p>`
}

/** The time left, rounded down, so that no payer is promised a second that is not there. */
const timeLeft = ({ texts }: Shown, seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return texts.lessThanAMinute
  if (minutes < 60) return texts.minutes(minutes)
  const hours = Math.floor(minutes / 60)
  if (hours < 48)
    return minutes % 60 === 0
      ? texts.hours(hours)
      : `${texts.hours(hours)} ${texts.and} ${texts.minutes(minutes % 60)}`
  return texts.days(Math.floor(hours / 24))
}
