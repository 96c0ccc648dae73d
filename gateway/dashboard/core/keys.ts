import { navigate, type PageName, pathTo } from './router.ts'
import { newStore } from './store.ts'

/** Whether single keys act: people who dictate need them off (WCAG 2.1.4). */
export const keysOn = newStore(localStorage.getItem('keys') !== 'off')
/** Whether the list of keys is shown. */
export const helpShown = newStore(false)

/** Lets single keys act, or not, in this browser. */
export const chooseKeys = (isOn: boolean): void => {
  if (isOn) localStorage.removeItem('keys')
  else localStorage.setItem('keys', 'off')
  keysOn.set(isOn)
}

/** Pages by the key that follows `g`. */
export const goKeys: Readonly<Record<string, PageName>> = {
  h: 'inicio',
  t: 'transacoes',
  p: 'pix',
  b: 'boletos',
  c: 'clientes',
  s: 'assinaturas',
  r: 'faturas',
  w: 'webhooks',
  m: 'saldo',
  f: 'transferencias',
  e: 'empresa',
  k: 'chaves',
  u: 'suporte',
}

/** Listens for keys: `/` search, `g t` and so on, `n` new, `j` `k` rows, `?` help. */
export const listenForKeys = (): void => {
  let isGoing = false
  let timer: ReturnType<typeof setTimeout>
  document.addEventListener('keydown', (event) => {
    if (!keysOn.get() || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const target = event.target as HTMLElement
    if (target.closest('input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]'))
      return
    if (document.querySelector('dialog[open]') !== null) return
    const key = event.key
    if (isGoing) {
      isGoing = false
      const page = goKeys[key]
      if (page !== undefined) {
        event.preventDefault()
        navigate(pathTo(page))
      }
      return
    }
    const act = actions[key]
    if (key === 'g') {
      isGoing = true
      clearTimeout(timer)
      timer = setTimeout(() => {
        isGoing = false
      }, 1500)
    } else if (act?.()) event.preventDefault()
  })
}

const actions: Readonly<Record<string, () => boolean>> = {
  '/': () =>
    focusOn(
      document.querySelector<HTMLElement>('main [data-search]') ?? document.querySelector('[data-search]'),
    ),
  n: () => press(document.querySelector<HTMLElement>('[data-key="n"]')),
  j: () => walk(1),
  k: () => walk(-1),
  '?': () => {
    helpShown.set(true)
    return true
  },
}

const focusOn = (element: HTMLElement | null): boolean => {
  element?.focus()
  return element !== null
}

const press = (element: HTMLElement | null): boolean => {
  element?.click()
  return element !== null
}

/** Moves the focus from row to row; Enter then opens it, as with any link. */
const walk = (step: number): boolean => {
  const rows = [...document.querySelectorAll<HTMLElement>('main a[data-row]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = at === -1 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)
  const row = rows[next]
  row?.focus({ preventScroll: true })
  row?.closest('tr')?.scrollIntoView({ block: 'nearest' })
  return row !== undefined
}
