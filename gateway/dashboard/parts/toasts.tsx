import { refresh, useAction } from '../core/query.ts'
import { newStore, useStore } from '../core/store.ts'
import { Icon } from './icons.tsx'

type Toast = { readonly id: number; readonly text: string; readonly kind: 'done' | 'trouble' }

const toasts = newStore<readonly Toast[]>([])
let made = 0

/** Says that something was done, on the page and to readers of screens. */
export const announce = (text: string, kind: Toast['kind'] = 'done'): void => {
  const id = ++made
  toasts.set([...toasts.get().slice(-2), { id, text, kind }])
  setTimeout(() => toasts.set(toasts.get().filter((toast) => toast.id !== id)), 5000)
}

/** Says that something was done, and reads again what it has changed. */
export const done = (text: string, ...changed: readonly string[]): void => {
  refresh(...changed)
  announce(text)
}

/** Where announcements appear; it is there from the start, or readers of screens would miss the first. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {useStore(toasts).map(({ id, text, kind }) => (
      <p key={id} class={`toast ${kind}`}>
        <Icon name={kind === 'done' ? 'check' : 'alert'} />
        {text}
      </p>
    ))}
  </div>
)

/** An action that then reloads what it has changed and announces it. */
export const useChange = <Input extends unknown[]>(
  act: (...input: Input) => Promise<unknown>,
  text: string,
  ...changed: readonly string[]
) =>
  useAction(async (...input: Input) => {
    await act(...input)
    done(text, ...changed)
  })
