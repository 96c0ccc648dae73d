// The script of the pages where payers pay. Everything but cards works without it; it copies codes, counts the time down, and loads the page
// anew when the payment has changed.
import { timeLeft } from '../texts/time-left.ts'
import { keepCard } from './card.ts'
import { offerTime } from './more-time.ts'
import { loadAnew, watchPayment } from './watch.ts'
import { findWork } from './work.ts'

const { version, path, parent: around, paid } = document.body.dataset

const copyCodes = (): void => {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const { copy = '', done = '', byHand = '' } = button.dataset
    const says = button.parentElement?.querySelector('[role=status]')
    button.addEventListener('click', () => {
      const say = (text: string): void => {
        if (says) says.textContent = text
      }
      // Where the browser does not allow it, the text is selected, so that the payer's own menu copies it.
      const select = (): void => {
        const box = button.parentElement?.querySelector('textarea')
        box?.focus()
        box?.select()
        say(byHand)
      }
      if (navigator.clipboard === undefined) select()
      else navigator.clipboard.writeText(copy).then(() => say(done), select)
    })
  }
}

/** Counts down by the time that has passed since the page came, never by the clock of the phone. */
const countDown = (): void => {
  const language = document.documentElement.lang === 'en' ? 'en' : 'pt-BR'
  const clocks = [...document.querySelectorAll<HTMLElement>('[data-seconds]')]
  if (clocks.length === 0) return
  const timer = setInterval(() => {
    for (const clock of clocks) {
      const left = Number(clock.dataset.seconds) - performance.now() / 1000
      if (left <= 0) {
        clearInterval(timer)
        loadAnew()
        return
      }
      const text = timeLeft(language, left)
      if (clock.textContent !== text) clock.textContent = text
    }
  }, 1000)
}

/** A form is sent once: a second click finds the button busy. */
const sendOnce = (): void => {
  for (const form of document.querySelectorAll('form'))
    form.addEventListener('submit', (event) => {
      if (form.dataset.sent !== undefined) event.preventDefault()
      form.dataset.sent = ''
      form.querySelector('button.primary')?.setAttribute('aria-busy', 'true')
    })
  // A page that the back button brings may be sent anew.
  addEventListener('pageshow', (event) => {
    if (event.persisted) loadAnew()
  })
}

/** While a link is attacked, a form is sent once its work is done. */
const showWork = (): void => {
  for (const field of document.querySelectorAll<HTMLInputElement>('[name=work]')) {
    const form = field.form
    const nonce = form?.querySelector<HTMLInputElement>('[name=nonce]')
    if (!form || !nonce) continue
    form.addEventListener(
      'submit',
      (event) => {
        if (field.value !== '') return
        event.preventDefault()
        event.stopImmediatePropagation()
        form.querySelector('button.primary')?.setAttribute('aria-busy', 'true')
        void findWork(nonce.value, Number(field.dataset.bits)).then((work) => {
          field.value = work
          form.requestSubmit()
        })
      },
      { capture: true },
    )
  }
}

const goOn = (): void => {
  const link = document.querySelector<HTMLAnchorElement>('#continue')
  const note = document.querySelector<HTMLElement>('#going-on')
  if (link === null || note === null || window !== window.parent) return
  note.hidden = false
  const timer = setTimeout(() => location.assign(link.href), 5000)
  document.querySelector('#stay')?.addEventListener('click', () => {
    clearTimeout(timer)
    note.hidden = true
  })
}

const suggestAmounts = (): void => {
  const field = document.querySelector<HTMLInputElement>('#amount')
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-amount]'))
    button.addEventListener('click', () => {
      if (field === null) return
      field.value = button.dataset.amount ?? ''
      field.focus()
    })
}

/** What is to be paid grows with instalments that cost interest: the amount in view is that of the plan that is chosen. */
const showTotal = (): void => {
  const plans = document.querySelector<HTMLSelectElement>('#installments')
  const form = plans?.form
  if (!form) return
  const show = (): void => {
    const byCard = form.querySelector(':checked[value="CREDIT_CARD"]') !== null
    const total = byCard ? plans.selectedOptions[0]?.dataset.total : undefined
    for (const sum of document.querySelectorAll<HTMLElement>('[data-sum]'))
      sum.textContent = total ?? sum.dataset.sum ?? ''
  }
  form.addEventListener('change', show)
  show()
}

/**
 * Reports to the merchant's page around this one that it is there, how high it is, and that the payer wants to leave: by Escape, which the dialog
 * does not hear from inside its frame, or by the way back to the shop.
 */
const reportAround = (around: string): void => {
  const report = (message: Readonly<Record<string, unknown>>): void => parent.postMessage(message, around)
  report({ type: 'ready' })
  if (paid !== undefined) report({ type: 'completed', sessionId: paid })
  new ResizeObserver(() => report({ type: 'resize', height: document.body.offsetHeight })).observe(
    document.body,
  )
  const leave = (event: Event): void => {
    event.preventDefault()
    report({ type: 'closed' })
  }
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leave(event)
  })
  for (const link of document.querySelectorAll('[data-leaves]')) link.addEventListener('click', leave)
}

copyCodes()
countDown()
showTotal()
keepCard()
showWork()
sendOnce()
goOn()
suggestAmounts()
offerTime(version !== undefined)
document.querySelector<HTMLElement>('#errors')?.focus()
if (version !== undefined && path !== undefined) watchPayment(path, version)
if (around !== undefined) reportAround(around)
