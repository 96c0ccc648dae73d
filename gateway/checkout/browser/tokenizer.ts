// The frame where a card is typed, in the Sandbox. It stands for an acquirer's script, which a real connection loads instead: the page around it
// gets a token, and never a number. Only printed test numbers are taken, so that no real card is typed into a test.
const parentOrigin = document.body.dataset.parent ?? ''
const words = document.body.dataset as Readonly<Record<string, string>>
const field = (id: string): HTMLInputElement => document.querySelector(`#${id}`)!
const [number, holder, expiry, code] = ['number', 'holder', 'expiry', 'code'].map(field) as [
  HTMLInputElement,
  HTMLInputElement,
  HTMLInputElement,
  HTMLInputElement,
]

/** What becomes of a card, by its last digit (checkout, section 3). */
const outcomes = [
  'approved',
  'approved',
  'declined_05',
  'declined_57',
  'approved',
  'declined_78',
  'timeout',
  'declined_54',
  'declined_51',
  'processing',
]

const brandOf = (digits: string): string | null => {
  if (/^4000000000000[0-9]{3}$/.test(digits)) return 'VISA'
  if (/^510000000000[0-9]{4}$/.test(digits)) return 'MASTERCARD'
  if (/^506700000000[0-9]{4}$/.test(digits)) return 'ELO'
  if (/^370000000000[0-9]{3}$/.test(digits)) return 'AMEX'
  return /^606200000000[0-9]{4}$/.test(digits) ? 'HIPERCARD' : null
}

/** ISO/IEC 7812-1, annex B. */
const isLuhn = (digits: string): boolean =>
  [...digits].reverse().reduce((sum, digit, n) => {
    const value = Number(digit) * (n % 2 === 0 ? 1 : 2)
    return sum + (value > 9 ? value - 9 : value)
  }, 0) %
    10 ===
  0

const digitsOf = (input: HTMLInputElement): string => input.value.replace(/\D/g, '')

const faults = (): ReadonlyMap<HTMLInputElement, string> => {
  const found = new Map<HTMLInputElement, string>()
  const digits = digitsOf(number)
  if (digits.length < 13 || !isLuhn(digits)) found.set(number, words.badNumber!)
  else if (brandOf(digits) === null) found.set(number, words.testOnly!)
  if (holder.value.trim().length < 2) found.set(holder, words.badHolder!)
  const [, month = 0, year = 0] = (/^(\d\d)\D*(\d\d)$/.exec(expiry.value.trim()) ?? []).map(Number)
  const today = new Date()
  const isOver =
    2000 + year < today.getFullYear() || (2000 + year === today.getFullYear() && month < today.getMonth() + 1)
  if (month < 1 || month > 12 || isOver) found.set(expiry, words.badExpiry!)
  if (!/^\d{3,4}$/.test(code.value.trim())) found.set(code, words.badCode!)
  return found
}

type Card = { readonly token: string; readonly brand: string; readonly last4: string }
type ThreeDSecure = { readonly status: string; readonly eci?: string }

const cardOf = () => {
  const digits = digitsOf(number)
  return {
    token: `tok_test_${outcomes[Number(digits.slice(-1))]}`,
    brand: brandOf(digits)!,
    last4: digits.slice(-4),
    bin: digits.slice(0, 6),
    holderName: holder.value.trim(),
  }
}

/** How long a bank waits for its customer. */
const challengeMs = 300_000

/**
 * Asks the card's bank whether its holder pays (3-D Secure). In the Sandbox a card that ends in 4 is asked in the frame, but for American Express,
 * whose bank cannot be reached then; all others are known at once.
 */
const askBank = ({ brand, last4 }: Card, then: (answer: ThreeDSecure | null) => void): void => {
  const eci = brand === 'MASTERCARD' ? '02' : '05'
  const known =
    words.asksBank === undefined
      ? null
      : !last4.endsWith('4')
        ? { status: 'AUTHENTICATED', eci }
        : brand === 'AMEX'
          ? { status: 'UNAVAILABLE' }
          : undefined
  if (known !== undefined) {
    then(known)
    return
  }
  const form = document.querySelector<HTMLElement>('form')!
  const challenge = document.querySelector<HTMLElement>('#challenge')!
  const answer = (isHolder: boolean): void => {
    clearTimeout(waiting)
    form.hidden = false
    challenge.hidden = true
    sayHeight()
    then(isHolder ? { status: 'AUTHENTICATED', eci } : { status: 'NOT_AUTHENTICATED' })
  }
  const waiting = setTimeout(() => answer(false), challengeMs)
  document.querySelector<HTMLElement>('#confirm')!.onclick = () => answer(true)
  document.querySelector<HTMLElement>('#cancel')!.onclick = () => answer(false)
  form.hidden = true
  challenge.hidden = false
  document.querySelector<HTMLElement>('#asked')!.focus()
  sayHeight()
}

const post = (message: object): void => parent.postMessage(message, parentOrigin)

const showFaults = (found: ReadonlyMap<HTMLInputElement, string>): void => {
  for (const input of [number, holder, expiry, code]) {
    const text = found.get(input) ?? ''
    input.toggleAttribute('aria-invalid', text !== '')
    document.querySelector(`#${input.id}-error`)!.textContent = text
  }
  found.keys().next().value?.focus()
  sayHeight()
}

const sayHeight = (): void =>
  post({ type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) })

addEventListener(
  'message',
  ({ origin, source, data }: MessageEvent<{ readonly type?: string; readonly question?: string }>) => {
    if (source !== parent || origin !== parentOrigin || data.type !== 'tokenize') return
    const found = faults()
    showFaults(found)
    if (found.size > 0) return
    const card = cardOf()
    askBank(card, (threeDSecure) =>
      post({
        type: 'token',
        question: data.question,
        card: { ...card, ...(threeDSecure && { threeDSecure }) },
      }),
    )
  },
)

// Groups of four, as on the card, without moving what is typed in the middle.
number.addEventListener('input', () => {
  if (number.selectionStart === number.value.length)
    number.value = digitsOf(number)
      .slice(0, 19)
      .replace(/(\d{4})(?=\d)/g, '$1 ')
})
expiry.addEventListener('input', () => {
  if (/^\d{3,4}$/.test(expiry.value)) expiry.value = `${expiry.value.slice(0, 2)}/${expiry.value.slice(2)}`
})
addEventListener('resize', sayHeight)
sayHeight()
