import { loadAnew } from './watch.ts'
import { findWork } from './work.ts'

/**
 * Shows the button for more time once little is left, and says so. On a page where a payer is typing, time is added without loading it anew, so that
 * nothing that was typed is lost, a card in its frame neither.
 */
export const offerTime = (isWaiting: boolean): void => {
  const offer = document.querySelector<HTMLElement>('.more-time')
  const button = offer?.querySelector('button')
  const says = offer?.querySelector<HTMLElement>('[role=status]')
  if (!offer || !button || !says) return
  const waitMs = Number(offer.dataset.in) * 1000
  if (waitMs > 0)
    later(Math.max(0, waitMs - performance.now()), () => {
      says.textContent = offer.dataset.say ?? ''
      for (const hidden of offer.querySelectorAll<HTMLElement>('[hidden]')) hidden.hidden = false
    })
  if (!isWaiting)
    button.addEventListener('click', (event) => {
      event.preventDefault()
      if (button.getAttribute('aria-busy') === 'true') return
      button.setAttribute('aria-busy', 'true')
      void ask(button).then((given) => {
        button.removeAttribute('aria-busy')
        // Without a line, the payer may try again.
        if (given === null) return
        addTime(given)
        button.hidden = true
        says.textContent = given.given
        says.focus()
      })
    })
}

/** Browsers wait for less than 25 days at once. */
const later = (ms: number, callback: () => void): void => {
  const step = Math.min(ms, 1_000_000_000)
  setTimeout(() => (step < ms ? later(ms - step, callback) : callback()), step)
}

type Given = { readonly nonce: string; readonly seconds: number; readonly given: string }

const ask = async (button: HTMLButtonElement): Promise<Given | null> => {
  const nonce = button.form?.querySelector<HTMLInputElement>('[name=nonce]')?.value ?? ''
  const bits = button.form?.querySelector<HTMLInputElement>('[name=work]')?.dataset.bits
  const work = bits === undefined ? '' : await findWork(nonce, Number(bits))
  try {
    const response = await fetch(button.formAction, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams({ nonce, work }),
    })
    const isGiven = response.headers.get('Content-Type') === 'application/json'
    if (isGiven) return (await response.json()) as Given
    // Paid or over meanwhile: the page itself says how it stands.
    loadAnew()
  } catch {}
  return null
}

/** Forms go on from the page as it is now, and the clocks from the time that is left now. */
const addTime = ({ nonce, seconds }: Given): void => {
  for (const field of document.querySelectorAll<HTMLInputElement>('[name=nonce]')) field.value = nonce
  for (const clock of document.querySelectorAll<HTMLElement>('[data-seconds]'))
    clock.dataset.seconds = String(seconds + performance.now() / 1000)
}
